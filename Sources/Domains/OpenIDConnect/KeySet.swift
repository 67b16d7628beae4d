internal import AlmanacCryptography
internal import AlmanacJSON
internal import AlmanacPOSIX

/// An issuer's public keys from one fetch.
struct KeySet: Sendable {
    private let keys: [VerificationKey]

    /// The maximum number of keys in a set.
    static let maxKeys = 100

    init(_ keys: [VerificationKey]) { self.keys = keys }

    /// Reads a JSON Web Key Set (RFC 7517 §5), ignoring keys that can't verify an access token.
    init(parsing document: [UInt8]) throws(ProviderFailure) {
        let members: JSONValue
        do { members = try JSONValue(parsing: document) } catch {
            throw ProviderFailure("the key set is not JSON: \(error)")
        }
        guard let entries = members.objectValue?["keys"]?.arrayValue else {
            throw ProviderFailure("the key set has no array 'keys'")
        }
        guard entries.count <= Self.maxKeys else {
            throw ProviderFailure("the key set has \(entries.count) keys; the limit is \(Self.maxKeys)")
        }
        keys = entries.compactMap(VerificationKey.init)
        if keys.isEmpty {
            throw ProviderFailure("the key set has no key for \(SupportedAlgorithms.names)")
        }
    }

    /// Returns the only key that can have signed a token; nil if there is none or more than one.
    func key(for header: TokenHeader) -> PublicKey? {
        let fitting = keys.filter { key in
            guard key.algorithms.contains(header.algorithm) else { return false }
            guard let wanted = header.keyID else { return true }
            return key.id?.hasSameBytes(as: wanted) == true
        }
        return fitting.count == 1 ? fitting[0].key : nil
    }

    /// Returns true if the set contains every key of another one.
    func contains(_ other: KeySet) -> Bool {
        let mine = Set(keys.map(\.key.fingerprint))
        return other.keys.allSatisfy { mine.contains($0.key.fingerprint) }
    }
}

/// An issuer's public key, with the algorithms that it may be used with.
struct VerificationKey: Sendable {
    let id: String?
    let key: PublicKey
    let algorithms: [SignatureAlgorithm]

    /// Creates an Ed25519 key whose id is derived from the key.
    init(ed25519 key: PublicKey) {
        id = Self.id(of: key)
        self.key = key
        algorithms = key.kind.algorithms
    }

    /// Returns the id that the development issuer gives its key.
    static func id(of key: PublicKey) -> String { Base64URL.encode(key.fingerprint) }

    /// Reads a JSON Web Key (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2).
    ///
    /// Nil if the key has another purpose, an unsupported kind, or a weak or malformed value: a set may contain such
    /// keys beside good ones (RFC 7517 §5).
    init?(_ value: JSONValue) {
        guard let members = value.objectValue, let key = Self.key(members) else { return nil }
        if let use = members["use"], use.stringValue != "sig" { return nil }
        if let operations = members["key_ops"] {
            guard operations.arrayValue?.contains("verify") == true else { return nil }
        }
        if let name = members["alg"] {
            guard let algorithm = name.stringValue.flatMap({ SupportedAlgorithms[$0] }),
                key.kind.algorithms.contains(algorithm)
            else { return nil }
            algorithms = [algorithm]
        } else {
            algorithms = key.kind.algorithms
        }
        if let id = members["kid"] {
            guard let id = id.stringValue else { return nil }
            self.id = id
        } else {
            id = nil
        }
        self.key = key
    }

    private static func key(_ members: JSONObject) -> PublicKey? {
        func bytes(_ name: String) -> [UInt8]? { members[name]?.stringValue.flatMap(Base64URL.decode) }
        switch (members["kty"]?.stringValue, members["crv"]?.stringValue) {
        case ("RSA", _):
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            return try? PublicKey(rsaModulus: modulus, exponent: exponent)
        case ("EC", "P-256"):
            guard let x = bytes("x"), let y = bytes("y") else { return nil }
            return try? PublicKey(p256X: x, y: y)
        case ("OKP", "Ed25519"):
            guard let x = bytes("x") else { return nil }
            return try? PublicKey(ed25519: x)
        default: return nil
        }
    }
}
