internal import AlmanacRevisions
public import Foundation
internal import Observation
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

/// The part of a client that an app sees, readable and observable from anywhere at any time: one set of values and how
/// fresh it is.
final class ConfigState: Sendable, Observable {
    private struct Content {
        var values: ConfigValues
        var lastFetched: Date?
        var lastFailure: ConfigFailure?
        var hasFetchedValues = false
        var serverIsStale = false
    }

    /// Says that other values have become visible.
    let broadcaster = ChangeBroadcaster()
    private let registrar = ObservationRegistrar()
    /// `hasFetchedValues` says that newer values than these wait to become visible.
    private let content: Mutex<Content>

    init(_ values: ConfigValues, lastFetched: Date?) {
        content = Mutex(Content(values: values, lastFetched: lastFetched))
    }

    var values: ConfigValues {
        registrar.access(self, keyPath: \.values)
        return content.withLock { $0.values }
    }

    /// Reads from the visible values, for somebody who is told only when one key has changed.
    func read<Value>(_ key: String, _ take: (ConfigValues) -> Value) -> Value {
        registrar.access(self, keyPath: \ConfigState[observed: key])
        return take(content.withLock { $0.values })
    }

    var hasFetchedValues: Bool { content.withLock { $0.hasFetchedValues } }

    func status(at now: Date, staleAfter limit: Duration) -> ConfigStatus {
        registrar.access(self, keyPath: \.status)
        return content.withLock { content in
            let age = content.lastFetched.map { now.timeIntervalSince($0) }
            let isYoung = age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false
            return ConfigStatus(
                origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
                hasFetchedValues: content.hasFetchedValues, isStale: !isYoung || content.serverIsStale)
        }
    }

    /// Makes other values visible.
    func show(_ values: ConfigValues) {
        let before = content.withLock { content in
            defer { (content.values, content.hasFetchedValues) = (values, false) }
            return content.values
        }
        tellStatus()
        registrar.withMutation(of: self, keyPath: \.values) {}
        for key in values.changes(since: before) {
            registrar.withMutation(of: self, keyPath: \ConfigState[observed: key]) {}
        }
        broadcaster.send(())
    }

    /// Takes note of a response, whose values become visible at once where they are those that are visible already.
    func fetchSucceeded(_ values: ConfigValues, at time: Date, serverIsStale: Bool) {
        content.withLock {
            $0.lastFetched = time
            $0.lastFailure = nil
            $0.serverIsStale = serverIsStale
            $0.hasFetchedValues = !values.hasSameRemote(as: $0.values)
            if !$0.hasFetchedValues { $0.values = values }
        }
        tellStatus()
    }

    func fetchFailed(_ failure: ConfigFailure) {
        content.withLock { $0.lastFailure = failure }
        tellStatus()
    }

    private func tellStatus() {
        registrar.withMutation(of: self, keyPath: \.status) {}
    }

    /// Stands for how fresh the values are, for those who observe it.
    private var status: Void { () }

    /// Stands for the value of one key, so that only those are told who have read it.
    private subscript(observed key: String) -> String { key }
}
