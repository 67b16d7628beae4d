internal import AlmanacClient
internal import HTTPSClient
internal import NotesSync
internal import POSIX
internal import SignIn

/// Requests of the libraries for apps, each on a thread of its own, with the certificate authorities that a profile names.
struct BlockingTransport: Sendable {
    let caFile: String?

    fileprivate func send(
        _ request: WebRequest, within timeout: Duration, largestAnswer: Int
    ) async throws -> WebAnswer {
        let client = HTTPSClient(caFile: caFile, timeout: timeout, largestAnswer: largestAnswer)
        return try await withCheckedThrowingContinuation { continuation in
            _ = POSIX.Thread(name: "request") {
                continuation.resume(with: Result { try client.send(request) })
            }
        }
    }
}

extension BlockingTransport: SignInTransport {
    func send(_ request: SignInRequest) async throws -> SignInAnswer {
        guard let address = WebAddress(request.url) else { throw FetchFailure.unsendable("the provider's address") }
        let answer = try await send(
            WebRequest(request.method, address, headers: request.headers, body: request.body),
            within: .seconds(request.timeout), largestAnswer: request.byteLimit + 65_536)
        return SignInAnswer(status: answer.status, body: answer.body)
    }
}

/// The way to one environment of a server.
struct BlockingNotesTransport: NotesTransport {
    let transport: BlockingTransport
    /// The environment's address, without a slash at its end.
    let base: String

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        let query = request.query.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        guard let address = WebAddress("\(base)/\(request.path)" + (query.isEmpty ? "" : "?" + query)) else {
            throw FetchFailure.unsendable("the server's address")
        }
        let answer = try await transport.send(
            WebRequest(request.method, address, headers: request.headers, body: request.body),
            within: request.timeout, largestAnswer: 256 << 20)
        let headers = ["Retry-After"].compactMap { name in answer.header(name).map { (name: name, value: $0) } }
        return NotesAnswer(status: answer.status, headers: headers, body: answer.body)
    }

    /// Nothing on a command line follows a server: a command asks, and ends.
    func open(_ request: NotesRequest) async throws -> NotesStream {
        throw FetchFailure.unreachable("a command follows no stream")
    }
}
