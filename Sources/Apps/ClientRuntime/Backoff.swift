/// The delay before the next retry: exponential, with jitter so that clients that failed together retry apart.
///
/// The delay lies between half and all of the doubled time ("Exponential Backoff And Jitter", M. Brooker, 2015: equal
/// jitter). A server's `Retry-After` is a lower bound up to ``maxRetryAfter``; jitter is added to `Retry-After`
/// because all clients receive the same value.
package struct Backoff: Sendable, Equatable {
    package let minDelay: Duration
    package let maxDelay: Duration
    /// The number of failures since the last success.
    package private(set) var failures = 0

    /// The upper bound of a server's `Retry-After`.
    package static let maxRetryAfter: Duration = .seconds(86_400)

    package init(minDelay: Duration, maxDelay: Duration) {
        self.minDelay = minDelay
        self.maxDelay = maxDelay
    }

    package mutating func reset() { failures = 0 }

    /// Counts a failure and returns the delay before the next attempt, at least the server's `retryAfter`.
    package mutating func next(retryAfter: Duration? = nil, random: any RandomSource) -> Duration {
        let delay = min(minDelay * (1 << min(failures, 20)), maxDelay)
        failures += 1
        let fraction = random.fraction
        let wait = delay * (0.5 + fraction / 2)
        guard let retryAfter else { return wait }
        return max(min(retryAfter, Self.maxRetryAfter) + delay * (fraction / 2), wait)
    }
}
