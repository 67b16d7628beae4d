/// The current values, and then each time that others become visible.
///
/// A reader that is slow gets the newest values with all keys that have changed since its last update. The sequence
/// ends with the task that reads it or with the client, and never because of an error.
public struct ConfigUpdates: AsyncSequence, Sendable {
    let board: ConfigBoard

    public func makeAsyncIterator() -> Iterator {
        Iterator(board: board, wakeUps: board.changed.wakeUps().makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        let board: ConfigBoard
        var wakeUps: AsyncStream<Void>.Iterator
        var last: ConfigValues?

        public mutating func next() async -> ConfigUpdate? {
            await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> ConfigUpdate? {
            while await wakeUps.next(isolation: actor) != nil {
                let values = board.values
                let keys = values.changes(since: last)
                if last != nil, keys.isEmpty { continue }
                last = values
                return ConfigUpdate(keys: keys, values: values)
            }
            return nil
        }
    }
}
