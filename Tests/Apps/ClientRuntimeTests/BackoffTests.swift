import AlmanacClientRuntime
import AlmanacTestSupport
import Testing

@Suite struct BackoffTests {
    private let lowest = FixedRandom.lowest
    private let highest = FixedRandom.highest

    @Test func `the wait doubles up to the longest and starts anew after a success`() {
        var backoff = Backoff(minDelay: .seconds(1), maxDelay: .seconds(60))
        let waits = (0..<9).map { _ in backoff.next(random: lowest) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.next(random: lowest) == .milliseconds(500))
        for _ in 0..<200 { _ = backoff.next(random: lowest) }
        #expect(backoff.next(random: lowest) == .seconds(30))
    }

    @Test func `half of the wait is random`() {
        var backoff = Backoff(minDelay: .seconds(2), maxDelay: .seconds(60))
        let wait = backoff.next(random: highest)
        #expect(wait > .milliseconds(1999) && wait <= .seconds(2))
    }

    @Test func `a server's Retry-After is kept, within bounds, and spread`() {
        var backoff = Backoff(minDelay: .seconds(2), maxDelay: .seconds(60))
        #expect(backoff.next(retryAfter: .seconds(30), random: lowest) == .seconds(30))
        let spread = backoff.next(retryAfter: .seconds(30), random: highest)
        #expect(spread > .seconds(31) && spread <= .seconds(32))
        #expect(backoff.next(retryAfter: .seconds(1_000_000), random: lowest) == Backoff.maxRetryAfter)
        #expect(backoff.next(retryAfter: .zero, random: lowest) == .seconds(8))
    }

    @Test func `random bytes, fractions and ids have their form`() {
        #expect(lowest.fraction == 0 && highest.fraction < 1)
        #expect(highest.bytes(11) == Array(repeating: 255, count: 11) && lowest.bytes(0) == [])
        #expect(lowest.identifier() == String(repeating: "0", count: 32))
        let source = SystemRandomSource()
        #expect(source.identifier() != source.identifier() && source.identifier().utf8.count == 32)
    }
}
