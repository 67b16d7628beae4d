internal import Observation
internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A set of values from the server, all of one revision.
package protocol RemoteValues: Sendable {
    /// Returns the keys whose values differ from an earlier set; all keys if there is no earlier set.
    func changes(since before: Self?) -> Set<String>
}

/// The visible values of a client and their freshness, observable on any thread. Only the client writes them.
package final class RemoteDocument<Values: RemoteValues, Failure: Error>: Sendable, Observable {
    package struct Content: Sendable {
        package var values: Values
        /// The time of the server's last response, in this run or an earlier one.
        package var lastFetched: Date?
        package var lastFailure: Failure?
        /// True while newer values are fetched but not visible yet.
        package var hasPendingValues = false
        /// True if the server responded from its cache because its database was unreachable.
        package var serverIsStale = false
        /// The reason why the cache could not be written; nil if the last write succeeded.
        package var cacheFailure: String?

        package init(
            _ values: Values, lastFetched: Date?, serverIsStale: Bool = false, cacheFailure: String? = nil
        ) {
            (self.values, self.lastFetched) = (values, lastFetched)
            (self.serverIsStale, self.cacheFailure) = (serverIsStale, cacheFailure)
        }

        /// Returns true if the values may be stale. A response time in the future counts as stale: its age is unknown.
        package func isStale(at now: Date, after limit: Duration) -> Bool {
            let age = lastFetched.map { now.timeIntervalSince($0) }
            return serverIsStale || !(age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false)
        }
    }

    private let broadcaster = ChangeBroadcaster()
    private let registrar = ObservationRegistrar()
    private let state: Mutex<Content>

    package init(_ values: Values, lastFetched: Date?) { state = Mutex(Content(values, lastFetched: lastFetched)) }

    package var values: Values {
        registrar.access(self, keyPath: \.values)
        return state.withLock { $0.values }
    }

    /// Reads a value and registers the caller as an observer of this key only.
    package func read<Value>(_ key: String, _ take: (Values) -> Value) -> Value {
        registrar.access(self, keyPath: \RemoteDocument[observed: key])
        return take(state.withLock { $0.values })
    }

    /// The values with their freshness. The caller becomes an observer of every change of the content.
    package var content: Content {
        registrar.access(self, keyPath: \.content)
        return state.withLock { $0 }
    }

    /// Changes the content without notifying the observers of values.
    package func update(_ change: (inout Content) -> Void) {
        state.withLock { change(&$0) }
        registrar.withMutation(of: self, keyPath: \.content) {}
    }

    /// Makes other values visible and notifies their observers.
    package func show(_ content: Content, changed: Set<String>) {
        update { $0 = content }
        registrar.withMutation(of: self, keyPath: \.values) {}
        for key in changed { registrar.withMutation(of: self, keyPath: \RemoteDocument[observed: key]) {} }
        broadcaster.send(())
    }

    package func finish() { broadcaster.finish() }

    /// A placeholder for one key's value, so that only the observers of this key are notified.
    private subscript(observed key: String) -> String { key }

    /// Returns an iterator that starts with the current values.
    package func makeIterator() -> Iterator {
        Iterator(document: self, wakes: broadcaster.changes(startingWith: ()).makeAsyncIterator())
    }

    /// An iterator over the visible values that merges the changes since its last element.
    package struct Iterator {
        fileprivate let document: RemoteDocument
        fileprivate var wakes: ChangeBroadcaster<Void>.Changes.Iterator
        private var last: Values?

        fileprivate init(document: RemoteDocument, wakes: ChangeBroadcaster<Void>.Changes.Iterator) {
            (self.document, self.wakes) = (document, wakes)
        }

        /// Waits for other visible values. Returns nil if the client has stopped or the task is cancelled.
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
