import AlmanacNotes
import Synchronization

/// The network, with a count of what goes over it. Nothing that is measured opens a stream.
final class CountingTransport: ClientTransport {
    private let network: any ClientTransport
    private let counts = Mutex((requests: 0, bytes: 0))

    init(_ network: any ClientTransport) {
        self.network = network
    }

    /// Requests, and the bytes of their responses' bodies, since the last call.
    func take() -> (requests: Int, bytes: Int) {
        counts.withLock { counts in
            defer { counts = (0, 0) }
            return counts
        }
    }

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        let response = try await network.send(request)
        counts.withLock { $0 = ($0.requests + 1, $0.bytes + response.body.count) }
        return TransportResponse(status: response.status, headers: response.headers.fields, bytes: response.body)
    }
}
