/// Names a setting, whatever its type. A ``ConfigKey`` says type and default too.
public struct SettingKey: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// As sources and user defaults know it.
    public let name: String

    /// Names a setting by its text.
    public init(_ name: String) {
        self.name = name
    }

    /// One of an enumeration of strings.
    public init(_ key: some RawRepresentable<String>) {
        name = key.rawValue
    }

    /// The name of a typed key.
    public init(_ key: ConfigKey<some Codable & Sendable>) {
        name = key.name
    }

    /// Names a setting by its text.
    public init(stringLiteral value: String) {
        name = value
    }

    /// The name.
    public var description: String { name }
}
