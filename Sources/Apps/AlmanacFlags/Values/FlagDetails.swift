/// The value of a flag, and how it came to be.
public struct FlagDetails<Value: Sendable>: Sendable {
    /// The flag's.
    public let key: String
    /// What the server chose, or the default.
    public let value: Value
    /// The name of what was chosen; nil where the default holds.
    public let variant: String?
    /// How the value came to be.
    public let reason: FlagReason
    /// Why the default holds, where the flag should have had a value.
    public let error: FlagError?
    /// What the flag's editors have noted with it.
    public let metadata: [String: FlagData]
    /// Where the evaluation comes from.
    public let origin: FlagOrigin
}

extension FlagDetails: Equatable where Value: Equatable {}

/// How a value came to be, in OpenFeature's words. A server may have more than are named here.
public struct FlagReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// As the server writes it: `TARGETING_MATCH`.
    public let rawValue: String

    /// Takes a reason that is not named here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The flag has no rule.
    public static let `static` = FlagReason(rawValue: "STATIC")
    /// No rule applied, or there is no value at all.
    public static let `default` = FlagReason(rawValue: "DEFAULT")
    /// A rule chose the value for this context.
    public static let targetingMatch = FlagReason(rawValue: "TARGETING_MATCH")
    /// A split chose the value.
    public static let split = FlagReason(rawValue: "SPLIT")
    /// The flag is switched off.
    public static let disabled = FlagReason(rawValue: "DISABLED")
    /// ``FlagDetails/error`` says what is wrong.
    public static let error = FlagReason(rawValue: "ERROR")
    /// The server has not said.
    public static let unknown = FlagReason(rawValue: "UNKNOWN")

    public var description: String { rawValue }
}

/// Why a flag has no value.
public struct FlagError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is, in OpenFeature's words. A server may have more than are named here.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// As the server writes it: `FLAG_NOT_FOUND`.
        public let rawValue: String

        /// Takes a code that is not named here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The server has not answered yet, in this run or an earlier one, for this context.
        public static let notReady = Code(rawValue: "PROVIDER_NOT_READY")
        /// There is no such flag, or it is not to be seen with this token.
        public static let notFound = Code(rawValue: "FLAG_NOT_FOUND")
        /// The flag's definition is broken.
        public static let parseError = Code(rawValue: "PARSE_ERROR")
        /// The value is of another type than was asked for.
        public static let typeMismatch = Code(rawValue: "TYPE_MISMATCH")
        /// A rule needs to know who is asking.
        public static let targetingKeyMissing = Code(rawValue: "TARGETING_KEY_MISSING")
        /// The server does not take the context.
        public static let invalidContext = Code(rawValue: "INVALID_CONTEXT")
        /// Something else.
        public static let general = Code(rawValue: "GENERAL")

        public var description: String { rawValue }
    }

    /// Tells errors apart.
    public let code: Code
    /// What is wrong, for people.
    public let details: String

    /// For transports and tests of an app's own.
    public init(code: Code, details: String) {
        self.code = code
        self.details = details
    }

    /// One line for a log.
    public var description: String { details.isEmpty ? code.rawValue : "\(code): \(details)" }
}

/// Where evaluations come from.
public enum FlagOrigin: String, Sendable {
    /// There are none for this context: the defaults of the app hold.
    case none
    /// From the file that an earlier run left.
    case cached
    /// From the server, in this run.
    case fetched
}
