/// A namespace for an app's typed keys, so that an app can write `.timeout`.
///
/// ```swift
/// extension ConfigKeys {
///     static let timeout = ConfigKey("app.timeout", default: 30.0)
///     static let ground = ConfigKey("app.background.color", default: ConfigColor(red: 255, green: 255, blue: 255))
/// }
/// ```
///
/// `almanac config generate swift` generates such declarations from an environment.
public class ConfigKeys: @unchecked Sendable {
    // Safe because this class and its only subclass are immutable, and the initializer is not accessible elsewhere.
    fileprivate init() {}
}

/// A key with the type of its value and a default.
///
/// A ``ConfigClient``, ``ConfigValues`` and a ``SettingsStore`` accept the key as a subscript: `client[.timeout]`. The
/// compiler rejects an undeclared key and a value of the wrong type.
public final class ConfigKey<Value: Codable & Sendable>: ConfigKeys, @unchecked Sendable {
    // Safe because all properties are immutable.
    /// The key's name on the server: `app.timeout`.
    public let name: String
    /// The value if neither the server nor the app's bundled defaults have a value of this type.
    public let defaultValue: Value

    /// Declares a key.
    ///
    /// - Parameter default: the default, which also determines the type.
    public init(_ name: String, default: Value) {
        self.name = name
        defaultValue = `default`
    }
}

extension ConfigKey: Hashable, CustomStringConvertible {
    /// Returns true if both keys have the same name. Keys of different types can't be compared.
    public static func == (one: ConfigKey, other: ConfigKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { for byte in name.utf8 { hasher.combine(byte) } }

    /// The name.
    public var description: String { name }
}
