#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a store takes from the world around it, so that tests can hold it still.
public struct Surroundings: Sendable {
    /// The time of day.
    public var now: @Sendable () -> Date
    /// Makes the ids of notes and actions, of at most 64 letters, digits, `-` and `_`.
    public var newID: @Sendable () -> String
    /// Waits.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1, to spread what many devices do.
    public var chance: @Sendable () -> Double
    /// Whether each write survives a loss of power. Without it only a crash of the process loses nothing.
    public var isDurable: Bool

    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        newID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, isDurable: Bool = true
    ) {
        self.now = now
        self.newID = newID
        self.sleep = sleep
        self.chance = chance
        self.isDurable = isDurable
    }
}
