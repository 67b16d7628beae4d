internal import AlmanacCryptography

/// An authenticator with one passkey, whose key is made by the `openssl` command.
public struct SoftwareAuthenticator: Sendable {
    public let key: OpenSSLKey
    private let kind: OpenSSLKey.Kind
    public var credentialID: [UInt8]
    /// The user handle, which the server chose.
    public var userHandle: [UInt8] = []
    public var counter: UInt32

    public init(_ kind: OpenSSLKey.Kind = .p256, counter: UInt32 = 0) throws {
        key = try OpenSSLKey(kind)
        self.kind = kind
        self.counter = counter
        credentialID = RandomBytes.make(count: 16)
    }

    /// The public key's parameters as a COSE key, in canonical order.
    public var parameters: [(Int, CBOR)] {
        switch kind {
        case .p256: [(1, 2), (3, -7), (-1, 1), (-2, .bytes(key.x)), (-3, .bytes(key.y))]
        case .ed25519: [(1, 1), (3, -8), (-1, 6), (-2, .bytes(key.rawPublicKey))]
        case .rsa: [(1, 3), (3, -257), (-1, .bytes(key.rsaModulus)), (-2, .bytes([1, 0, 1]))]
        }
    }

    /// Returns the ceremony that makes the passkey.
    public func creation(_ challenge: [UInt8], at origin: String) -> PasskeyCeremony {
        PasskeyCeremony(
            type: "webauthn.create", challenge, origin, flags: 0x45, counter: counter, credentialID: credentialID,
            key: CBOR.map(parameters))
    }

    /// Returns a ceremony that signs in.
    public func signIn(_ challenge: [UInt8], at origin: String) -> PasskeyCeremony {
        PasskeyCeremony(type: "webauthn.get", challenge, origin, flags: 0x05, counter: counter)
    }

    public func signature(of ceremony: PasskeyCeremony) throws -> [UInt8] {
        let algorithm =
            switch kind {
            case .p256: "ES256 in DER"
            case .ed25519: "EdDSA"
            case .rsa: "RS256"
            }
        return try key.sign(ceremony.authenticatorData + SHA256.digest(ceremony.clientData), algorithm)
    }
}

/// The parts of a registration or sign-in, which tests alter.
public struct PasskeyCeremony: Sendable {
    public var type: String
    public var challenge: [UInt8]
    public var origin: String
    public var crossOrigin: String? = "false"
    /// The text of the client data; nil for that of the members above.
    public var clientDataText: String?
    public var relyingParty: String
    /// The flags of the authenticator data: 1 present, 4 verified, 0x40 with a credential, 0x80 with extensions.
    public var flags: UInt8
    public var counter: UInt32
    public var credentialID: [UInt8]?
    public var key: [UInt8]?
    /// The bytes after the credential.
    public var end: [UInt8] = []
    /// The number of bytes of the authenticator data; nil for all.
    public var cutAt: Int?

    fileprivate init(
        type: String, _ challenge: [UInt8], _ origin: String, flags: UInt8, counter: UInt32,
        credentialID: [UInt8]? = nil, key: [UInt8]? = nil
    ) {
        (self.type, self.challenge, self.origin) = (type, challenge, origin)
        relyingParty = String(origin.dropFirst("https://".count).prefix { $0 != ":" })
        (self.flags, self.counter, self.credentialID, self.key) = (flags, counter, credentialID, key)
    }

    public var clientData: [UInt8] {
        if let clientDataText { return Array(clientDataText.utf8) }
        let cross = crossOrigin.map { ",\"crossOrigin\":\($0)" } ?? ""
        return Array(
            "{\"type\":\"\(type)\",\"challenge\":\"\(Base64URL.encode(challenge))\",\"origin\":\"\(origin)\"\(cross)}"
                .utf8)
    }

    public var authenticatorData: [UInt8] {
        var bytes = SHA256.digest(Array(relyingParty.utf8)) + [flags]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
        if let credentialID, let key {
            bytes += [UInt8](repeating: 0, count: 16)
            bytes += [UInt8(credentialID.count >> 8), UInt8(credentialID.count & 255)] + credentialID + key
        }
        bytes += end
        return Array(bytes.prefix(cutAt ?? bytes.count))
    }
}

/// The values of COSE keys, encoded as RFC 8949 §3.
public enum CBOR: Sendable, ExpressibleByIntegerLiteral {
    case integer(Int)
    case bytes([UInt8])
    /// Bytes that are already encoded.
    case encoded([UInt8])

    public init(integerLiteral value: Int) { self = .integer(value) }

    public var encoded: [UInt8] {
        switch self {
        case .integer(let number): number < 0 ? Self.head(1, -1 - number) : Self.head(0, number)
        case .bytes(let bytes): Self.head(2, bytes.count) + bytes
        case .encoded(let bytes): bytes
        }
    }

    public static func map(_ members: [(Int, CBOR)]) -> [UInt8] {
        head(5, members.count) + members.flatMap { CBOR.integer($0.0).encoded + $0.1.encoded }
    }

    private static func head(_ major: UInt8, _ number: Int) -> [UInt8] {
        if number < 24 { return [major << 5 | UInt8(number)] }
        if number < 256 { return [major << 5 | 24, UInt8(number)] }
        return [major << 5 | 25, UInt8(number >> 8), UInt8(number & 255)]
    }
}
