/// How long to wait before a stream is opened again.
struct LiveDelay: Sendable, Equatable {
    static let first: Duration = .seconds(1)
    /// Also how often the config is asked for while no stream can be had.
    static let longest: Duration = .seconds(60)

    private(set) var failures = 0

    /// - Parameters:
    ///   - lived: whether the stream said anything.
    ///   - retryAfter: what the server asked for.
    ///   - random: from 0 to below 1.
    mutating func next(lived: Bool, retryAfter: Duration?, random: Double) -> Duration {
        failures = lived ? 0 : failures + 1
        let delay = min(Self.first * (1 << min(failures, 10)), Self.longest) * (0.5 + random / 2)
        return max(delay, min(retryAfter ?? .zero, FetchSchedule.longestRetryAfter))
    }
}
