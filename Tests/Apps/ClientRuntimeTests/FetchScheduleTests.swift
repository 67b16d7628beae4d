import AlmanacClientRuntime
import AlmanacTestSupport
import Testing

@Suite struct FetchScheduleTests {
    @Test func `waits double with each failure up to a limit, half of them random`() {
        for random in [FixedRandom.lowest, FixedRandom.highest] {
            var schedule = FetchSchedule()
            var waits: [Duration] = []
            for _ in 0..<12 {
                schedule.failed(at: .zero, retryAfter: nil, random: random)
                if case .wait(let time) = schedule.verdict(at: .zero, minimumInterval: .zero, force: true) {
                    waits.append(time)
                }
            }
            let full: [Duration] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900].map { .seconds($0) }
            #expect(waits == full.map { $0 * (0.5 + random.fraction / 2) })
        }
    }

    @Test func `an answer ends the waiting`() {
        var schedule = FetchSchedule()
        schedule.failed(at: .zero, retryAfter: .seconds(1 << 40), random: FixedRandom.lowest)
        let verdict = schedule.verdict(at: .zero, minimumInterval: .zero, force: true)
        #expect(verdict == .wait(Backoff.maxRetryAfter))
        schedule.succeeded(at: .seconds(5))
        #expect(schedule.verdict(at: .seconds(5), minimumInterval: .seconds(1), force: false) == .fresh)
        #expect(schedule.verdict(at: .seconds(6), minimumInterval: .seconds(1), force: false) == .fetch)
        #expect(schedule.backoff.failures == 0)
    }

    @Test func `something else is asked for at once, though not before the server wants it`() {
        var schedule = FetchSchedule()
        schedule.failed(at: .zero, retryAfter: nil, random: FixedRandom.lowest)
        schedule.resetKeepingRetryAfter()
        #expect(schedule.verdict(at: .zero, minimumInterval: .zero, force: false) == .fetch)
        schedule.failed(at: .zero, retryAfter: .seconds(60), random: FixedRandom.lowest)
        schedule.failed(at: .seconds(1), retryAfter: nil, random: FixedRandom.lowest)
        schedule.resetKeepingRetryAfter()
        #expect(schedule.verdict(at: .zero, minimumInterval: .zero, force: true) == .wait(.seconds(60)))
        schedule.succeeded(at: .seconds(5))
        schedule.resetKeepingRetryAfter()
        #expect(schedule.verdict(at: .seconds(5), minimumInterval: .seconds(9), force: false) == .fetch)
    }
}
