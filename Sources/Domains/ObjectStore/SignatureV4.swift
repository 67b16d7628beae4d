internal import AlmanacCryptography
internal import AlmanacTimestamps

/// A signer of requests to Amazon S3 and compatible stores (AWS Signature Version 4, in the header `Authorization`).
struct SignatureV4 {
    let keyID: String
    let secret: String
    let region: String

    /// Returns the given header fields with those of the signature.
    ///
    /// - Parameters:
    ///   - path: The path of the URL, percent-encoded.
    ///   - query: The query of the URL, with encoded parameters sorted by name, or an empty text.
    ///   - headers: The fields to sign, including `Host`.
    ///   - sha256: The hash of the body in hexadecimal digits.
    func sign(
        _ method: String, path: String, query: String, headers: [(name: String, value: String)], sha256: String,
        at time: Timestamp
    ) -> [(name: String, value: String)] {
        let date = time.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        let scope = "\(date.prefix(8))/\(region)/s3/aws4_request"
        let headers = headers + [("x-amz-content-sha256", sha256), ("x-amz-date", date)]
        let sorted = headers.map { (name: $0.name.lowercased(), value: $0.value) }.sorted { $0.name < $1.name }
        let names = sorted.map(\.name).joined(separator: ";")
        let fields = sorted.map { "\($0.name):\($0.value)\n" }.joined()
        let canonical = [method, path, query, fields, names, sha256].joined(separator: "\n")
        let digest = Hex.encode(SHA256.digest(Array(canonical.utf8)))
        let text = ["AWS4-HMAC-SHA256", date, scope, digest].joined(separator: "\n")
        // The signing key is derived from the secret by the parts of the scope.
        let key = scope.split(separator: "/").reduce(Array("AWS4\(secret)".utf8)) { key, part in
            HMACSHA256.code(of: Array(part.utf8), key: key)
        }
        let signature = Hex.encode(HMACSHA256.code(of: Array(text.utf8), key: key))
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        return headers + [("Authorization", authorization)]
    }
}
