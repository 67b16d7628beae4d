#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A source of time for a client. Tests supply their own clock.
public protocol ClientClock: Sendable {
    /// The time of day, which a user or a time server may change.
    var date: Date { get }
    /// The running time of the clock. The clock never goes back, and it also runs while the device sleeps.
    var uptime: Duration { get }
    /// Suspends the task for a duration. Throws `CancellationError` once the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clock of the device.
public struct SystemClientClock: ClientClock {
    private static let start = ContinuousClock.now

    /// Creates a clock that reads the system's time.
    public init() {}

    /// The system's time of day, which a user or a time server may change.
    public var date: Date { Date() }

    /// The time since the first call of this property.
    public var uptime: Duration { ContinuousClock.now - Self.start }

    /// Suspends the task for a duration. Throws `CancellationError` early if the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration, clock: .continuous) }
}

extension ClientClock {
    /// Runs an operation. Throws ``TransportFailure/timedOut`` and cancels the operation at the deadline.
    package func withTimeout<Result: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.sleep(for: limit)
                throw TransportFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw TransportFailure.timedOut }
            return first
        }
    }
}
