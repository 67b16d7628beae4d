import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite struct MonitorTests {
    @Test func `updates by many threads are all kept`() throws {
        let count = Monitor(0)
        _ = try concurrently(8) { _ in
            for _ in 0..<5000 { count.update { $0 += 1 } }
        }
        #expect(count.read { $0 } == 40_000)
    }

    @Test func `a value that is there already is not waited for`() {
        let monitor = Monitor(7)
        #expect(monitor.wait(upTo: .zero) { $0 == 7 ? "seven" : nil } == "seven")
        #expect(monitor.wait { $0 == 7 ? "seven" : nil } == "seven")
    }

    @Test func `an update wakes every thread that waits for it`() throws {
        let state = Monitor((waiting: 0, isOpen: false))
        let results = Monitor<[Bool]>([])
        let threads = (0..<4).map { index in
            AlmanacPOSIX.Thread(name: "wait \(index)") {
                state.update { $0.waiting += 1 }
                let isOpen = state.wait(upTo: .seconds(30)) { $0.isOpen ? true : nil }
                results.update { $0.append(isOpen == true) }
            }
        }
        #expect(state.wait(upTo: .seconds(10)) { $0.waiting == 4 ? true : nil } == true)
        #expect(results.read { $0.isEmpty })
        state.update { $0.isOpen = true }
        for thread in threads { #expect(thread.wait(upTo: .seconds(10))) }
        #expect(results.read { $0 } == [true, true, true, true])
    }

    @Test func `threads take turns by changing the state as they wait`() throws {
        let turn = Monitor(0)
        let order = Monitor<[Int]>([])
        _ = try concurrently(4) { index in
            for round in 0..<25 {
                // Each thread hands over to the next, which must wake without an update.
                _ = turn.wait(upTo: .seconds(10)) { turn in
                    guard turn == round * 4 + index else { return nil as Bool? }
                    order.update { $0.append(turn) }
                    turn += 1
                    return true
                }
            }
        }
        #expect(order.read { $0 } == Array(0..<100))
    }

    @Test(arguments: [Duration.zero, .milliseconds(60), .microseconds(1500)])
    func `waiting ends when the time is over, and not before`(limit: Duration) {
        let monitor = Monitor(0)
        let start = ContinuousClock.now
        #expect(monitor.wait(upTo: limit) { _ in nil as Int? } == nil)
        let elapsed = ContinuousClock.now - start
        #expect(elapsed >= limit)
        #expect(elapsed < limit + .seconds(5))
    }

    @Test func `updates that are not waited for don't lengthen the wait`() throws {
        let monitor = Monitor(0)
        let stop = Monitor(false)
        let thread = AlmanacPOSIX.Thread(name: "updates") {
            while !stop.read({ $0 }) { monitor.update { $0 += 1 } }
        }
        let start = ContinuousClock.now
        #expect(monitor.wait(upTo: .milliseconds(50)) { _ in nil as Int? } == nil)
        #expect(ContinuousClock.now - start < .seconds(5))
        stop.update { $0 = true }
        #expect(thread.wait(upTo: .seconds(10)))
    }

    @Test func `work that throws leaves the monitor usable`() throws {
        struct Failure: Error {}
        let monitor = Monitor(0)
        #expect(throws: Failure.self) {
            try monitor.update { state in
                state = 1
                throw Failure()
            }
        }
        #expect(throws: Failure.self) { try monitor.read { _ in throw Failure() } }
        #expect(throws: Failure.self) { try monitor.wait { _ in throw Failure() } as Int? }
        #expect(
            monitor.update { state in
                state += 1
                return state
            } == 2)
    }
}
