internal import Synchronization

/// A storage of set values as JSON.
public protocol SettingStorage: Sendable {
    /// Returns the stored value; nil if none is set.
    func value(of key: SettingKey) -> ConfigJSON?
    /// Replaces a stored value.
    ///
    /// - Parameter value: the new value; nil removes the stored value.
    /// - Throws: an error if the value could not be stored; the previous value remains.
    func set(_ value: ConfigJSON?, of key: SettingKey) throws
    /// Reloads values that another process has stored. Does nothing if ``value(of:)`` always reads the newest value.
    func refresh()
}

extension SettingStorage {
    /// Does nothing.
    public func refresh() {}
}

/// A storage in memory.
public final class MemorySettingStorage: SettingStorage {
    private let values = Mutex<[SettingKey: ConfigJSON]>([:])

    /// Creates an empty storage.
    public init() {}

    /// Returns a value that was set in this run.
    public func value(of key: SettingKey) -> ConfigJSON? { values.withLock { $0[key] } }

    /// Stores a value until the app ends.
    public func set(_ value: ConfigJSON?, of key: SettingKey) { values.withLock { $0[key] = value } }
}
