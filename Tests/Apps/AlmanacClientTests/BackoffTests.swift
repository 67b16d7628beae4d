import AlmanacClient
import Testing

@Suite struct BackoffTests {
    @Test func `waits double up to a limit, at random, and begin anew after a success`() {
        var generator = SystemRandomNumberGenerator()
        var backoff = Backoff(shortest: .seconds(1), longest: .seconds(10))
        for full in [1, 2, 4, 8, 10, 10, 10] {
            let wait = backoff.next(using: &generator)
            #expect((Duration.seconds(full) / 2...Duration.seconds(full)).contains(wait))
        }
        backoff.reset()
        #expect(backoff.next(using: &generator) <= .seconds(1))
    }

    @Test func `what the server asks for is waited, and a little more`() {
        var generator = SystemRandomNumberGenerator()
        var backoff = Backoff()
        let waits = (0..<20).map { _ in
            backoff.reset()
            return backoff.next(atLeast: .seconds(30), using: &generator)
        }
        #expect(waits.allSatisfy { (.seconds(30)...Duration.seconds(31)).contains($0) })
        #expect(Set(waits).count > 1)
    }
}
