#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The requests to a provider.
struct Provider: Sendable {
    let options: SignInOptions

    func metadata() async throws(SignInFailure) -> ProviderMetadata {
        let answer = try await send(
            SignInRequest("GET", try ProviderMetadata.address(of: options.issuer).absoluteString))
        guard answer.status == 200 else { throw .refused(status: answer.status, error: nil) }
        return try ProviderMetadata(answer.body, of: options.issuer)
    }

    /// Asks the token endpoint (RFC 6749 §3.2).
    func tokens(
        _ metadata: ProviderMetadata, _ grant: [(name: String, value: String)]
    ) async throws(SignInFailure) -> TokenAnswer {
        let answer = try await post(metadata.token, grant)
        guard answer.status == 200 else {
            let error = try? JSONDecoder().decode(OAuthProblem.self, from: Data(answer.body)).error
            throw .refused(status: answer.status, error: error.flatMap(PlainText.code))
        }
        return try TokenAnswer(answer.body)
    }

    /// Ends a refresh token and what was made from it (RFC 7009).
    func revoke(_ refreshToken: String, _ endpoint: URL) async throws(SignInFailure) {
        let answer = try await post(endpoint, [("token", refreshToken), ("token_type_hint", "refresh_token")])
        guard answer.status == 200 else { throw .refused(status: answer.status, error: nil) }
    }

    private func post(
        _ endpoint: URL, _ fields: [(name: String, value: String)]
    ) async throws(SignInFailure) -> SignInAnswer {
        var request = SignInRequest("POST", endpoint.absoluteString)
        request.headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
        request.body = Array(Form.encode(fields + [("client_id", options.clientID)]).utf8)
        return try await send(request)
    }

    private func send(_ request: SignInRequest) async throws(SignInFailure) -> SignInAnswer {
        var request = request
        request.timeout = options.timeout
        do {
            let answer = try await options.transport.send(request)
            // A transport of somebody else's may not look.
            guard answer.body.count <= request.byteLimit else {
                throw SignInFailure.unexpectedAnswer("expected at most \(request.byteLimit) bytes")
            }
            return answer
        } catch let failure as SignInFailure {
            throw failure
        } catch {
            throw .unreachable("\(error)")
        }
    }

    private struct OAuthProblem: Decodable {
        let error: String
    }
}
