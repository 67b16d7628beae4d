#if canImport(Combine)
    public import Combine
#endif

/// The change of a setting's value.
public struct SettingChange<Value: Sendable>: Sendable {
    /// The previous value; nil in the first update, and for a newly registered setting.
    public let old: Value?
    /// The new value; nil if it can't be encoded as JSON.
    public let new: Value?

    /// Creates a change, for a test of an app.
    public init(old: Value?, new: Value?) { (self.old, self.new) = (old, new) }
}

extension SettingChange: Equatable where Value: Equatable {}

/// A set of changed settings.
public struct SettingsUpdate: Sendable {
    /// The changes as JSON.
    public let changes: [SettingKey: SettingChange<ConfigJSON>]

    /// The keys of the changed settings.
    public var keys: Set<SettingKey> { Set(changes.keys) }

    /// Returns the change of one setting; nil if it has not changed.
    public subscript<Value: Codable & Sendable>(key: ConfigKey<Value>) -> SettingChange<Value>? {
        changes[SettingKey(key)].map { change in
            SettingChange(
                old: change.old.flatMap { $0.value(as: Value.self) },
                new: change.new.flatMap { $0.value(as: Value.self) })
        }
    }
}

/// A sequence of changes to settings, each with the old and the new value.
///
/// The first update contains all keys. A slow reader gets several changes as one update. The sequence ends when its
/// task is cancelled or the store is released.
public struct SettingsUpdates: AsyncSequence, Sendable {
    private let broadcaster: ChangeBroadcaster<Void>
    private let state: @Sendable () -> [SettingKey: ConfigJSON]?

    init(_ settings: SettingsStore) {
        broadcaster = settings.broadcaster
        state = { [weak settings] in settings?.state() }
    }

    /// Returns an iterator that starts with all settings.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: broadcaster.changes(startingWith: ()).makeAsyncIterator(), state: state)
    }

    /// An iterator over the updates.
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

        /// Waits for the next change.
        public mutating func next() async -> SettingsUpdate? { await next(isolation: #isolation) }

        /// Waits for the next change, isolated to an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SettingsUpdate? {
            while await changes.next(isolation: actor) != nil {
                guard let now = state() else { return nil }
                var changes: [SettingKey: SettingChange<ConfigJSON>] = [:]
                for key in Set(now.keys).union(last.keys) where now[key] != last[key] {
                    changes[key] = SettingChange(old: last[key], new: now[key])
                }
                last = now
                if !changes.isEmpty { return SettingsUpdate(changes: changes) }
            }
            return nil
        }
    }
}

extension SettingsStore {
    /// A sequence of the settings that change, with their old and new values.
    public var updates: SettingsUpdates { SettingsUpdates(self) }
}

#if canImport(Combine)
    extension SettingsStore {
        /// A publisher of the updates on the main actor. Each subscriber first gets all settings.
        public var publisher: AnyPublisher<SettingsUpdate, Never> { SequencePublisher(updates).eraseToAnyPublisher() }
    }
#endif
