internal import AlmanacCryptography
internal import AlmanacJSON

/// A JSON Web Token in compact form (RFC 7519 §3, RFC 7515 §3.1), taken apart and not yet believed.
struct CompactToken {
    let header: TokenHeader
    let claims: Claims
    /// What the signature is over: the first two parts with the dot between them.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// The longest token that is looked at, in bytes.
    static let largest = 8192

    init(_ text: String) throws(TokenFailure) {
        guard text.utf8.count <= Self.largest else { throw .tooLarge }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Five parts would be an encrypted token; an empty signature is what `none` has.
        guard parts.count == 3, !parts[2].isEmpty else { throw .malformed }
        header = try TokenHeader(try Self.object(parts[0]))
        claims = Claims(try Self.object(parts[1]))
        signature = try Self.bytes(parts[2])
        signedBytes = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    private static func bytes(_ part: Substring.UTF8View) throws(TokenFailure) -> [UInt8] {
        guard let bytes = Base64URL.decode(String(Substring(part))) else { throw .malformed }
        return bytes
    }

    private static func object(_ part: Substring.UTF8View) throws(TokenFailure) -> JSONObject {
        var limits = JSONLimits()
        limits.bytes = largest
        limits.depth = 16
        // The parser refuses names that stand there twice, of which two readers may each believe another.
        guard let object = (try? JSONValue(parsing: try bytes(part), limits: limits))?.objectValue else {
            throw .malformed
        }
        return object
    }
}
