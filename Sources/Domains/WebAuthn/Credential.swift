internal import AlmanacCryptography

/// A passkey's id and public key, as registered.
public struct Credential: Equatable, Sendable {
    public let id: [UInt8]
    /// The public key as a COSE key (RFC 9052 §7, RFC 9053 §7, RFC 8230 §4).
    public let key: [UInt8]
    /// The number of signatures so far; 0 if the authenticator does not count.
    public let counter: UInt32
    /// True if the key may be copied to other devices of its user.
    public let isBackupEligible: Bool

    public init(id: [UInt8], key: [UInt8], counter: UInt32, isBackupEligible: Bool) {
        self.id = id
        self.key = key
        self.counter = counter
        self.isBackupEligible = isBackupEligible
    }

    /// The algorithms of new credentials by their numbers in the registry of COSE, best first.
    public static let algorithms = [-7, -8, -257]

    /// Checks a registration without attestation (Web Authentication Level 3 §7.1).
    ///
    /// - Parameters:
    ///   - id: The credential's id according to the page.
    ///   - authenticatorData: The result of `getAuthenticatorData()`.
    public init(
        registering id: [UInt8], _: ClientData, authenticatorData: [UInt8], at party: RelyingParty
    ) throws(CeremonyFailure) {
        let data = try AuthenticatorData(authenticatorData, of: .registration, at: party)
        guard let credential = data.credential, credential.id == id else { throw .noCredential }
        _ = try PublicKey(cose: credential.key)
        self.init(
            id: id, key: credential.key, counter: data.counter, isBackupEligible: data.isBackupEligible)
    }

    /// Checks a sign-in (Web Authentication Level 3 §7.2), and returns the new counter.
    public func counter(
        signing client: ClientData, authenticatorData: [UInt8], signature: [UInt8], at party: RelyingParty
    ) throws(CeremonyFailure) -> UInt32 {
        let data = try AuthenticatorData(authenticatorData, of: .signIn, at: party)
        let key = try PublicKey(cose: key)
        guard key.isValid(signature, of: authenticatorData + client.hash) else { throw .wrongSignature }
        guard data.isBackupEligible == isBackupEligible else { throw .malformedAuthenticatorData }
        // Authenticators of synced passkeys do not count.
        guard data.counter > counter || data.counter == 0 && counter == 0 else { throw .counterWentBack }
        return data.counter
    }
}

extension PublicKey {
    /// The maximum length of an RSA key, whose check takes long. Authenticators make keys of 2048 bits.
    private static let maxRSABytes = 512

    /// Reads a COSE key that has exactly the parameters that its type needs (Web Authentication Level 3 §6.5.1).
    fileprivate convenience init(cose bytes: [UInt8]) throws(CeremonyFailure) {
        var reader = CBORReader(bytes[...])
        // Labels: 1 is the type (kty), 3 the algorithm. They precede the others in canonical order.
        guard let count = reader.mapCount(), reader.integer() == 1, let type = reader.integer(),
            reader.integer() == 3, let algorithm = reader.integer()
        else { throw .malformedKey }
        guard Credential.algorithms.contains(algorithm) else { throw .algorithmRefused }
        do throws(KeyFailure) {
            switch (type, algorithm) {
            // Labels of an elliptic curve: -1 is the curve, -2 and -3 are the coordinates.
            case (2, -7):
                guard count == 5, reader.integer() == -1, reader.integer() == 1,
                    reader.integer() == -2, let x = reader.byteString(),
                    reader.integer() == -3, let y = reader.byteString(), reader.isAtEnd
                else { throw KeyFailure.malformed }
                try self.init(p256X: x, y: y)
            case (1, -8):
                guard count == 4, reader.integer() == -1, reader.integer() == 6,
                    reader.integer() == -2, let x = reader.byteString(), reader.isAtEnd
                else { throw KeyFailure.malformed }
                try self.init(ed25519: x)
            // Labels of RSA: -1 is the modulus, -2 the exponent.
            case (3, -257):
                guard count == 4, reader.integer() == -1, let modulus = reader.byteString(),
                    modulus.count <= Self.maxRSABytes,
                    reader.integer() == -2, let exponent = reader.byteString(), reader.isAtEnd
                else { throw KeyFailure.malformed }
                try self.init(rsaModulus: modulus, exponent: exponent)
            default: throw KeyFailure.malformed
            }
        } catch { throw .malformedKey }
    }

    /// Returns true if a signature of Web Authentication is valid, by the one algorithm of the key's kind.
    fileprivate func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch kind {
        // Web Authentication Level 3 §6.5.5: a DER sequence of r and s.
        case .p256: isValid(ecdsaDER: signature, of: message)
        case .ed25519: isValid(signature, of: message, by: .edDSA)
        case .rsa: isValid(signature, of: message, by: .rs256)
        }
    }
}
