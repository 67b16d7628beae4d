#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The response of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
struct TokenResponse: Sendable {
    let accessToken: String
    let refreshToken: String?
    let idToken: String?
    /// The lifetime of the access token, in seconds; nil if the provider sent none.
    let expiresIn: Double?

    init(_ body: [UInt8]) throws(SignInFailure) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else {
            throw .unexpectedResponse("expected access_token and token_type from the token endpoint")
        }
        guard fields.token_type.lowercased() == "bearer" else {
            throw .unexpectedResponse("expected a token of the type Bearer")
        }
        for token in [fields.access_token, fields.refresh_token ?? "-"] where !Self.isHeaderSafe(token) {
            throw .unexpectedResponse("expected tokens of visible ASCII, at most \(Self.maxTokenBytes) bytes long")
        }
        if let seconds = fields.expires_in, !(seconds >= 0 && seconds < 1e10) {
            throw .unexpectedResponse("expected expires_in in seconds")
        }
        accessToken = fields.access_token
        refreshToken = fields.refresh_token
        idToken = fields.id_token
        expiresIn = fields.expires_in
    }

    /// - Parameter refreshToken: the previous refresh token, retained if the response contains none (RFC 6749 §6).
    func tokens(at now: Date, keeping refreshToken: String? = nil) -> TokenSet {
        TokenSet(
            accessToken: accessToken, expiresAt: expiresIn.map { now.addingTimeInterval($0) },
            refreshToken: self.refreshToken ?? refreshToken)
    }

    private static let maxTokenBytes = 65_536

    private static func isHeaderSafe(_ token: String) -> Bool {
        (1...maxTokenBytes).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private struct Fields: Decodable {
        let access_token: String
        let token_type: String
        let refresh_token: String?
        let id_token: String?
        let expires_in: Double?
    }
}
