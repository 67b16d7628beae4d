public import Foundation

/// How fresh the values are.
public struct ConfigStatus: Sendable, Equatable {
    /// Where the values that the app sees come from.
    public internal(set) var origin: ConfigOrigin
    /// When the server last answered, in this run or an earlier one.
    public internal(set) var lastFetched: Date?
    /// Why the last fetch failed; nil when it succeeded.
    public internal(set) var lastFailure: ConfigFailure?
    /// Whether values have been fetched that ``ConfigClient/activate()`` would make visible.
    public internal(set) var hasFetchedValues = false
    /// Whether the values may no longer be those of the server: the last answer is too long ago, or the server itself
    /// was cut off from its database.
    public internal(set) var isStale: Bool
}
