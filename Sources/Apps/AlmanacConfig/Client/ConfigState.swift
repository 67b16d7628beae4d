public import Foundation

/// The freshness of a client's values.
public struct ConfigStatus: Sendable, Equatable {
    /// The source of the visible values.
    public internal(set) var origin: ConfigOrigin
    /// The time of the server's last response, in this run or an earlier one.
    public internal(set) var lastFetched: Date?
    /// The failure of the last fetch; nil if it succeeded.
    public internal(set) var lastFailure: ConfigFailure?
    /// True if ``ConfigClient/activate()`` would make newer values visible.
    public internal(set) var hasPendingValues = false
    /// True if the values may be stale: the last response is too old, or the server was cut off from its database.
    public internal(set) var isStale: Bool
    /// The reason why the last config could not be written to the cache, for a log. The next run then starts with an
    /// earlier config or with the defaults. Nil if the last write succeeded, or if there is no cache.
    public internal(set) var cacheFailure: String?
}

extension ConfigValues: RemoteValues {}

/// The values that a client shows to the app.
typealias ConfigState = RemoteDocument<ConfigValues, ConfigFailure>

extension ConfigState {
    func status(at now: Date, staleAfter limit: Duration) -> ConfigStatus {
        let content = content
        return ConfigStatus(
            origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
            hasPendingValues: content.hasPendingValues, isStale: content.isStale(at: now, after: limit),
            cacheFailure: content.cacheFailure)
    }

    func show(_ values: ConfigValues) {
        var next = content
        let changed = values.changes(since: next.values)
        (next.values, next.hasPendingValues) = (values, false)
        show(next, changed: changed)
    }

    /// Records a response. Values equal to the visible values become visible at once.
    func fetchSucceeded(_ values: ConfigValues, at time: Date, serverIsStale: Bool, cacheFailure: String?) {
        update {
            $0.lastFetched = time
            $0.lastFailure = nil
            $0.serverIsStale = serverIsStale
            $0.cacheFailure = cacheFailure
            $0.hasPendingValues = !values.hasSameRemote(as: $0.values)
            if !$0.hasPendingValues { $0.values = values }
        }
    }
}
