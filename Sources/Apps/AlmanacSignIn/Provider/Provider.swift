#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A client of a provider's endpoints.
struct Provider: Sendable {
    let options: SignInOptions

    func metadata() async throws(SignInFailure) -> ProviderMetadata {
        let address = try ProviderMetadata.address(of: options.issuer)
        let response = try await send(TransportRequest("GET", address.absoluteString))
        guard response.status == 200 else { throw .refused(status: response.status, error: nil) }
        return try ProviderMetadata(response.body, of: options.issuer)
    }

    /// Requests tokens from the token endpoint (RFC 6749 §3.2).
    func tokens(
        _ metadata: ProviderMetadata, _ grant: [(name: String, value: String)]
    ) async throws(SignInFailure) -> TokenResponse {
        let response = try await post(metadata.token, grant)
        guard response.status == 200 else { throw refusal(response) }
        return try TokenResponse(response.body)
    }

    /// Requests the codes of a sign-in on another device (RFC 8628 §3.1).
    func deviceAuthorization(_ endpoint: URL) async throws(SignInFailure) -> [UInt8] {
        let response = try await post(endpoint, [("scope", options.scope)] + options.parameters)
        guard response.status == 200 else { throw refusal(response) }
        return response.body
    }

    private func refusal(_ response: TransportResponse<[UInt8]>) -> SignInFailure {
        let error = try? JSONDecoder().decode(OAuthProblem.self, from: Data(response.body)).error
        return .refused(status: response.status, error: error.flatMap(PrintableText.code))
    }

    /// Revokes a refresh token and the access tokens that were issued for it (RFC 7009).
    func revoke(_ refreshToken: String, _ endpoint: URL) async throws(SignInFailure) {
        let response = try await post(endpoint, [("token", refreshToken), ("token_type_hint", "refresh_token")])
        guard response.status == 200 else { throw .refused(status: response.status, error: nil) }
    }

    private func post(
        _ endpoint: URL, _ fields: [(name: String, value: String)]
    ) async throws(SignInFailure) -> TransportResponse<[UInt8]> {
        var request = TransportRequest("POST", endpoint.absoluteString)
        request.headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
        request.body = Array(PercentEncoding.encode(fields + [("client_id", options.clientID)]).utf8)
        return try await send(request)
    }

    /// Sends a request without following redirects, so that no other address receives a code or a token.
    func send(_ request: TransportRequest) async throws(SignInFailure) -> TransportResponse<[UInt8]> {
        var request = request
        request.byteLimit = Self.byteLimit
        request.timeout = options.timeout
        do {
            return try await options.transport.send(request)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .tooLarge(let limit): throw .unexpectedResponse("expected at most \(limit) bytes")
            default: throw .unreachable("\(error)")
            }
        }
    }

    private static let byteLimit = 1 << 20

    private struct OAuthProblem: Decodable {
        let error: String
    }
}

/// A filter for text from a provider that is printed in a message.
enum PrintableText {
    /// Returns the first 100 characters of an OAuth error code, printable ASCII only; nil if none are left.
    static func code(_ text: String) -> String? {
        let scalars = text.unicodeScalars.prefix(100).filter { (0x21...0x7E).contains($0.value) }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
}
