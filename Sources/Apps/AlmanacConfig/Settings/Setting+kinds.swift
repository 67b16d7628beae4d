/// One setting as the usual functions make it.
public struct StandardSetting<Value: Codable & Sendable>: SettingConfiguration {
    public let key: String
    public let defaultValue: Value
    public let storage: (any SettingStorage)?
    public let releaseLocked: Bool

    public init(_ key: some SettingKey, default: Value, storage: (any SettingStorage)?, releaseLocked: Bool) {
        self.key = key.settingName
        defaultValue = `default`
        self.storage = storage
        self.releaseLocked = releaseLocked
    }
}

/// A setting that only sources change.
public func readonly<Value>(_ key: some SettingKey, default: Value) -> StandardSetting<Value> {
    StandardSetting(key, default: `default`, storage: nil, releaseLocked: false)
}

/// A setting whose value is forgotten when the app ends.
///
/// - Parameter releaseLocked: whether only development builds can set it.
public func transient<Value>(
    _ key: some SettingKey, default: Value, releaseLocked: Bool = false
) -> StandardSetting<Value> {
    StandardSetting(key, default: `default`, storage: MemoryStorage(), releaseLocked: releaseLocked)
}

/// A setting whose value stays on the device.
///
/// - Parameters:
///   - releaseLocked: whether only development builds can set it.
///   - suite: the app group to keep it in; nil for the app itself.
public func userDefault<Value>(
    _ key: some SettingKey, default: Value, releaseLocked: Bool = false, suite: String? = nil
) -> StandardSetting<Value> {
    StandardSetting(
        key, default: `default`, storage: UserDefaultsStorage(suite: suite), releaseLocked: releaseLocked)
}
