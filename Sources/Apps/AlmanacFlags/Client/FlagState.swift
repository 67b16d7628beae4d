public import Foundation

/// How fresh the evaluations are.
public struct FlagStatus: Sendable, Equatable {
    /// Where the evaluations that the app sees come from.
    public internal(set) var origin: FlagOrigin
    /// When the server last answered for this context, in this run or an earlier one.
    public internal(set) var lastFetched: Date?
    /// Why the last fetch failed; nil when it succeeded.
    public internal(set) var lastFailure: FlagFailure?
    /// Whether the evaluations may no longer be those of the server: the last response is too long ago, or the server
    /// itself was cut off from its database.
    public internal(set) var isStale: Bool
}

extension FlagValues: RemoteValues {}

/// The part of a client that an app sees, all of one context.
typealias FlagState = RemoteDocument<FlagValues, FlagFailure>

extension FlagState {
    func status(at now: Date, staleAfter limit: Duration) -> FlagStatus {
        let content = content
        return FlagStatus(
            origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
            isStale: content.isStale(at: now, after: limit))
    }
}
