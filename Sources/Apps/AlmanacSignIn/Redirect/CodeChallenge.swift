internal import AlmanacClientRuntime

/// The half of PKCE that may be seen (RFC 7636 §4.2): what the app proves itself with later is only its verifier.
enum CodeChallenge {
    static func of(_ verifier: String) -> String { Base64URL.encode(SHA2.digest(Array(verifier.utf8))) }
}
