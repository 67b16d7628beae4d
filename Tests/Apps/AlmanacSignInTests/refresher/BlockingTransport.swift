import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacSignIn

/// Requests on threads of their own.
///
/// Foundation's on Linux keep a processor busy while they wait for an answer, and several programs that do so leave the
/// provider none to answer with.
struct BlockingTransport: SignInTransport {
    private let client = HTTPSClient(timeout: .seconds(120))

    func send(_ request: SignInRequest) async throws -> SignInAnswer {
        guard let address = WebAddress(request.url) else { throw SignInFailure.setting("no URL") }
        let message = WebRequest(request.method, address, headers: request.headers, body: request.body)
        let client = client
        return try await withCheckedThrowingContinuation { continuation in
            _ = AlmanacPOSIX.Thread(name: "request") {
                continuation.resume(
                    with: Result {
                        let answer = try client.send(message)
                        return SignInAnswer(status: answer.status, body: answer.body)
                    })
            }
        }
    }
}
