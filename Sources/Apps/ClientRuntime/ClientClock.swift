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

extension ClientClock {
    /// Does some work, and cancels it when the time is over.
    ///
    /// - Throws: ``TransportFailure/timedOut`` when the time was over first.
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
