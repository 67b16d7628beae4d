internal import AlmanacCOpenSSL

/// A public key that verifies signatures. Its kind determines the allowed algorithms.
///
/// The kind is fixed when the key is made, so a token can't make a key verify with another kind's algorithm (RFC 8725
/// §3.1).
public final class PublicKey: Sendable {
    /// The type of a key, which determines the allowed algorithms.
    public enum Kind: Sendable {
        case rsa, p256, ed25519

        /// The algorithms whose signatures a key of this kind verifies.
        public var algorithms: [SignatureAlgorithm] {
            switch self {
            case .rsa: [.rs256, .ps256]
            case .p256: [.es256]
            case .ed25519: [.edDSA]
            }
        }
    }

    public let kind: Kind
    /// SHA-256 of the key as a SubjectPublicKeyInfo (RFC 5280 §4.1), which identifies the key.
    public let fingerprint: [UInt8]
    let handle: KeyHandle

    /// The allowed RSA lengths. NIST SP 800-131A and RFC 7518 §3.3 require 2048 bits; more than 8192 is slow.
    public static let rsaBits = 2048...8192

    init(_ kind: Kind, _ handle: KeyHandle) {
        self.kind = kind
        self.handle = handle
        fingerprint = SHA256.digest(handle.encodedPublicKey)
    }

    /// Returns true if the signature over the message is valid. Returns false for an algorithm that the key does not
    /// allow. Safe to call on several threads at once.
    ///
    /// - Parameter signature: The signature in the form of RFC 7518 §3: for ES256, r and s, not DER.
    public func isValid(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard kind.algorithms.contains(algorithm) else { return false }
        switch algorithm {
        case .rs256: return check(signature, message, padding: RSA_PKCS1_PADDING)
        case .ps256: return check(signature, message, padding: RSA_PKCS1_PSS_PADDING)
        case .es256:
            guard signature.count == 64 else { return false }
            let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
            return check(DER.sequence(DER.integer(r), DER.integer(s)), message)
        case .edDSA: return check(signature, message, hashes: false)
        }
    }

    /// Returns true if an ES256 signature over the message is valid. Returns false for a key of another kind.
    ///
    /// - Parameter signature: A DER sequence of r and s, as in certificates (RFC 3279 §2.2.3).
    public func isValid(ecdsaDER signature: [UInt8], of message: [UInt8]) -> Bool {
        kind == .p256 && check(signature, message)
    }

    /// - Parameters:
    ///   - signature: The signature in OpenSSL's form.
    ///   - hashes: True to hash the message first; Ed25519 does so itself.
    ///   - padding: The padding of RSA.
    private func check(_ signature: [UInt8], _ message: [UInt8], hashes: Bool = true, padding: Int32? = nil) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        // Safe because the context of the key belongs to the context above, and OpenSSL reads only the bytes of the
        // given count.
        var keyContext: OpaquePointer?
        let digest = unsafe hashes ? EVP_sha256() : nil
        guard unsafe EVP_DigestVerifyInit(context, &keyContext, digest, nil, handle.pointer) == 1 else { return false }
        if let padding {
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(keyContext, padding) == 1 else { return false }
            if padding == RSA_PKCS1_PSS_PADDING {
                // The salt is as long as the hash (RFC 7518 §3.5).
                let code = unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, SHA256_DIGEST_LENGTH)
                guard code == 1 else { return false }
            }
        }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

extension PublicKey {
    /// Creates an RSA key.
    ///
    /// - Parameters:
    ///   - modulus: n, most significant byte first.
    ///   - exponent: e, most significant byte first: odd, at least 3, at most 32 bits.
    public convenience init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyFailure) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard Self.rsaBits.contains(bits) else { throw .wrongSize(bits: bits, allowed: Self.rsaBits) }
        guard let lowest = modulus.last, lowest & 1 == 1, (1...4).contains(exponent.count),
            let last = exponent.last, last & 1 == 1, exponent != [1]
        else { throw .malformed }
        let identifier = DER.objectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
        let key = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        try self.init(.rsa, encoded: DER.sequence(DER.sequence(identifier, DER.null), DER.bitString(key)))
    }

    /// Creates a key on the curve P-256 from the coordinates of its point, 32 bytes each.
    public convenience init(p256X x: [UInt8], y: [UInt8]) throws(KeyFailure) {
        guard x.count == 32, y.count == 32 else { throw .malformed }
        let keyKind = DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
        let curve = DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        try self.init(.p256, encoded: DER.sequence(DER.sequence(keyKind, curve), DER.bitString([0x04] + x + y)))
    }

    /// Creates an Ed25519 key from 32 bytes (RFC 8032 §5.1.5).
    public convenience init(ed25519 bytes: [UInt8]) throws(KeyFailure) {
        guard bytes.count == 32 else { throw .malformed }
        let identifier = DER.objectIdentifier([0x2B, 0x65, 0x70])
        try self.init(.ed25519, encoded: DER.sequence(DER.sequence(identifier), DER.bitString(bytes)))
    }

    private convenience init(_ kind: Kind, encoded: [UInt8]) throws(KeyFailure) {
        self.init(kind, try KeyHandle(publicKey: encoded))
    }
}

/// A signature algorithm, by its name in JSON Object Signing (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// Only algorithms with key pairs are included: with a shared secret, the verifier could sign tokens too, and `none`
/// proves nothing.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
    case ps256 = "PS256"
    /// ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each.
    case es256 = "ES256"
    case edDSA = "EdDSA"
}

public enum KeyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are not a key of that kind: a wrong length, a point off the curve, an even modulus.
    case malformed
    /// An RSA modulus has a length outside the limits, in bits.
    case wrongSize(bits: Int, allowed: ClosedRange<Int>)
    /// A PEM text contains no key of the expected kind.
    case noKeyInText

    public var description: String {
        switch self {
        case .malformed: "the key is malformed"
        case .wrongSize(let bits, let allowed):
            "the key has \(bits) bits; expected \(allowed.lowerBound) to \(allowed.upperBound)"
        case .noKeyInText: "the text contains no Ed25519 key in PEM"
        }
    }
}
