internal import AlmanacCryptography
internal import AlmanacJSON

/// An issuer's public keys, as it published them at one moment.
struct KeySet: Sendable {
    private let keys: [VerificationKey]

    /// The largest set that is accepted.
    static let largest = 100

    init(_ keys: [VerificationKey]) {
        self.keys = keys
    }

    /// Reads a JSON Web Key Set (RFC 7517 §5), leaving out keys that cannot check an access token.
    init(parsing document: [UInt8]) throws(ProviderFailure) {
        let members: JSONValue
        do { members = try JSONValue(parsing: document) } catch {
            throw ProviderFailure("the key set is no JSON: \(error)")
        }
        guard let entries = members.objectValue?["keys"]?.arrayValue else {
            throw ProviderFailure("the key set has no array 'keys'")
        }
        guard entries.count <= Self.largest else {
            throw ProviderFailure("the key set has \(entries.count) keys; \(Self.largest) are allowed")
        }
        keys = entries.compactMap(VerificationKey.init)
        if keys.isEmpty {
            throw ProviderFailure("the key set has no key that checks \(SupportedAlgorithms.names)")
        }
    }

    /// The one key that a token can be signed with; nil when there is none, or more than one.
    func key(for header: TokenHeader) -> PublicKey? {
        let fitting = keys.filter { key in
            guard key.algorithms.contains(header.algorithm) else { return false }
            guard let wanted = header.keyID else { return true }
            return key.id?.hasSameBytes(as: wanted) == true
        }
        return fitting.count == 1 ? fitting[0].key : nil
    }

    /// Whether every key of the other set is here too.
    func contains(_ other: KeySet) -> Bool {
        let mine = Set(keys.map(\.key.fingerprint))
        return other.keys.allSatisfy { mine.contains($0.key.fingerprint) }
    }
}
