import AlmanacPOSIX
import AlmanacTestSupport
import Glibc

/// A proxy that drops, delays, duplicates and cuts requests and responses on the way to a real server.
final class FaultyProxy: Sendable {
    enum Fault: CaseIterable {
        case lostRequest, delayedRequest, lostResponse, duplicatedRequest, cutResponse, slowResponse, badGateway
    }

    private struct State {
        var random: Randomness
        var isFaultless = false
        var delayedRequests: [[UInt8]] = []
        var faults: Set<Fault> = []
        var deck = Deck(Fault.allCases.count)

        mutating func nextFault() -> Fault? {
            guard !isFaultless, Int.random(in: 0..<5, using: &random) < 2 else { return nil }
            let fault = Fault.allCases[deck.draw(&random)]
            faults.insert(fault)
            return fault
        }
    }

    private let server: LoopbackServer
    private let state: Monitor<State>
    private let target: UInt16

    /// - Parameter target: the local port of a plain HTTP server.
    init(to target: UInt16, seed: UInt64) throws {
        let state = Monitor(State(random: Randomness(seed: seed)))
        self.state = state
        self.target = target
        server = try LoopbackServer { Self.serve($0, target, state) }
    }

    func environment(_ name: String) -> String { "http://127.0.0.1:\(server.port)/\(name)" }

    var occurredFaults: Set<Fault> { state.read(\.faults) }

    /// Forwards the delayed requests and causes no further faults.
    func stopFaults() {
        for request in state.update({ state in
            state.isFaultless = true
            defer { state.delayedRequests = [] }
            return state.delayedRequests
        }) { _ = LoopbackConnection.exchange(request, port: target) }
    }

    private static func serve(_ connection: LoopbackConnection, _ target: UInt16, _ state: Monitor<State>) {
        guard let request = connection.message().map(askingToClose) else { return }
        func forward() -> [UInt8] { LoopbackConnection.exchange(request, port: target) ?? [] }
        switch state.update({ $0.nextFault() }) {
        case nil: connection.send(forward())
        case .lostRequest: break
        case .delayedRequest: state.update { $0.delayedRequests.append(request) }
        case .lostResponse: _ = forward()
        case .duplicatedRequest:
            _ = AlmanacPOSIX.Thread(name: "double") { _ = LoopbackConnection.exchange(request, port: target) }
            connection.send(forward())
        case .cutResponse:
            let answer = forward()
            connection.send(answer.prefix(state.update { Int.random(in: 0...answer.count, using: &$0.random) }))
        case .slowResponse:
            usleep(state.update { UInt32.random(in: 1...20_000, using: &$0.random) })
            connection.send(forward())
        case .badGateway:
            connection.send(
                "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 11\r\nConnection: close\r\n\r\nBad gateway".utf8)
        }
        // Forward a delayed request now, after requests that were sent later.
        let delayed = state.update { state -> [UInt8]? in
            guard state.delayedRequests.count > 1 || Bool.random(using: &state.random) else { return nil }
            return state.delayedRequests.indices.randomElement(using: &state.random)
                .map { state.delayedRequests.remove(at: $0) }
        }
        if let delayed { _ = LoopbackConnection.exchange(delayed, port: target) }
    }

    /// Returns the request with a second `Connection` header, because nginx uses the last one.
    private static func askingToClose(_ request: [UInt8]) -> [UInt8] {
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return request }
        return request[..<end.lowerBound] + Array("\r\nConnection: close".utf8) + request[end.lowerBound...]
    }
}
