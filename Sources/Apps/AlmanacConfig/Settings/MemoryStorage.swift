internal import Synchronization

/// Keeps values until the app ends.
public final class MemoryStorage: SettingStorage {
    private let values = Mutex<[String: ConfigValue]>([:])

    public init() {}

    public func value(of key: String) -> ConfigValue? { values.withLock { $0[key] } }

    public func set(_ value: ConfigValue?, of key: String) { values.withLock { $0[key] = value } }
}
