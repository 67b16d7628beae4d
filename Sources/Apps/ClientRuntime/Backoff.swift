/// How long to wait before the next attempt: twice as long after each failure, and at random, so that clients that
/// failed together do not come back together.
///
/// The wait lies between half and all of the doubled time ("Exponential Backoff And Jitter", M. Brooker, 2015: equal
/// jitter). What a server asks for with `Retry-After` is kept, within bounds, and spread as well: it says the same to
/// all.
package struct Backoff: Sendable, Equatable {
    package let shortest: Duration
    package let longest: Duration
    /// How many attempts have failed since the last that worked.
    package private(set) var failures = 0

    /// A server may ask for a longer wait than the client would make, but not for ever.
    package static let longestRetryAfter: Duration = .seconds(86_400)

    package init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
    }

    /// After something has worked.
    package mutating func reset() {
        failures = 0
    }

    /// After a failure.
    ///
    /// - Parameter retryAfter: what the server asked for.
    package mutating func next(retryAfter: Duration? = nil, random: any RandomSource) -> Duration {
        let delay = min(shortest * (1 << min(failures, 20)), longest)
        failures += 1
        let fraction = random.fraction
        let wait = delay * (0.5 + fraction / 2)
        guard let retryAfter else { return wait }
        return max(min(retryAfter, Self.longestRetryAfter) + delay * (fraction / 2), wait)
    }
}
