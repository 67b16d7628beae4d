/// Where an app declares its typed flags, so that they are found behind a dot.
///
/// ```swift
/// extension FlagKeys {
///     static let fasterCheckout = FlagKey("faster-checkout", default: false)
///     static let retryLimits = FlagKey("limits", default: RetryLimits(retries: 3))
/// }
/// ```
///
/// `almanac flags generate swift` writes them from an environment.
public class FlagKeys: @unchecked Sendable {
    // Safe because neither this class nor its one subclass has anything that changes, and nobody can make another.
    fileprivate init() {}
}

/// A flag with the type of its value and the default that holds where the server chooses none: all of it said once.
///
/// ``RemoteFlags`` and ``FlagValues`` are read with it: `flags[.fasterCheckout]`.
public final class FlagKey<Value: Codable & Sendable>: FlagKeys, @unchecked Sendable {
    // Safe because nothing here changes.
    /// As it is written on the server: `faster-checkout`.
    public let name: String
    /// Holds where the server chooses no value of this type.
    public let defaultValue: Value

    /// Declares a flag.
    ///
    /// - Parameter default: also says the type.
    public init(_ name: String, default: Value) {
        self.name = name
        defaultValue = `default`
    }
}

extension FlagKey: Hashable, CustomStringConvertible {
    /// Two keys are equal when their names are; those of other types can't be compared.
    public static func == (one: FlagKey, other: FlagKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    /// Takes in the name.
    public func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }

    /// The name.
    public var description: String { name }
}
