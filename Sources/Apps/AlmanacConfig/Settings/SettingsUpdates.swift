#if canImport(Combine)
    public import Combine
#endif

/// A setting's value before and after a change.
public struct SettingChange<Value: Sendable>: Sendable {
    /// Nil in the first update, and for a setting that has been registered since.
    public let old: Value?
    /// Nil for what can't be written as JSON.
    public let new: Value?

    /// Makes a change, for tests of what an app does with one.
    public init(old: Value?, new: Value?) {
        (self.old, self.new) = (old, new)
    }
}

extension SettingChange: Equatable where Value: Equatable {}

/// Settings that have other values than before.
public struct SettingsUpdate: Sendable {
    /// The changes as JSON.
    public let changes: [SettingKey: SettingChange<ConfigJSON>]

    /// The settings whose values are others now.
    public var keys: Set<SettingKey> { Set(changes.keys) }

    /// The change of one setting; nil where it has none.
    public subscript<Value: Codable & Sendable>(key: ConfigKey<Value>) -> SettingChange<Value>? {
        changes[SettingKey(key)].map { change in
            SettingChange(
                old: change.old.flatMap { $0.value(as: Value.self) },
                new: change.new.flatMap { $0.value(as: Value.self) })
        }
    }
}

/// The settings that have another value than before, each time that there are some, with the old and the new one.
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

    /// Begins with all settings.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: broadcaster.changes(startingWith: ()).makeAsyncIterator(), state: state)
    }

    /// One reader of the updates.
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
        public mutating func next() async -> SettingsUpdate? {
            await next(isolation: #isolation)
        }

        /// Waits for the next change on an actor.
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
    /// The settings whose values change, with the old and the new ones.
    public var updates: SettingsUpdates { SettingsUpdates(self) }
}

#if canImport(Combine)
    extension SettingsStore {
        /// The updates for Combine, on the main actor. Each subscriber gets all settings first, and ends alone.
        public var publisher: AnyPublisher<SettingsUpdate, Never> {
            SequencePublisher(updates).eraseToAnyPublisher()
        }
    }
#endif
