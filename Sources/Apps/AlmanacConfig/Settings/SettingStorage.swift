/// Keeps the values that were set, as JSON.
public protocol SettingStorage: Sendable {
    /// - Returns: nil when none was set.
    func value(of key: String) -> ConfigValue?
    /// - Parameter value: nil removes it.
    func set(_ value: ConfigValue?, of key: String)
}
