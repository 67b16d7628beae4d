/// The keys of settings that have another value than before, each time that there are some.
///
/// The first update has all keys. A reader that is slow gets several changes as one. The sequence ends with the task
/// that reads it or with the container.
public struct SettingsUpdates: AsyncSequence, Sendable {
    private let wakeUps: @Sendable () -> AsyncStream<Void>
    private let state: @Sendable () -> [String: ConfigValue]?

    init(_ settings: Settings) {
        let changed = settings.changed
        wakeUps = { changed.wakeUps() }
        state = { [weak settings] in settings?.state() }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(wakeUps: wakeUps().makeAsyncIterator(), state: state)
    }

    public struct Iterator: AsyncIteratorProtocol {
        var wakeUps: AsyncStream<Void>.Iterator
        let state: @Sendable () -> [String: ConfigValue]?
        var last: [String: ConfigValue] = [:]

        public mutating func next() async -> Set<String>? {
            await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Set<String>? {
            while await wakeUps.next(isolation: actor) != nil {
                guard let now = state() else { return nil }
                let keys = Set(now.keys).union(last.keys).filter { now[$0] != last[$0] }
                last = now
                if !keys.isEmpty { return keys }
            }
            return nil
        }
    }
}

extension Settings {
    /// The keys of settings whose values change.
    public var updates: SettingsUpdates { SettingsUpdates(self) }
}
