#if canImport(Combine)
    public import Combine
#endif

/// Flags that are evaluated to something else.
public struct FlagUpdate: Sendable {
    /// The flags that differ from those of the update before; in the first update all flags.
    public let keys: Set<String>
    /// The evaluations that are visible since.
    public let values: FlagValues
    /// Whether it is the first of its sequence.
    let isFirst: Bool
}

/// All flags, and then each time those that are evaluated to something else.
///
/// A reader that is slow gets the newest evaluations with all flags that have changed since its last update. The
/// sequence ends with the task that reads it or with the client, and never because of an error.
public struct FlagUpdates: AsyncSequence, Sendable {
    let state: FlagState

    /// Begins with the current evaluations.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: state.makeIterator()) }

    /// One reader of the updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: FlagState.Iterator

        /// Waits until flags are evaluated to something else.
        public mutating func next() async -> FlagUpdate? {
            await next(isolation: #isolation)
        }

        /// Waits on an actor until flags are evaluated to something else.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagUpdate? {
            await changes.next(isolation: actor).map {
                FlagUpdate(keys: $0.keys, values: $0.values, isFirst: $0.isFirst)
            }
        }
    }
}

#if canImport(Combine)
    extension RemoteFlags {
        /// The updates for Combine, on the main actor. Each subscriber gets all flags first, and ends alone.
        public nonisolated var publisher: AnyPublisher<FlagUpdate, Never> {
            SequencePublisher(updates).eraseToAnyPublisher()
        }
    }
#endif
