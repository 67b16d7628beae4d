public import Foundation
internal import Observation
internal import Synchronization

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

/// The part of a client that an app sees, readable and observable from anywhere at any time: one set of evaluations and
/// how fresh it is.
final class FlagState: Sendable, Observable {
    private struct Content {
        var values: FlagValues
        var lastFetched: Date?
        var lastFailure: FlagFailure?
        var serverIsStale = false
    }

    /// Says that flags may be evaluated to something else.
    let broadcaster = ChangeBroadcaster()
    private let registrar = ObservationRegistrar()
    /// All of it is of one context.
    private let content: Mutex<Content>

    init(_ values: FlagValues, lastFetched: Date?) {
        content = Mutex(Content(values: values, lastFetched: lastFetched))
    }

    var values: FlagValues {
        registrar.access(self, keyPath: \.values)
        return content.withLock { $0.values }
    }

    /// Reads from the visible evaluations, for somebody who is told only when one flag has changed.
    func read<Value>(_ key: String, _ take: (FlagValues) -> Value) -> Value {
        registrar.access(self, keyPath: \FlagState[observed: key])
        return take(content.withLock { $0.values })
    }

    func status(at now: Date, staleAfter limit: Duration) -> FlagStatus {
        registrar.access(self, keyPath: \.status)
        return content.withLock { content in
            let age = content.lastFetched.map { now.timeIntervalSince($0) }
            let isYoung = age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false
            return FlagStatus(
                origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
                isStale: !isYoung || content.serverIsStale)
        }
    }

    /// Makes the evaluations of another context visible.
    func show(_ values: FlagValues, lastFetched: Date?) {
        let before = content.withLock { content in
            defer { content = Content(values: values, lastFetched: lastFetched) }
            return content.values
        }
        // Whoever read a flag that neither set has may have got another error with its default.
        tell(values.changes(since: before))
    }

    func fetchSucceeded(_ values: FlagValues, changed: Set<String>, at time: Date, serverIsStale: Bool) {
        content.withLock {
            $0 = Content(values: values, lastFetched: time, serverIsStale: serverIsStale)
        }
        tell(changed)
    }

    func fetchFailed(_ failure: FlagFailure) {
        content.withLock { $0.lastFailure = failure }
        registrar.withMutation(of: self, keyPath: \.status) {}
    }

    private func tell(_ changed: Set<String>) {
        registrar.withMutation(of: self, keyPath: \.status) {}
        registrar.withMutation(of: self, keyPath: \.values) {}
        for key in changed { registrar.withMutation(of: self, keyPath: \FlagState[observed: key]) {} }
        if !changed.isEmpty { broadcaster.send(()) }
    }

    /// Stands for how fresh the evaluations are, for those who observe it.
    private var status: Void { () }

    /// Stands for one flag, so that only those are told who have read it.
    private subscript(observed key: String) -> String { key }
}
