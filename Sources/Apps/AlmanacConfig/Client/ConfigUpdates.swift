/// Values that have become visible.
public struct ConfigUpdate: Sendable {
    /// The keys whose values differ from those of the update before; in the first update all keys.
    public let keys: Set<String>
    /// Those of the keys that have no value any more, neither from the server nor from the app's defaults.
    public var removedKeys: Set<String> { keys.filter { values[$0] == nil } }
    /// The values that are visible since.
    public let values: ConfigValues
}

/// The current values, and then each time that others become visible.
///
/// A reader that is slow gets the newest values with all keys that have changed since its last update. The sequence
/// ends with the task that reads it or with the client, and never because of an error.
public struct ConfigUpdates: AsyncSequence, Sendable {
    let state: ConfigState

    /// Begins with the current values.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: state.makeIterator()) }

    /// One reader of the updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: ConfigState.Iterator

        /// Waits until others become visible.
        public mutating func next() async -> ConfigUpdate? {
            await next(isolation: #isolation)
        }

        /// Waits on an actor until others become visible.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ConfigUpdate? {
            await changes.next(isolation: actor).map { ConfigUpdate(keys: $0.keys, values: $0.values) }
        }
    }
}
