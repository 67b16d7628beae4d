internal import AlmanacCryptography
internal import AlmanacJSON

/// What a token's header says of how it is signed (RFC 7515 §4.1), as far as it is listened to.
///
/// Keys that a token brings along or points to (`jwk`, `jku`, `x5c`, `x5u`) are not: who vouches for it is not the
/// token's to say (RFC 8725 §3.10).
struct TokenHeader {
    let algorithm: SignatureAlgorithm
    /// Which of the issuer's keys to use.
    let keyID: String?

    /// The types that an access token may have, without `application/` and in lower case (RFC 9068 §2.1, RFC 7519 §5.1).
    private static let types = ["at+jwt", "jwt"]

    init(_ header: JSONObject) throws(TokenFailure) {
        guard let name = header["alg"]?.stringValue else { throw .malformed }
        guard let algorithm = SupportedAlgorithms[name] else { throw .algorithmRefused }
        self.algorithm = algorithm
        // None of the extensions that `crit` can name is known here (RFC 7515 §4.1.11); `b64` is one of them (RFC 7797).
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
