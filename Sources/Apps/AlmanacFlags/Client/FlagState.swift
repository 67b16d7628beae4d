public import Foundation

/// The freshness of a client's evaluations.
public struct FlagStatus: Sendable, Equatable {
    /// The source of the visible evaluations.
    public internal(set) var origin: FlagOrigin
    /// The time of the server's last response for this context, in this run or an earlier one.
    public internal(set) var lastFetched: Date?
    /// The failure of the last fetch; nil if it succeeded.
    public internal(set) var lastFailure: FlagFailure?
    /// True if the evaluations may be stale: the last response is too old, or the server was cut off from its database.
    public internal(set) var isStale: Bool
    /// The reason why the last evaluations could not be written to the cache, for a log. The next run then starts with
    /// earlier evaluations or with the defaults. Nil if the last write succeeded, or if there is no cache.
    public internal(set) var cacheFailure: String?
}

extension FlagValues: RemoteValues {}

/// The evaluations that a client shows to the app, all for one context.
typealias FlagState = RemoteDocument<FlagValues, FlagFailure>

extension FlagState {
    func status(at now: Date, staleAfter limit: Duration) -> FlagStatus {
        let content = content
        return FlagStatus(
            origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
            isStale: content.isStale(at: now, after: limit), cacheFailure: content.cacheFailure)
    }
}
