public import Foundation

/// The time, as the client needs it. Tests bring their own.
public protocol ConfigClock: Sendable {
    /// The date on the wall, which users and time servers may move.
    var date: Date { get }
    /// How long the clock has been running; it never goes back, and goes on while the device sleeps.
    var uptime: Duration { get }
    func sleep(for duration: Duration) async throws
}
