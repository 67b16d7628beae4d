public import Foundation

/// The clock of the device.
public struct SystemClock: ConfigClock {
    private let start = ContinuousClock.now

    public init() {}

    public var date: Date { Date() }

    public var uptime: Duration { ContinuousClock.now - start }

    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: .continuous)
    }
}
