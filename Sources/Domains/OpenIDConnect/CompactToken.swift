internal import AlmanacCryptography
internal import AlmanacJSON

/// A JSON Web Token in compact form (RFC 7519 §3, RFC 7515 §3.1), parsed but not verified.
struct CompactToken {
    let header: TokenHeader
    let claims: Claims
    /// The signed bytes: the first two parts with the dot between them.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// The maximum length of an access token, in bytes.
    static let maxBytes = 8192

    /// - Parameter limit: the maximum length, in bytes.
    init(_ text: String, limit: Int = Self.maxBytes) throws(TokenFailure) {
        guard text.utf8.count <= limit else { throw .tooLarge }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // An encrypted token has five parts. A token with the algorithm `none` has an empty signature.
        guard parts.count == 3, !parts[2].isEmpty else { throw .malformed }
        header = try TokenHeader(try Self.object(parts[0], limit))
        claims = Claims(try Self.object(parts[1], limit))
        signature = try Self.bytes(parts[2])
        signedBytes = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    private static func bytes(_ part: Substring.UTF8View) throws(TokenFailure) -> [UInt8] {
        guard let bytes = Base64URL.decode(String(Substring(part))) else { throw .malformed }
        return bytes
    }

    private static func object(_ part: Substring.UTF8View, _ limit: Int) throws(TokenFailure) -> JSONObject {
        var limits = JSONLimits()
        limits.bytes = limit
        limits.depth = 16
        // The parser refuses duplicate names, because two readers could use different values.
        guard let object = (try? JSONValue(parsing: try bytes(part), limits: limits))?.objectValue else {
            throw .malformed
        }
        return object
    }
}

/// The signature algorithm and key of a token, from its header (RFC 7515 §4.1).
///
/// Keys in the token or at its URLs (`jwk`, `jku`, `x5c`, `x5u`) are ignored, because a token can't vouch for itself
/// (RFC 8725 §3.10).
struct TokenHeader {
    let algorithm: SignatureAlgorithm
    /// The id of the issuer's key to use.
    let keyID: String?

    /// The accepted types of an access token, in lower case without `application/` (RFC 9068 §2.1, RFC 7519 §5.1).
    private static let types = ["at+jwt", "jwt"]

    init(_ header: JSONObject) throws(TokenFailure) {
        guard let name = header["alg"]?.stringValue else { throw .malformed }
        guard let algorithm = SupportedAlgorithms[name] else { throw .algorithmRefused }
        self.algorithm = algorithm
        // No extension that `crit` can name is supported (RFC 7515 §4.1.11), nor is `b64` (RFC 7797).
        guard header["crit"] == nil, header["b64"] == nil else { throw .extensionRefused }
        if let type = header["typ"] {
            guard let type = type.stringValue?.lowercased() else { throw .malformed }
            let short = type.hasPrefix("application/") ? String(type.dropFirst(12)) : type
            guard Self.types.contains(short) else { throw .notAnAccessToken }
        }
        if let keyID = header["kid"] {
            guard let keyID = keyID.stringValue else { throw .malformed }
            self.keyID = keyID
        } else {
            keyID = nil
        }
    }
}

/// The accepted signature algorithms: every algorithm of a key pair, and no others.
enum SupportedAlgorithms {
    static let names = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")

    /// Nil for any other name; names are compared exactly (RFC 7515 §4.1.1).
    static subscript(_ name: String) -> SignatureAlgorithm? {
        SignatureAlgorithm.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
    }
}
