import AlmanacNotes
import AlmanacPOSIX

/// The network as one process has it: after that was killed it sends nothing more.
final class Line: NotesTransport {
    struct Cut: Error {}

    private let network: any NotesTransport
    private let isCut = Monitor(false)

    init(_ network: any NotesTransport) {
        self.network = network
    }

    func cut() {
        isCut.update { $0 = true }
    }

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        guard !isCut.read({ $0 }) else { throw Cut() }
        return try await network.send(request)
    }

    func open(_ request: NotesRequest) async throws -> NotesStream {
        guard !isCut.read({ $0 }) else { throw Cut() }
        return try await network.open(request)
    }
}
