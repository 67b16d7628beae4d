/// Names a setting.
///
/// ```swift
/// extension SettingKey {
///     static let volume: SettingKey = "volume"
/// }
/// ```
public struct SettingKey: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    /// One of an enumeration of strings.
    public init(_ key: some RawRepresentable<String>) {
        name = key.rawValue
    }

    public init(stringLiteral value: String) {
        name = value
    }

    public var description: String { name }
}

/// How one setting behaves. ``ReadOnlySetting``, ``TransientSetting`` and ``UserDefaultSetting`` are the usual ones; an
/// app can make others.
public protocol SettingConfiguration<Value>: Sendable {
    associatedtype Value: Codable & Sendable

    var key: SettingKey { get }
    /// Holds until a source gives another one.
    var defaultValue: Value { get }
    /// Where a value lies that the app or its user has set; nil for a setting that can't be set.
    var storage: (any SettingStorage)? { get }
    /// Whether a release build ignores and refuses values that were set.
    var releaseLocked: Bool { get }
}

/// A setting that only sources change.
public struct ReadOnlySetting<Value: Codable & Sendable>: SettingConfiguration {
    public let key: SettingKey
    public let defaultValue: Value

    public init(_ key: SettingKey, default: Value) {
        self.key = key
        defaultValue = `default`
    }

    public var storage: (any SettingStorage)? { nil }
    public var releaseLocked: Bool { false }
}

/// A setting whose value is forgotten when the app ends.
public struct TransientSetting<Value: Codable & Sendable>: SettingConfiguration {
    public let key: SettingKey
    public let defaultValue: Value
    public let storage: (any SettingStorage)? = MemorySettingStorage()
    public let releaseLocked: Bool

    /// - Parameter releaseLocked: whether only development builds can set it.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false) {
        self.key = key
        defaultValue = `default`
        self.releaseLocked = releaseLocked
    }
}

/// A setting whose value stays on the device.
public struct UserDefaultSetting<Value: Codable & Sendable>: SettingConfiguration {
    public let key: SettingKey
    public let defaultValue: Value
    public let storage: (any SettingStorage)?
    public let releaseLocked: Bool

    /// - Parameters:
    ///   - releaseLocked: whether only development builds can set it.
    ///   - suite: the app group to keep it in; nil for the app itself.
    public init(_ key: SettingKey, default: Value, releaseLocked: Bool = false, suite: String? = nil) {
        self.key = key
        defaultValue = `default`
        storage = UserDefaultsSettingStorage(suite: suite)
        self.releaseLocked = releaseLocked
    }
}

/// Lists settings, with conditions and loops.
@resultBuilder
public enum SettingsBuilder {
    public static func buildExpression(_ setting: any SettingConfiguration) -> [any SettingConfiguration] { [setting] }

    public static func buildExpression(_ settings: [any SettingConfiguration]) -> [any SettingConfiguration] {
        settings
    }

    public static func buildBlock(_ parts: [any SettingConfiguration]...) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }

    public static func buildOptional(_ part: [any SettingConfiguration]?) -> [any SettingConfiguration] { part ?? [] }

    public static func buildEither(first: [any SettingConfiguration]) -> [any SettingConfiguration] { first }

    public static func buildEither(second: [any SettingConfiguration]) -> [any SettingConfiguration] { second }

    public static func buildArray(_ parts: [[any SettingConfiguration]]) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }
}
