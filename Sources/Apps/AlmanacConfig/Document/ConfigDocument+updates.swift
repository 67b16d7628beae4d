#if canImport(Combine)
    public import Combine
#endif

/// A sequence of a document's current value and of each newer one.
///
/// A slow reader gets the newest value. The sequence ends with its task or the document, and never throws.
public struct ConfigDocumentUpdates<Value: Codable & Sendable>: AsyncSequence, Sendable {
    private let broadcaster: ChangeBroadcaster<Void>
    private let value: @Sendable () -> Value?

    init(_ document: ConfigDocument<Value>) {
        broadcaster = document.broadcaster
        value = { [weak document] in document?.value }
    }

    /// Returns an iterator that starts with the current value.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: broadcaster.changes(startingWith: ()).makeAsyncIterator(), value: value)
    }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: ChangeBroadcaster<Void>.Changes.Iterator
        fileprivate let value: @Sendable () -> Value?

        /// Waits for a newer value.
        public mutating func next() async -> Value? { await next(isolation: #isolation) }

        /// Waits for a newer value, isolated to an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await changes.next(isolation: actor) == nil ? nil : value()
        }
    }
}

extension ConfigDocument {
    /// A sequence of the current value and of each newer one.
    public var updates: ConfigDocumentUpdates<Value> { ConfigDocumentUpdates(self) }

    /// Loads the document now and whenever it may have changed, until the task is cancelled.
    ///
    /// A ``ConfigDocumentEnvironmentLoader`` follows the server's event stream; other loaders poll. A failed load
    /// appears in ``failure`` and is retried.
    public func follow() async { await loader.follow { [weak self] in (try? await self?.update()) != nil } }
}

#if canImport(Combine)
    extension ConfigDocument {
        /// A publisher of the values on the main actor. Each subscriber first gets the current value.
        public var publisher: AnyPublisher<Value, Never> { SequencePublisher(updates).eraseToAnyPublisher() }
    }
#endif
