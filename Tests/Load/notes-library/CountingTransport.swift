import AlmanacNotes
import Synchronization

/// The network, with a count of what goes over it.
final class CountingTransport: NotesTransport {
    private let network: NotesHTTPTransport
    private let counts = Mutex((requests: 0, bytes: 0))

    init(_ network: NotesHTTPTransport) {
        self.network = network
    }

    /// Requests, and the bytes of their answers' bodies, since the last call.
    func take() -> (requests: Int, bytes: Int) {
        counts.withLock { counts in
            defer { counts = (0, 0) }
            return counts
        }
    }

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        let answer = try await network.send(request)
        counts.withLock { $0 = ($0.requests + 1, $0.bytes + answer.body.count) }
        return answer
    }

    func open(_ request: NotesRequest) async throws -> NotesStream { try await network.open(request) }
}
