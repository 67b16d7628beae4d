import AlmanacPOSIX
import Glibc
import Testing

@Suite struct EventTests {
    @Test func `an event is set until it is cleared`() throws {
        let event = try Event()
        #expect(!event.isSet)
        event.clear()
        #expect(!event.isSet)
        event.set()
        event.set()
        #expect(event.isSet)
        #expect(event.isSet)
        event.clear()
        #expect(!event.isSet)
    }

    @Test func `setting an event wakes all that wait for it`() throws {
        let event = try Event()
        let results = Monitor<[Bool]>([])
        let threads = (0..<3).map { index in
            AlmanacPOSIX.Thread(name: "wait \(index)") {
                let isSet = event.wait(upTo: .seconds(30))
                results.update { $0.append(isSet) }
            }
        }
        #expect(!event.wait(upTo: .milliseconds(20)))
        event.set()
        for thread in threads { #expect(thread.wait(upTo: .seconds(10))) }
        #expect(results.read { $0 } == [true, true, true])
    }

    @Test func `waiting ends when the time is over, and not before`() throws {
        let event = try Event()
        let start = ContinuousClock.now
        #expect(!event.wait(upTo: .milliseconds(50)))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test func `an event is not handed on to programs that are started`() throws {
        let event = try Event()
        #expect(fcntl(event.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}

@Suite struct PollTests {
    @Test func `of several that are ready the first is told`() throws {
        let (first, second) = (try Event(), try Event())
        let (a, b) = (first.descriptor, second.descriptor)
        #expect(Poll.readable([a, b], upTo: .zero) == nil)
        second.set()
        #expect(Poll.readable([a, b], upTo: .seconds(10)) == b)
        first.set()
        #expect(Poll.readable([a, b]) == a)
        #expect(Poll.readable([b, a]) == b)
        first.clear()
        #expect(Poll.readable([a, b]) == b)
    }

    @Test func `a descriptor whose peer has gone, or that is none, is ready`() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        #expect(Poll.readable([ends[0]], upTo: .zero) == nil)
        close(ends[1])
        #expect(Poll.readable([ends[0]], upTo: .seconds(10)) == ends[0])
        close(ends[0])
        #expect(Poll.readable([1_000_000], upTo: .seconds(10)) == 1_000_000)
    }

    @Test(arguments: [Duration.milliseconds(30), .microseconds(1200)])
    func `waiting ends when the time is over, and not before`(limit: Duration) throws {
        let event = try Event()
        let start = ContinuousClock.now
        #expect(Poll.readable([event.descriptor], upTo: limit) == nil)
        #expect(ContinuousClock.now - start >= limit)
    }
}
