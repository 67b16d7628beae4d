/// The key, default and storage of a setting. ``ReadOnlySetting``, ``TransientSetting`` and ``UserDefaultSetting`` are
/// the usual configurations; an app can define others.
public protocol SettingConfiguration<Value>: Sendable {
    /// The type of the setting's value.
    associatedtype Value: Codable & Sendable

    /// The key of the setting. Each key is registered once.
    var key: SettingKey { get }
    /// The default unless a source supplies another; nil if a source supplies the first default too.
    var defaultValue: Value? { get }
    /// The storage of a set value; nil for a read-only setting.
    var storage: (any SettingStorage)? { get }
    /// True if a release build ignores and rejects set values.
    var releaseLocked: Bool { get }
}

/// A setting that only sources can change.
public struct ReadOnlySetting<Value: Codable & Sendable>: SettingConfiguration {
    /// The key of the setting.
    public let key: SettingKey
    /// The registered default; nil if a source supplies it.
    public let defaultValue: Value?

    /// Creates a setting for a typed key with the key's default.
    public init(_ key: ConfigKey<Value>) { self.init(SettingKey(key), default: key.defaultValue) }

    /// Creates a setting with a default.
    public init(_ key: SettingKey, default: Value) {
        self.key = key
        defaultValue = `default`
    }

    /// Creates a setting whose default is supplied by a source at registration.
    public init(_ key: SettingKey, as type: Value.Type) {
        self.key = key
        defaultValue = nil
    }

    /// No storage, because the setting is read-only.
    public var storage: (any SettingStorage)? { nil }
    /// False, because the setting is read-only.
    public var releaseLocked: Bool { false }
}

/// A setting whose set value is lost when the app ends.
public struct TransientSetting<Value: Codable & Sendable>: SettingConfiguration {
    /// The key of the setting.
    public let key: SettingKey
    /// The registered default; nil if a source supplies it.
    public let defaultValue: Value?
    /// A storage in memory.
    public let storage: (any SettingStorage)? = MemorySettingStorage()
    /// True if the value can only be set in development builds.
    public let releaseLocked: Bool

    /// Creates a setting for a typed key with the key's default.
    ///
    /// - Parameter releaseLocked: true if the value can only be set in development builds.
    public init(_ key: ConfigKey<Value>, releaseLocked: Bool = false) {
        self.init(SettingKey(key), default: key.defaultValue, releaseLocked: releaseLocked)
    }

    /// Creates a setting with a default.
    ///
    /// - Parameter releaseLocked: true if the value can only be set in development builds.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false) {
        self.key = key
        defaultValue = `default`
        self.releaseLocked = releaseLocked
    }

    /// Creates a setting whose default is supplied by a source at registration.
    public init(_ key: SettingKey, as type: Value.Type, releaseLocked: Bool = false) {
        self.key = key
        defaultValue = nil
        self.releaseLocked = releaseLocked
    }
}

/// A setting whose set value is stored on the device.
public struct UserDefaultSetting<Value: Codable & Sendable>: SettingConfiguration {
    /// The key of the setting.
    public let key: SettingKey
    /// The registered default; nil if a source supplies it.
    public let defaultValue: Value?
    /// A storage in the user defaults of the app or of an app group.
    public let storage: (any SettingStorage)?
    /// True if the value can only be set in development builds.
    public let releaseLocked: Bool

    /// Creates a setting for a typed key with the key's default.
    ///
    /// - Parameters:
    ///   - releaseLocked: true if the value can only be set in development builds.
    ///   - suite: the app group that stores the value; nil for the app itself.
    public init(_ key: ConfigKey<Value>, releaseLocked: Bool = false, suite: String? = nil) {
        self.init(SettingKey(key), default: key.defaultValue, releaseLocked: releaseLocked, suite: suite)
    }

    /// Creates a setting with a default.
    ///
    /// - Parameters:
    ///   - releaseLocked: true if the value can only be set in development builds.
    ///   - suite: the app group that stores the value; nil for the app itself.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false, suite: String? = nil) {
        self.key = key
        defaultValue = `default`
        storage = UserDefaultsSettingStorage(suite: suite)
        self.releaseLocked = releaseLocked
    }

    /// Creates a setting whose default is supplied by a source at registration.
    public init(_ key: SettingKey, as type: Value.Type, releaseLocked: Bool = false, suite: String? = nil) {
        self.key = key
        defaultValue = nil
        storage = UserDefaultsSettingStorage(suite: suite)
        self.releaseLocked = releaseLocked
    }
}
