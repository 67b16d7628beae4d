#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A started sign-in: the page to open, and the secrets that verify the response. Its description holds no secret.
public struct AuthorizationRequest: Sendable {
    /// The provider's sign-in page, for the user's own browser (RFC 8252 §8.12), never for a web view.
    public let url: URL
    /// The redirect URI that receives the response.
    public let redirect: String
    let metadata: ProviderMetadata
    let state: String
    let nonce: String
    /// The PKCE verifier (RFC 7636 §4.1), a secret that only the token endpoint receives.
    let verifier: String

    init(_ metadata: ProviderMetadata, redirect: String, _ options: SignInOptions) throws(SignInFailure) {
        func secret() -> String { Base64URL.encode(options.random.bytes(32)) }
        self.metadata = metadata
        self.redirect = redirect
        (state, nonce, verifier) = (secret(), secret(), secret())
        let fields =
            [
                ("response_type", "code"), ("client_id", options.clientID), ("redirect_uri", redirect),
                ("scope", options.scope), ("state", state), ("nonce", nonce),
                ("code_challenge", CodeChallenge.of(verifier)), ("code_challenge_method", "S256"),
            ] + options.parameters
        let page = metadata.authorization.absoluteString
        guard let url = URL(string: page + (page.contains("?") ? "&" : "?") + PercentEncoding.encode(fields)) else {
            throw .setting("the URL of the sign-in page cannot be built")
        }
        self.url = url
    }

    /// Returns true if a callback URL has this request's `state`, even if the rest of the response is invalid.
    public func isAnswered(by callback: URL) -> Bool {
        guard let state = Self.fields(of: callback)?["state"] else { return false }
        return Self.isEqual(state, self.state)
    }

    /// Verifies a response and returns its code (RFC 6749 §4.1.2).
    func code(in callback: URL) throws(SignInFailure) -> String {
        guard Self.hasBase(redirect, callback), let fields = Self.fields(of: callback) else {
            throw .wrongCallback("expected the address \(redirect) with query parameters")
        }
        guard let state = fields["state"], Self.isEqual(state, self.state) else {
            throw .wrongCallback("its state differs from the request's")
        }
        // RFC 9207 §2.4 requires this check against another provider's response.
        if let issuer = fields["iss"], !issuer.utf8.elementsEqual(metadata.issuer.utf8) {
            throw .wrongCallback("it is from another issuer")
        }
        if metadata.sendsIssuer, fields["iss"] == nil {
            throw .wrongCallback("it names no issuer")
        }
        if let error = fields["error"] { throw .denied(PrintableText.code(error) ?? "no reason given") }
        guard let code = fields["code"], !code.isEmpty else { throw .wrongCallback("it has no code") }
        return code
    }

    private static func fields(of callback: URL) -> [String: String]? {
        URLComponents(url: callback, resolvingAgainstBaseURL: false)?.percentEncodedQuery.flatMap(Form.decode)
    }

    /// Returns true if a URL is the redirect URI, apart from its query.
    private static func hasBase(_ redirect: String, _ callback: URL) -> Bool {
        let text = callback.absoluteString
        guard text.utf8.starts(with: redirect.utf8) else { return false }
        guard let next = text.utf8.dropFirst(redirect.utf8.count).first else { return true }
        // Some browsers put a slash before the question mark of a custom scheme.
        return "?&#/".utf8.contains(next)
    }

    /// Compares two texts in constant time, so that the duration does not reveal a common prefix.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "a sign-in at \(metadata.issuer)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
