internal import Synchronization

/// Keeps the values that were set, as JSON.
public protocol SettingStorage: Sendable {
    /// Gives a value as it is now.
    ///
    /// - Returns: nil when none was set.
    func value(of key: SettingKey) -> ConfigJSON?
    /// Puts a value in the place of the one before.
    ///
    /// - Parameter value: nil removes it.
    /// - Throws: why it could not be kept; then the one before still counts.
    func set(_ value: ConfigJSON?, of key: SettingKey) throws
    /// Looks for what somebody else has stored since. Does nothing where ``value(of:)`` always sees that.
    func refresh()
}

extension SettingStorage {
    /// Does nothing.
    public func refresh() {}
}

/// Keeps values until the app ends.
public final class MemorySettingStorage: SettingStorage {
    /// The values that were set.
    private let values = Mutex<[SettingKey: ConfigJSON]>([:])

    /// Begins without values.
    public init() {}

    /// Gives a value that was set in this run.
    public func value(of key: SettingKey) -> ConfigJSON? { values.withLock { $0[key] } }

    /// Keeps a value for this run.
    public func set(_ value: ConfigJSON?, of key: SettingKey) { values.withLock { $0[key] = value } }
}
