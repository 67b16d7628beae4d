/// A set of values that has become visible.
public struct ConfigUpdate: Sendable {
    /// The keys whose values differ from the previous update; all keys in the first update.
    public let keys: Set<String>
    /// The changed keys that no longer have a value from the server or from the app's defaults.
    public var removedKeys: Set<String> { keys.filter { values[$0] == nil } }
    /// The values that became visible.
    public let values: ConfigValues
}

/// A sequence of the current values and of each later set that becomes visible.
///
/// A slow reader gets the newest values with all keys that have changed since its previous update. The sequence ends
/// when its task is cancelled or the client is released, and never throws.
public struct ConfigUpdates: AsyncSequence, Sendable {
    let state: ConfigState

    /// Returns an iterator that starts with the current values.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: state.makeIterator()) }

    /// An iterator over the updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: ConfigState.Iterator

        /// Waits until other values become visible.
        public mutating func next() async -> ConfigUpdate? { await next(isolation: #isolation) }

        /// Waits until other values become visible, isolated to an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ConfigUpdate? {
            await changes.next(isolation: actor).map { ConfigUpdate(keys: $0.keys, values: $0.values) }
        }
    }
}
