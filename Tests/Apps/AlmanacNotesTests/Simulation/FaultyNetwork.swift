import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport

/// A network that drops, delays, doubles and cuts requests and answers, on the way to a real server.
final class FaultyNetwork: NotesTransport {
    struct Lost: Error {}

    private let real: any NotesTransport
    private let state: Monitor<State>

    private struct State {
        var random: Randomness
        var isCalm = false
        var late: [NotesRequest] = []
    }

    init(_ real: any NotesTransport, seed: UInt64) {
        self.real = real
        state = Monitor(State(random: Randomness(seed: seed)))
    }

    /// From now on everything arrives.
    func calm() {
        state.update { $0.isCalm = true }
    }

    /// Sends what was held back on its way; its answers find nobody waiting.
    func deliverLate() async throws {
        let late = state.update { state in
            defer { state.late = [] }
            return state.late.shuffled(using: &state.random)
        }
        for request in late { _ = try await real.send(request) }
    }

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        switch state.update({ $0.isCalm ? 99 : Int.random(in: 0..<16, using: &$0.random) }) {
        case 0:
            throw Lost()
        case 1:
            state.update { $0.late.append(request) }
            throw Lost()
        case 2:
            _ = try await real.send(request)
            throw Lost()
        case 3:
            async let first = real.send(request)
            async let second = real.send(request)
            let answers = try await [first, second]
            return answers[state.update { Int.random(in: 0...1, using: &$0.random) }]
        case 4:
            var answer = try await real.send(request)
            answer.body = state.update { state in
                Array(answer.body.prefix(Int.random(in: 0...answer.body.count, using: &state.random)))
            }
            return answer
        case 5:
            try await Task.sleep(for: .milliseconds(state.update { Int.random(in: 1...20, using: &$0.random) }))
            return try await real.send(request)
        case 6:
            return NotesAnswer(status: 502, body: Array("<html>Bad gateway</html>".utf8))
        default:
            return try await real.send(request)
        }
    }

    func open(_ request: NotesRequest) async throws -> NotesStream {
        try await real.open(request)
    }
}
