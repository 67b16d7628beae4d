import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport

/// A network that drops, delays, duplicates and cuts requests and responses on the way to a real server.
final class FaultyNetwork: ClientTransport {
    private let real: any ClientTransport
    private let state: Monitor<State>

    private struct State {
        var random: Randomness
        var isFaultless = false
        var delayedRequests: [TransportRequest] = []
    }

    init(_ real: any ClientTransport, seed: UInt64) {
        self.real = real
        state = Monitor(State(random: Randomness(seed: seed)))
    }

    func stopFaults() { state.update { $0.isFaultless = true } }

    /// Sends the delayed requests. Their responses are discarded.
    func deliverDelayedRequests() async throws {
        let delayedRequests = state.update { state in
            defer { state.delayedRequests = [] }
            return state.delayedRequests.shuffled(using: &state.random)
        }
        for request in delayedRequests { _ = try await real.send(request) }
    }

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<ByteStream> {
        // Streams never end, so don't wait for their body.
        guard request.byteLimit != nil else { return try await real.open(request) }
        let response = try await send(request)
        return TransportResponse(status: response.status, headers: response.headers.fields, bytes: response.body)
    }

    private func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
        let lost = TransportFailure.unreachable("lost")
        switch state.update({ $0.isFaultless ? 99 : Int.random(in: 0..<16, using: &$0.random) }) {
        case 0:
            throw lost
        case 1:
            state.update { $0.delayedRequests.append(request) }
            throw lost
        case 2:
            _ = try await real.send(request)
            throw lost
        case 3:
            async let first = outcome(request)
            async let second = outcome(request)
            let responses = [try await first.get(), try await second.get()]
            return responses[state.update { Int.random(in: 0...1, using: &$0.random) }]
        case 4:
            var response = try await real.send(request)
            let body = response.body
            response.body = state.update { state in
                Array(body.prefix(Int.random(in: 0...body.count, using: &state.random)))
            }
            return response
        case 5:
            try? await Task.sleep(for: .milliseconds(state.update { Int.random(in: 1...20, using: &$0.random) }))
            return try await real.send(request)
        case 6:
            return TransportResponse<[UInt8]>(
                status: 502, headers: HeaderFields(), body: Array("<html>Bad gateway</html>".utf8))
        default: return try await real.send(request)
        }
    }

    private func outcome(_ request: TransportRequest) async -> Result<TransportResponse<[UInt8]>, TransportFailure> {
        do { return .success(try await real.send(request)) } catch { return .failure(error) }
    }
}
