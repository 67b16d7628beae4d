/// Where an app declares its typed keys, so that they are found behind a dot.
///
/// ```swift
/// extension ConfigKeys {
///     static let timeout = ConfigKey("app.timeout", default: 30.0)
/// }
/// ```
///
/// `almanac config generate swift` writes them from an environment.
public class ConfigKeys: @unchecked Sendable {
    // Safe because neither this class nor its one subclass has anything that changes, and nobody can make another.
    fileprivate init() {}
}

/// A key with the type of its value and the default that holds where there is none: all of it said once.
///
/// A ``ConfigClient``, ``ConfigValues`` and a ``SettingsStore`` are read with it: `client[.timeout]`. A key that is not
/// declared, and a value that is used as another type, are found by the compiler.
public final class ConfigKey<Value: Codable & Sendable>: ConfigKeys, @unchecked Sendable {
    // Safe because nothing here changes.
    /// As it is written on the server: `app.timeout`.
    public let name: String
    /// Holds where neither the server nor the app's bundled defaults have a value of this type.
    public let defaultValue: Value

    /// Declares a key.
    ///
    /// - Parameter default: also says the type.
    public init(_ name: String, default: Value) {
        self.name = name
        defaultValue = `default`
    }
}

extension ConfigKey: Hashable, CustomStringConvertible {
    /// Two keys are equal when their names are; those of other types can't be compared.
    public static func == (one: ConfigKey, other: ConfigKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    /// Takes in the name.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }

    /// The name.
    public var description: String { name }
}
