#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A provider's discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414).
struct ProviderMetadata: Sendable {
    let issuer: String
    let authorization: URL
    let token: URL
    /// The revocation endpoint (RFC 7009); nil if the provider has none.
    let revocation: URL?
    /// The endpoint for a sign-in on another device (RFC 8628 §4); nil if the provider has none.
    let deviceAuthorization: URL?
    /// True if every authorization response contains `iss` (RFC 9207 §2.3). A response without it is then rejected.
    let sendsIssuer: Bool

    /// Returns the document's URL: the issuer followed by `/.well-known/openid-configuration`.
    static func address(of issuer: String) throws(SignInFailure) -> URL {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        guard !issuer.contains("?"), ProviderAddress.parse(issuer) != nil,
            let address = ProviderAddress.parse(base + "/.well-known/openid-configuration")
        else { throw .setting("'\(issuer)' is not a valid issuer; expected \(ProviderAddress.form), without a query") }
        return address
    }

    /// - Parameter issuer: the configured issuer; the document must contain the same issuer, byte for byte.
    init(_ document: [UInt8], of issuer: String) throws(SignInFailure) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(document)) else {
            throw .unexpectedResponse("expected a discovery document with issuer and endpoints")
        }
        guard fields.issuer.utf8.elementsEqual(issuer.utf8) else {
            throw .unexpectedResponse(
                "expected the issuer '\(issuer)' in the discovery document, spelled exactly like this")
        }
        if let methods = fields.code_challenge_methods_supported, !methods.contains("S256") {
            throw .unexpectedResponse("expected a provider that supports PKCE with S256")
        }
        func address(_ text: String, _ name: String) throws(SignInFailure) -> URL {
            try Self.address(text, name, of: issuer)
        }
        self.issuer = issuer
        authorization = try address(fields.authorization_endpoint, "authorization_endpoint")
        token = try address(fields.token_endpoint, "token_endpoint")
        revocation = if let text = fields.revocation_endpoint { try address(text, "revocation_endpoint") } else { nil }
        deviceAuthorization =
            if let text = fields.device_authorization_endpoint {
                try address(text, "device_authorization_endpoint")
            } else { nil }
        sendsIssuer = fields.authorization_response_iss_parameter_supported ?? false
    }

    /// Parses the URL of an endpoint or a page from a response of the provider.
    func address(_ text: String, _ name: String) throws(SignInFailure) -> URL {
        try Self.address(text, name, of: issuer)
    }

    private static func address(_ text: String, _ name: String, of issuer: String) throws(SignInFailure) -> URL {
        let isEncrypted = issuer.lowercased().hasPrefix("https:")
        // An HTTPS provider must not direct the user or a token to plain HTTP.
        guard let url = ProviderAddress.parse(text), !isEncrypted || url.scheme?.lowercased() == "https" else {
            throw .unexpectedResponse("expected \(isEncrypted ? "an https:// URL" : ProviderAddress.form) as \(name)")
        }
        return url
    }

    private struct Fields: Decodable {
        let issuer: String
        let authorization_endpoint: String
        let token_endpoint: String
        let revocation_endpoint: String?
        let device_authorization_endpoint: String?
        let code_challenge_methods_supported: [String]?
        let authorization_response_iss_parameter_supported: Bool?
    }
}

/// The rules for a URL of a provider.
enum ProviderAddress {
    static let form = "an https:// URL, or http:// with the host localhost, 127.0.0.1 or [::1]"

    /// Parses a URL. Returns nil if the text is not of this form.
    static func parse(_ text: String) -> URL? {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.fragment == nil
        else { return nil }
        switch parts.scheme?.lowercased() {
        case "https": return parts.url
        case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) ? parts.url : nil
        default: return nil
        }
    }
}
