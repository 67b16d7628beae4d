import AlmanacPOSIX

/// A clock that stands still until the test sets it.
final class TestClock: Sendable {
    private let state: Monitor<(now: ContinuousClock.Instant, milliseconds: Int64)>

    init(_ now: ContinuousClock.Instant, _ milliseconds: Int64 = 0) {
        state = Monitor((now, milliseconds))
    }

    func set(_ now: ContinuousClock.Instant, _ milliseconds: Int64) {
        state.update { $0 = (now, milliseconds) }
    }

    var clock: ServerClock {
        ServerClock(now: { self.state.read { $0.now } }, milliseconds: { self.state.read { $0.milliseconds } })
    }
}
