internal import AlmanacRevisions
public import Foundation
internal import Synchronization

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

/// The part of a client that an app sees, readable from anywhere at any time: one set of values and how fresh it is.
final class ConfigState: Sendable {
    private struct Content {
        var values: ConfigValues
        var lastFetched: Date?
        var lastFailure: ConfigFailure?
        var hasFetchedValues = false
        var serverIsStale = false
    }

    /// Says that other values have become visible.
    let broadcaster = ChangeBroadcaster()
    /// `hasFetchedValues` says that newer values than these wait to become visible.
    private let content: Mutex<Content>

    init(_ values: ConfigValues, lastFetched: Date?) {
        content = Mutex(Content(values: values, lastFetched: lastFetched))
    }

    var values: ConfigValues { content.withLock { $0.values } }

    var hasFetchedValues: Bool { content.withLock { $0.hasFetchedValues } }

    func status(at now: Date, staleAfter limit: Duration) -> ConfigStatus {
        content.withLock { content in
            let age = content.lastFetched.map { now.timeIntervalSince($0) }
            let isYoung = age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false
            return ConfigStatus(
                origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
                hasFetchedValues: content.hasFetchedValues, isStale: !isYoung || content.serverIsStale)
        }
    }

    /// Makes other values visible.
    func show(_ values: ConfigValues) {
        content.withLock {
            $0.values = values
            $0.hasFetchedValues = false
        }
        broadcaster.send(())
    }

    func fetchSucceeded(_ snapshot: ConfigSnapshot, isNew: Bool, serverIsStale: Bool) {
        content.withLock {
            $0.lastFetched = snapshot.fetchedAt
            $0.lastFailure = nil
            $0.serverIsStale = serverIsStale
            if isNew || $0.values.revision != snapshot.cursor.revision || $0.values.origin != .fetched {
                $0.hasFetchedValues = true
            }
        }
    }

    func fetchFailed(_ failure: ConfigFailure) {
        content.withLock { $0.lastFailure = failure }
    }
}
