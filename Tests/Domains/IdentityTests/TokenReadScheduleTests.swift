import Testing

@testable import AlmanacIdentity

@Suite struct TokenReadScheduleTests {
    private let start = ContinuousClock.now
    private var unknown = TokenReadSchedule()

    @Test mutating func `the first reads at once, and the next when the pause since that reading began is over`() {
        #expect(unknown.enter(at: start) == .read(after: .zero))
        unknown.begin(at: start)
        unknown.end()
        unknown.leave(isKnown: true)
        // The pause runs from the start of the read, however long the read took.
        #expect(unknown.enter(at: start + .milliseconds(150)) == .read(after: .milliseconds(50)))
    }

    @Test mutating func `whoever comes while another reads waits for a reading that begins later`() {
        _ = unknown.enter(at: start)
        unknown.begin(at: start)
        #expect(unknown.enter(at: start + .milliseconds(1)) == .join(2))
        #expect(!unknown.isSettled(2))
        unknown.end()
        // No read is pending, so the waiting caller reads.
        #expect(unknown.isSettled(2))
        #expect(unknown.nextStep(for: 2, at: start + .milliseconds(20)) == .read(after: .milliseconds(180)))
        unknown.begin(at: start + .milliseconds(200))
        unknown.end()
        #expect(unknown.nextStep(for: 2, at: start + .milliseconds(210)) == .stop)
    }

    @Test mutating func `whoever comes while another waits for the pause shares that reading`() {
        _ = unknown.enter(at: start)
        unknown.begin(at: start)
        unknown.end()
        unknown.leave(isKnown: true)
        #expect(unknown.enter(at: start + .milliseconds(10)) == .read(after: .milliseconds(190)))
        #expect(unknown.enter(at: start + .milliseconds(20)) == .join(2))
    }

    @Test mutating func `no more than eight wait, and a place is free again when one leaves`() {
        let turns = (0...TokenReadSchedule.maxWaiting).map { _ in unknown.enter(at: start) }
        #expect(turns.filter { $0 == .stop }.count == 1)
        unknown.leave(isKnown: true)
        #expect(unknown.enter(at: start) != .stop)
    }

    @Test mutating func `in a flood nobody waits, and one reads after each pause`() {
        // The first callers of the flood share a failed read.
        for index in 0..<TokenReadSchedule.floodThreshold {
            let turn = unknown.enter(at: start)
            if index == 0 { read(at: start) }
            #expect(turn != .stop)
        }
        var now = start + TokenReadSchedule.minReadInterval
        read(at: now)
        for _ in 0..<TokenReadSchedule.floodThreshold { unknown.leave(isKnown: false) }
        for _ in 0..<10 { #expect(unknown.enter(at: now + .milliseconds(1)) == .stop) }
        now += TokenReadSchedule.minReadInterval
        #expect(unknown.enter(at: now) == .read(after: .zero))
        read(at: now)
        unknown.leave(isKnown: false)
        #expect(unknown.enter(at: now + .milliseconds(1)) == .stop)
        // A pause with few callers ends the flood.
        now += TokenReadSchedule.minReadInterval
        #expect(unknown.enter(at: now) == .read(after: .zero))
        read(at: now)
        unknown.leave(isKnown: false)
        #expect(unknown.enter(at: now + .milliseconds(50)) == .read(after: .milliseconds(150)))
    }

    private mutating func read(at now: ContinuousClock.Instant) {
        unknown.begin(at: now)
        unknown.end()
    }
}
