internal import Observation
internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Values that a server decides, all of one moment.
package protocol RemoteValues: Sendable {
    /// The keys whose values differ from those of another moment; all keys where there was none.
    func changes(since before: Self?) -> Set<String>
}

/// The part of a server's values that an app sees: one set of values and how fresh it is, readable and observable from
/// anywhere at any time. Its client alone changes it.
package final class RemoteDocument<Values: RemoteValues, Failure: Error>: Sendable, Observable {
    package struct Content: Sendable {
        package var values: Values
        /// When the server last answered, in this run or an earlier one.
        package var lastFetched: Date?
        package var lastFailure: Failure?
        /// True while newer values than these wait to become visible.
        package var hasFetchedValues = false
        /// True where the server was cut off from its database.
        package var serverIsStale = false

        package init(_ values: Values, lastFetched: Date?, serverIsStale: Bool = false) {
            (self.values, self.lastFetched, self.serverIsStale) = (values, lastFetched, serverIsStale)
        }

        /// Says whether the values may no longer be those of the server. A response from the future has no age that is
        /// known, and counts as old.
        package func isStale(at now: Date, after limit: Duration) -> Bool {
            let age = lastFetched.map { now.timeIntervalSince($0) }
            return serverIsStale || !(age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false)
        }
    }

    private let broadcaster = ChangeBroadcaster()
    private let registrar = ObservationRegistrar()
    private let state: Mutex<Content>

    package init(_ values: Values, lastFetched: Date?) {
        state = Mutex(Content(values, lastFetched: lastFetched))
    }

    package var values: Values {
        registrar.access(self, keyPath: \.values)
        return state.withLock { $0.values }
    }

    /// Reads from the values, for somebody who is told only when one key has changed.
    package func read<Value>(_ key: String, _ take: (Values) -> Value) -> Value {
        registrar.access(self, keyPath: \RemoteDocument[observed: key])
        return take(state.withLock { $0.values })
    }

    /// Everything at once, for somebody who is told of each change of how fresh the values are.
    package var content: Content {
        registrar.access(self, keyPath: \.content)
        return state.withLock { $0 }
    }

    /// Changes what is known of the values, and tells nobody of other values.
    package func update(_ change: (inout Content) -> Void) {
        state.withLock { change(&$0) }
        registrar.withMutation(of: self, keyPath: \.content) {}
    }

    /// Makes other values visible.
    package func show(_ content: Content, changed: Set<String>) {
        update { $0 = content }
        registrar.withMutation(of: self, keyPath: \.values) {}
        for key in changed { registrar.withMutation(of: self, keyPath: \RemoteDocument[observed: key]) {} }
        broadcaster.send(())
    }

    /// Ends the sequences of changes.
    package func finish() { broadcaster.finish() }

    /// Stands for the value of one key, so that only those are told who have read it.
    private subscript(observed key: String) -> String { key }

    /// Begins with the current values.
    package func makeIterator() -> Iterator {
        Iterator(document: self, wakes: broadcaster.changes(startingWith: ()).makeAsyncIterator())
    }

    /// A reader, who gets all that has changed since it last read.
    package struct Iterator {
        fileprivate let document: RemoteDocument
        fileprivate var wakes: ChangeBroadcaster<Void>.Changes.Iterator
        private var last: Values?

        fileprivate init(document: RemoteDocument, wakes: ChangeBroadcaster<Void>.Changes.Iterator) {
            (self.document, self.wakes) = (document, wakes)
        }

        /// Waits until other values are visible; nil when the client or the task has ended.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> (keys: Set<String>, values: Values, isFirst: Bool)? {
            while await wakes.next(isolation: actor) != nil {
                let values = document.values
                let keys = values.changes(since: last)
                if last != nil, keys.isEmpty { continue }
                defer { last = values }
                return (keys, values, last == nil)
            }
            return nil
        }
    }
}
