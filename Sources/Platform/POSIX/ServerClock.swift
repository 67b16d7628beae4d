/// A server's clocks, passed as a value so that tests can control the time.
public struct ServerClock: Sendable {
    /// The monotonic time, for durations.
    public let now: @Sendable () -> ContinuousClock.Instant
    /// The time of day, in milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> ContinuousClock.Instant, milliseconds: @escaping @Sendable () -> Int64) {
        self.now = now
        self.milliseconds = milliseconds
    }

    public static let system = ServerClock(now: { .now }, milliseconds: { WallClock.milliseconds })
}
