public import AlmanacTargeting

/// Another flag system's evaluation of its own files, written from that system's documentation and clients, without the
/// translated rules. `--verify` compares both.
public protocol SourceReference: Sendable {
    /// The attributes that rules read, with values that make them true or false: the constants of the rules and values
    /// beside them. A value of null stands for a missing attribute.
    var probes: [AttributeProbe] { get }

    /// Returns what the system gives a user.
    ///
    /// - Parameters:
    ///   - flag: The key in the files.
    ///   - attributes: The attributes by their names in the files; a missing one is absent.
    ///   - now: The time in seconds since 1970.
    func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer
}

/// An attribute and the values with which a verification fills it.
public struct AttributeProbe: Sendable {
    /// The name in the files.
    public let name: String
    /// Values from which each context takes one, or nothing. Empty for the unit, which is random.
    public let values: [FlagValue]

    public init(name: String, values: [FlagValue]) {
        self.name = name
        self.values = values
    }
}

/// An answer of another flag system.
public enum SourceAnswer: Sendable, Equatable {
    case value(FlagValue)
    /// The caller's default.
    case none
    /// An answer that the system makes at random.
    case random
}
