/// What changed: the notes, and whether the state of the sync did.
public struct NotesUpdate: Sendable, Hashable {
    /// The ids of the notes whose text, place or status is another now.
    public internal(set) var notes: Set<String> = []
    /// ``NotesStore/state`` is another now.
    public internal(set) var hasNewState = false

    mutating func add(_ other: NotesUpdate) {
        notes.formUnion(other.notes)
        hasNewState = hasNewState || other.hasNewState
    }
}

/// The changes of a store, one after the other; see ``NotesStore/updates``.
public struct NotesUpdates: AsyncSequence, Sendable {
    public typealias Element = NotesUpdate
    public typealias Failure = Never

    let board: ChangeBoard
    let reader: ChangeBoard.Reader

    public func makeAsyncIterator() -> Iterator {
        Iterator(board: board, reader: reader, wakes: reader.wakes.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        let board: ChangeBoard
        let reader: ChangeBoard.Reader
        var wakes: AsyncStream<Void>.Iterator

        /// Waits for the next change; nil when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NotesUpdate? {
            while await wakes.next(isolation: actor) != nil {
                if let update = board.take(for: reader) { return update }
            }
            return nil
        }
    }
}
