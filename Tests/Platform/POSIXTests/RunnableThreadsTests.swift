import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct RunnableThreadsTests {
    private let group = RunnableThreads(limit: 1, spare: 2)
    private let state = Monitor((running: 0, mostRunning: 0, rounds: 0))

    private func start(_ count: Int, _ body: @escaping @Sendable () -> Void) -> [AlmanacPOSIX.Thread] {
        (0..<count).map { index in
            AlmanacPOSIX.Thread(name: "member-\(index)") { [group] in group.run(body) }
        }
    }

    private func work() {
        state.update { state in
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        state.update { state in
            state.running -= 1
            state.rounds += 1
        }
    }

    @Test func `threads that never wait run one at a time, and each gets its turn at the end of another`() {
        let threads = start(6) { [self] in
            for _ in 0..<500 {
                RunnableThreads.rest()
                work()
            }
        }
        for thread in threads { #expect(thread.wait(upTo: .seconds(20))) }
        let state = state.read { $0 }
        #expect(state.rounds == 3000)
        // Two threads above the limit may run until they rest.
        #expect(state.mostRunning <= 3)
    }

    @Test(arguments: ["monitor", "poll", "announcement"])
    func `a thread that waits is replaced, until all are waiting`(kind: String) throws {
        let (arrived, gate, event) = (Monitor(0), Monitor(false), try Event())
        let threads = start(6) {
            arrived.update { $0 += 1 }
            switch kind {
            case "monitor": _ = gate.wait(upTo: .seconds(20)) { $0 ? true : nil }
            case "poll": _ = event.wait(upTo: .seconds(20))
            default:
                RunnableThreads.makeWay()
                while !gate.read({ $0 }) { sched_yield() }
            }
        }
        // Each thread arrives only because the ones before it wait.
        #expect(arrived.wait(upTo: .seconds(10)) { $0 == 6 ? true : nil } == true)
        gate.update { $0 = true }
        event.set()
        for thread in threads { #expect(thread.wait(upTo: .seconds(20))) }
    }

    @Test func `of threads that have waited, few look for work at once`() {
        let (arrived, gate, resting, end) = (Monitor(0), Monitor(false), Monitor(0), Monitor(false))
        let threads = start(8) {
            // A thread that had not waited yet when the gate opens would park as one too many.
            RunnableThreads.makeWay()
            arrived.update { $0 += 1 }
            _ = gate.wait(upTo: .seconds(20)) { $0 ? true : nil }
            RunnableThreads.rest()
            resting.update { $0 += 1 }
            while !end.read({ $0 }) { sched_yield() }
        }
        #expect(arrived.wait(upTo: .seconds(10)) { $0 == 8 ? true : nil } == true)
        gate.update { $0 = true }
        #expect(resting.wait(upTo: .seconds(10)) { $0 == 3 ? true : nil } == true)
        #expect(resting.wait(upTo: .milliseconds(50)) { $0 > 3 ? true : nil } == nil)
        end.update { $0 = true }
        for thread in threads { #expect(thread.wait(upTo: .seconds(20))) }
        #expect(resting.read { $0 } == 8)
    }

    @Test func `all threads run once the limit is lifted`() {
        let (resting, gate) = (Monitor(0), Monitor(false))
        let threads = start(8) {
            resting.update { $0 += 1 }
            while !gate.read({ $0 }) { sched_yield() }
        }
        #expect(resting.wait(upTo: .seconds(10)) { $0 == 3 ? true : nil } == true)
        #expect(resting.wait(upTo: .milliseconds(50)) { $0 > 3 ? true : nil } == nil)
        group.liftLimit()
        #expect(resting.wait(upTo: .seconds(10)) { $0 == 8 ? true : nil } == true)
        gate.update { $0 = true }
        for thread in threads { #expect(thread.wait(upTo: .seconds(20))) }
    }

    @Test func `a thread outside of a group never waits for one`() {
        for _ in 0..<10 {
            RunnableThreads.makeWay()
            RunnableThreads.rest()
        }
        #expect(start(1) { RunnableThreads.rest() }[0].wait(upTo: .seconds(10)))
    }
}
