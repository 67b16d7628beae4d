/// A namespace for an app's typed flags, so that an app can write `.fasterCheckout`.
///
/// ```swift
/// extension FlagKeys {
///     static let fasterCheckout = FlagKey("faster-checkout", default: false)
///     static let retryLimits = FlagKey("limits", default: RetryLimits(retries: 3))
/// }
/// ```
///
/// `almanac flags generate swift` generates such declarations from an environment.
public class FlagKeys: @unchecked Sendable {
    // Safe because this class and its only subclass are immutable, and the initializer is not accessible elsewhere.
    fileprivate init() {}
}

/// A flag's key with the type of its value and a default.
///
/// ``RemoteFlags`` and ``FlagValues`` accept the key as a subscript: `flags[.fasterCheckout]`.
public final class FlagKey<Value: Codable & Sendable>: FlagKeys, @unchecked Sendable {
    // Safe because all properties are immutable.
    /// The flag's key on the server: `faster-checkout`.
    public let name: String
    /// The value if the server has no value of this type.
    public let defaultValue: Value

    /// Declares a flag.
    ///
    /// - Parameter default: the default, which also determines the type.
    public init(_ name: String, default: Value) {
        self.name = name
        defaultValue = `default`
    }
}

extension FlagKey: Hashable, CustomStringConvertible {
    /// Returns true if both keys have the same name. Keys of different types can't be compared.
    public static func == (one: FlagKey, other: FlagKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { for byte in name.utf8 { hasher.combine(byte) } }

    /// The name.
    public var description: String { name }
}
