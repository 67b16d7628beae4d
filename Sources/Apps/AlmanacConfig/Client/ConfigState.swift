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
    /// Whether the values may no longer be those of the server: the last response is too long ago, or the server itself
    /// was cut off from its database.
    public internal(set) var isStale: Bool
}

extension ConfigValues: RemoteValues {}

/// The part of a client that an app sees.
typealias ConfigState = RemoteDocument<ConfigValues, ConfigFailure>

extension ConfigState {
    func status(at now: Date, staleAfter limit: Duration) -> ConfigStatus {
        let content = content
        return ConfigStatus(
            origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
            hasFetchedValues: content.hasFetchedValues, isStale: content.isStale(at: now, after: limit))
    }

    /// Makes other values visible.
    func show(_ values: ConfigValues) {
        var next = content
        let changed = values.changes(since: next.values)
        (next.values, next.hasFetchedValues) = (values, false)
        show(next, changed: changed)
    }

    /// Takes note of a response, whose values become visible at once where they are those that are visible already.
    func fetchSucceeded(_ values: ConfigValues, at time: Date, serverIsStale: Bool) {
        update {
            $0.lastFetched = time
            $0.lastFailure = nil
            $0.serverIsStale = serverIsStale
            $0.hasFetchedValues = !values.hasSameRemote(as: $0.values)
            if !$0.hasFetchedValues { $0.values = values }
        }
    }
}
