internal import Synchronization

/// Hands changes to everybody who reads them, each at their own pace.
final class ChangeBoard: Sendable {
    private let pending = Mutex<[ObjectIdentifier: (reader: WeakReader, update: NotesUpdate)]>([:])

    /// One who reads; forgotten when its last reference goes.
    final class Reader: Sendable {
        let wakes: AsyncStream<Void>
        fileprivate let wake: AsyncStream<Void>.Continuation

        init() {
            (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        deinit {
            wake.finish()
        }
    }

    private struct WeakReader {
        weak var reader: Reader?
    }

    func updates() -> NotesUpdates {
        let reader = Reader()
        pending.withLock { $0[ObjectIdentifier(reader)] = (WeakReader(reader: reader), NotesUpdate()) }
        return NotesUpdates(board: self, reader: reader)
    }

    func post(_ update: NotesUpdate) {
        let readers = pending.withLock { pending in
            pending = pending.filter { $0.value.reader.reader != nil }
            return pending.keys.compactMap { key in
                pending[key]?.update.add(update)
                return pending[key]?.reader.reader
            }
        }
        for reader in readers { reader.wake.yield() }
    }

    /// What a reader has not seen; nil when that is nothing.
    func take(for reader: Reader) -> NotesUpdate? {
        pending.withLock { pending in
            guard let entry = pending[ObjectIdentifier(reader)] else { return nil }
            pending[ObjectIdentifier(reader)]?.update = NotesUpdate()
            return entry.update.notes.isEmpty && !entry.update.hasNewState ? nil : entry.update
        }
    }
}
