import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite struct StreamTimersTests {
    private let start = ContinuousClock.now

    @Test func `nothing is due early, and nothing more than a second late`() {
        var timers = StreamTimers(start: start)
        timers.add(1, at: start + .milliseconds(1500))
        #expect(timers.removeDue(at: start + .milliseconds(1499)) == [])
        #expect(timers.removeDue(at: start + .milliseconds(2500)) == [1])
        #expect(timers.removeDue(at: start + .milliseconds(2600)) == [])
    }

    @Test func `a timer that is due already comes next`() {
        var timers = StreamTimers(start: start)
        #expect(timers.removeDue(at: start + .seconds(10)) == [])
        timers.add(1, at: start + .seconds(3))
        timers.add(2, at: start - .seconds(3))
        #expect(Set(timers.removeDue(at: start + .seconds(12))) == [1, 2])
    }

    @Test func `a long sleep loses nothing`() {
        var timers = StreamTimers(start: start)
        for number in 0..<50 { timers.add(number, at: start + .seconds(number * 1000)) }
        timers.add(50, at: start + .seconds(90_000_000))
        #expect(Set(timers.removeDue(at: start + .seconds(80_000_000))) == Set(0..<50))
        #expect(timers.removeDue(at: start + .seconds(90_000_002)) == [50])
    }

    @Test func `at random, everything comes once, not early, and within a second of the next look`() {
        var random = Randomness()
        let note = random.note
        var timers = StreamTimers(start: start)
        var now = start
        var waiting: [Int: ContinuousClock.Instant] = [:]
        for step in 0..<TestDepth.runs(quick: 2000, standard: 2000, long: 50_000) {
            let time = now + .milliseconds(Int.random(in: -2000...30_000, using: &random))
            timers.add(step, at: time)
            waiting[step] = max(time, now)
            now += .milliseconds(
                Int.random(in: 0...99, using: &random) == 0 ? 200_000 : Int.random(in: 0...700, using: &random))
            for number in timers.removeDue(at: now) {
                let time = waiting.removeValue(forKey: number)
                #expect(time.map { $0 <= now } == true, "\(note)")
            }
            #expect(waiting.values.allSatisfy { now - $0 < .seconds(2) }, "\(note)")
        }
    }
}
