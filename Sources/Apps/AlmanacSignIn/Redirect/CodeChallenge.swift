internal import AlmanacClientRuntime

/// The public PKCE challenge (RFC 7636 §4.2) of a verifier.
enum CodeChallenge {
    static func of(_ verifier: String) -> String { Base64URL.encode(SHA2.digest(Array(verifier.utf8))) }
}
