internal import AlmanacRevisions
internal import Foundation

/// What the server said, complete at one revision.
struct ConfigSnapshot: Sendable, Equatable {
    /// The address of the environment.
    var environment: String
    /// The version that was asked for; nil for the newest.
    var pin: String?
    var cursor: Cursor
    /// The environment's semantic version at that revision.
    var version: String
    var fetchedAt: Date
    var entries: [String: ConfigValue]
}
