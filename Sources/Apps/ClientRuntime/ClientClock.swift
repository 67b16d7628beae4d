#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The time, as every client needs it. Tests bring their own.
public protocol ClientClock: Sendable {
    /// The time of day, which users and time servers may move.
    var date: Date { get }
    /// How long the clock has been running; it never goes back, and goes on while the device sleeps.
    var uptime: Duration { get }
    /// Throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clock of the device.
public struct SystemClientClock: ClientClock {
    private static let start = ContinuousClock.now

    public init() {}

    public var date: Date { Date() }

    public var uptime: Duration { ContinuousClock.now - Self.start }

    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
