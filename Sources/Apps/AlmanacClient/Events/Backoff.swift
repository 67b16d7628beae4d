/// How long to wait before the next attempt: twice as long after each failure, and never all clients at once.
public struct Backoff: Sendable {
    private var failures = 0
    private let shortest: Duration
    private let longest: Duration

    public init(shortest: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        self.shortest = shortest
        self.longest = longest
    }

    /// After something has worked.
    public mutating func reset() {
        failures = 0
    }

    /// After a failure: at random between half and all of what has doubled since the last success.
    ///
    /// - Parameter least: what the server asks for.
    public mutating func next(
        atLeast least: Duration = .zero, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let full = min(longest, shortest * (1 << min(failures, 20)))
        failures += 1
        let jitter = Double.random(in: 0.5...1, using: &generator)
        // Spread as well when the server says how long: it says so to all clients.
        return max(full * jitter, least + shortest * (jitter - 0.5))
    }
}
