#if canImport(Combine)
    public import Combine
#endif

/// The value of a document, and then each newer one.
///
/// A reader that is slow gets the newest. The sequence ends with the task that reads it or with the document, and never
/// because of an error.
public struct ConfigDocumentUpdates<Value: Codable & Sendable>: AsyncSequence, Sendable {
    private let broadcaster: ChangeBroadcaster<Void>
    private let value: @Sendable () -> Value?

    init(_ document: ConfigDocument<Value>) {
        broadcaster = document.broadcaster
        value = { [weak document] in document?.value }
    }

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: broadcaster.changes(startingWith: ()).makeAsyncIterator(), value: value)
    }

    /// One reader of the updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: ChangeBroadcaster<Void>.Changes.Iterator
        fileprivate let value: @Sendable () -> Value?

        /// Waits for a newer value.
        public mutating func next() async -> Value? {
            await next(isolation: #isolation)
        }

        /// Waits on an actor for a newer value.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await changes.next(isolation: actor) == nil ? nil : value()
        }
    }
}

extension ConfigDocument {
    /// The current value, and then each newer one.
    public var updates: ConfigDocumentUpdates<Value> { ConfigDocumentUpdates(self) }

    /// Loads the document, and loads it anew when it may have changed, until the task is cancelled.
    ///
    /// A ``ConfigDocumentEnvironmentLoader`` follows its server, others ask again and again. What fails shows in
    /// ``failure``, and is tried again.
    public func follow() async {
        await loader.follow { [weak self] in (try? await self?.update()) != nil }
    }
}

#if canImport(Combine)
    extension ConfigDocument {
        /// The values for Combine, on the main actor. Each subscriber gets the current one first, and ends alone.
        public var publisher: AnyPublisher<Value, Never> {
            SequencePublisher(updates).eraseToAnyPublisher()
        }
    }
#endif
