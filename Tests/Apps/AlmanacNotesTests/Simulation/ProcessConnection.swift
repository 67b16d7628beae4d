import AlmanacNotes
import AlmanacPOSIX

/// A process's connection to the network. After the process is killed, it sends nothing.
final class ProcessConnection: ClientTransport {
    private let network: any ClientTransport
    private let isCut = Monitor(false)

    init(_ network: any ClientTransport) { self.network = network }

    func cut() { isCut.update { $0 = true } }

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        guard !isCut.read({ $0 }) else { throw .unreachable("the process is no more") }
        return try await network.open(request)
    }
}
