#if canImport(Combine)
    public import Combine
#endif

/// The keys of settings that have another value than before, each time that there are some.
///
/// The first update has all keys. A reader that is slow gets several changes as one. The sequence ends with the task
/// that reads it or with the container.
public struct SettingsUpdates: AsyncSequence, Sendable {
    private let broadcaster: ChangeBroadcaster<Void>
    private let state: @Sendable () -> [SettingKey: ConfigJSON]?

    init(_ settings: SettingsStore) {
        broadcaster = settings.broadcaster
        state = { [weak settings] in settings?.state() }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: broadcaster.changes(startingWith: ()).makeAsyncIterator(), state: state)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var changes: ChangeBroadcaster<Void>.Changes.Iterator
        fileprivate let state: @Sendable () -> [SettingKey: ConfigJSON]?
        private var last: [SettingKey: ConfigJSON] = [:]

        fileprivate init(
            changes: ChangeBroadcaster<Void>.Changes.Iterator,
            state: @escaping @Sendable () -> [SettingKey: ConfigJSON]?
        ) {
            self.changes = changes
            self.state = state
        }

        public mutating func next() async -> Set<SettingKey>? {
            await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Set<SettingKey>? {
            while await changes.next(isolation: actor) != nil {
                guard let now = state() else { return nil }
                let keys = Set(now.keys).union(last.keys).filter { now[$0] != last[$0] }
                last = now
                if !keys.isEmpty { return keys }
            }
            return nil
        }
    }
}

extension SettingsStore {
    /// The keys of settings whose values change.
    public var updates: SettingsUpdates { SettingsUpdates(self) }
}

#if canImport(Combine)
    extension SettingsStore {
        /// The updates for Combine, on the main actor. Each subscriber gets all keys first, and ends alone.
        public var publisher: AnyPublisher<Set<SettingKey>, Never> {
            SequencePublisher(updates).eraseToAnyPublisher()
        }
    }
#endif
