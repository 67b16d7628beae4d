public import AlmanacPOSIX

/// The clocks of a server, which only a test advances.
public final class TestClock: Sendable {
    private let time: Monitor<(now: ContinuousClock.Instant, milliseconds: Int64)>

    public init(_ now: ContinuousClock.Instant = .now, milliseconds: Int64 = 0) {
        time = Monitor((now, milliseconds))
    }

    public var now: ContinuousClock.Instant { time.read { $0.now } }

    /// - Parameter milliseconds: the time of day, since 1970.
    public func set(_ now: ContinuousClock.Instant, milliseconds: Int64) {
        time.update { $0 = (now, milliseconds) }
    }

    public func advance(by duration: Duration) {
        time.update { $0 = ($0.now + duration, $0.milliseconds + Int64(duration / .milliseconds(1))) }
    }

    public var server: ServerClock {
        ServerClock(now: { self.now }, milliseconds: { self.time.read { $0.milliseconds } })
    }
}

extension ServerClock {
    /// Returns a clock with this machine's monotonic time and a time of day, in seconds since 1970, from a closure.
    public static func wall(_ seconds: @escaping @Sendable () -> Int64) -> ServerClock {
        ServerClock(now: ServerClock.system.now, milliseconds: { seconds() * 1000 })
    }
}
