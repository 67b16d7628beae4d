/// How one setting behaves. ``ReadOnlySetting``, ``TransientSetting`` and ``UserDefaultSetting`` are the usual ones; an
/// app can make others.
public protocol SettingConfiguration<Value>: Sendable {
    /// What the setting holds.
    associatedtype Value: Codable & Sendable

    /// Names the setting; each name is registered once.
    var key: SettingKey { get }
    /// Holds until a source gives another one; nil where a source gives the first one too.
    var defaultValue: Value? { get }
    /// Where a value lies that the app or its user has set; nil for a setting that can't be set.
    var storage: (any SettingStorage)? { get }
    /// Whether a release build ignores and refuses values that were set.
    var releaseLocked: Bool { get }
}

/// A setting that only sources change.
public struct ReadOnlySetting<Value: Codable & Sendable>: SettingConfiguration {
    /// Names the setting.
    public let key: SettingKey
    /// The default that was registered; nil where a source gave it.
    public let defaultValue: Value?

    /// Registers a typed key with its default.
    public init(_ key: ConfigKey<Value>) {
        self.init(SettingKey(key), default: key.defaultValue)
    }

    /// Registers a key with a default.
    public init(_ key: SettingKey, default: Value) {
        self.key = key
        defaultValue = `default`
    }

    /// Registers a key whose default a source gives when it is registered.
    public init(_ key: SettingKey, as type: Value.Type) {
        self.key = key
        defaultValue = nil
    }

    /// None: it can't be set.
    public var storage: (any SettingStorage)? { nil }
    /// False: there is nothing to lock.
    public var releaseLocked: Bool { false }
}

/// A setting whose value is forgotten when the app ends.
public struct TransientSetting<Value: Codable & Sendable>: SettingConfiguration {
    /// Names the setting.
    public let key: SettingKey
    /// The default that was registered; nil where a source gave it.
    public let defaultValue: Value?
    /// The memory of this run.
    public let storage: (any SettingStorage)? = MemorySettingStorage()
    /// Whether only development builds can set it.
    public let releaseLocked: Bool

    /// Registers a typed key with its default.
    ///
    /// - Parameter releaseLocked: whether only development builds can set it.
    public init(_ key: ConfigKey<Value>, releaseLocked: Bool = false) {
        self.init(SettingKey(key), default: key.defaultValue, releaseLocked: releaseLocked)
    }

    /// Registers a key with a default.
    ///
    /// - Parameter releaseLocked: whether only development builds can set it.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false) {
        self.key = key
        defaultValue = `default`
        self.releaseLocked = releaseLocked
    }

    /// Registers a key whose default a source gives when it is registered.
    public init(_ key: SettingKey, as type: Value.Type, releaseLocked: Bool = false) {
        self.key = key
        defaultValue = nil
        self.releaseLocked = releaseLocked
    }
}

/// A setting whose value stays on the device.
public struct UserDefaultSetting<Value: Codable & Sendable>: SettingConfiguration {
    /// Names the setting.
    public let key: SettingKey
    /// The default that was registered; nil where a source gave it.
    public let defaultValue: Value?
    /// The user defaults of the app, or of an app group.
    public let storage: (any SettingStorage)?
    /// Whether only development builds can set it.
    public let releaseLocked: Bool

    /// Registers a typed key with its default.
    ///
    /// - Parameters:
    ///   - releaseLocked: whether only development builds can set it.
    ///   - suite: the app group to keep it in; nil for the app itself.
    public init(_ key: ConfigKey<Value>, releaseLocked: Bool = false, suite: String? = nil) {
        self.init(SettingKey(key), default: key.defaultValue, releaseLocked: releaseLocked, suite: suite)
    }

    /// Registers a key with a default.
    ///
    /// - Parameters:
    ///   - releaseLocked: whether only development builds can set it.
    ///   - suite: the app group to keep it in; nil for the app itself.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false, suite: String? = nil) {
        self.key = key
        defaultValue = `default`
        storage = UserDefaultsSettingStorage(suite: suite)
        self.releaseLocked = releaseLocked
    }

    /// Registers a key whose default a source gives when it is registered.
    public init(_ key: SettingKey, as type: Value.Type, releaseLocked: Bool = false, suite: String? = nil) {
        self.key = key
        defaultValue = nil
        storage = UserDefaultsSettingStorage(suite: suite)
        self.releaseLocked = releaseLocked
    }
}
