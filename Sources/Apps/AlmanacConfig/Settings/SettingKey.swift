/// The name of a setting without a type. A ``ConfigKey`` also has a type and a default.
public struct SettingKey: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The name in sources and in user defaults.
    public let name: String

    /// Creates a key from its name.
    public init(_ name: String) { self.name = name }

    /// Creates a key from a case of a string enumeration.
    public init(_ key: some RawRepresentable<String>) { name = key.rawValue }

    /// Creates a key from a typed key.
    public init(_ key: ConfigKey<some Codable & Sendable>) { name = key.name }

    /// Creates a key from a string literal.
    public init(stringLiteral value: String) { name = value }

    /// The name.
    public var description: String { name }
}
