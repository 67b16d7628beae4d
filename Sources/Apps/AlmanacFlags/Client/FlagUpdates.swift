#if canImport(Combine)
    public import Combine
#endif

/// A set of evaluations that has become visible.
public struct FlagUpdate: Sendable {
    /// The flags whose evaluations differ from the previous update; all flags in the first update.
    public let keys: Set<String>
    /// The evaluations that became visible.
    public let values: FlagValues
    /// True if this is the first update of its sequence.
    let isFirst: Bool
}

/// A sequence of the current evaluations and of each later set that becomes visible.
///
/// A slow reader gets the newest evaluations with all flags that have changed since its previous update. The sequence
/// ends when its task is cancelled or the client is released, and never throws.
public struct FlagUpdates: AsyncSequence, Sendable {
    let state: FlagState

    /// Returns an iterator that starts with the current evaluations.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: state.makeIterator()) }

    /// An iterator over the updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: FlagState.Iterator

        /// Waits until other evaluations become visible.
        public mutating func next() async -> FlagUpdate? { await next(isolation: #isolation) }

        /// Waits until other evaluations become visible, isolated to an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagUpdate? {
            await changes.next(isolation: actor).map {
                FlagUpdate(keys: $0.keys, values: $0.values, isFirst: $0.isFirst)
            }
        }
    }
}

#if canImport(Combine)
    extension RemoteFlags {
        /// A publisher of the updates on the main actor. Each subscriber first gets all flags.
        public nonisolated var publisher: AnyPublisher<FlagUpdate, Never> {
            SequencePublisher(updates).eraseToAnyPublisher()
        }
    }
#endif
