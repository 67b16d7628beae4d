/// The value of a flag with the reason for it.
public struct FlagDetails<Value: Sendable>: Sendable {
    /// The flag's key.
    public let key: String
    /// The server's value, or the default.
    public let value: Value
    /// The name of the chosen variant; nil for the default.
    public let variant: String?
    /// The reason for the value.
    public let reason: FlagReason
    /// The error that caused the default; nil if there is none.
    public let error: FlagError?
    /// The metadata of the flag's definition.
    public let metadata: [String: FlagData]
    /// The source of the evaluation.
    public let origin: FlagOrigin
}

extension FlagDetails: Equatable where Value: Equatable {}

/// The reason for a value, in OpenFeature's terms. A server may send other reasons.
public struct FlagReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The server's text: `TARGETING_MATCH`.
    public let rawValue: String

    /// Creates a reason from the server's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The flag has no rule.
    public static let `static` = FlagReason(rawValue: "STATIC")
    /// No rule matched, or there is no value.
    public static let `default` = FlagReason(rawValue: "DEFAULT")
    /// A rule matched the context.
    public static let targetingMatch = FlagReason(rawValue: "TARGETING_MATCH")
    /// A split chose the value.
    public static let split = FlagReason(rawValue: "SPLIT")
    /// The flag is disabled.
    public static let disabled = FlagReason(rawValue: "DISABLED")
    /// An error occurred; ``FlagDetails/error`` contains it.
    public static let error = FlagReason(rawValue: "ERROR")
    /// The server sent no reason.
    public static let unknown = FlagReason(rawValue: "UNKNOWN")

    public var description: String { rawValue }
}

/// An error that leaves a flag without a value.
public struct FlagError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, in OpenFeature's terms. A server may send other codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The server's text: `FLAG_NOT_FOUND`.
        public let rawValue: String

        /// Creates a code from the server's text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server has not responded for this context, in this run or an earlier one.
        public static let notReady = Code(rawValue: "PROVIDER_NOT_READY")
        /// The flag does not exist, or the token may not read it.
        public static let notFound = Code(rawValue: "FLAG_NOT_FOUND")
        /// The flag's definition is invalid.
        public static let parseError = Code(rawValue: "PARSE_ERROR")
        /// The value has a type other than the requested one.
        public static let typeMismatch = Code(rawValue: "TYPE_MISMATCH")
        /// A rule requires a targeting key, and the context has none.
        public static let targetingKeyMissing = Code(rawValue: "TARGETING_KEY_MISSING")
        /// The server rejects the context.
        public static let invalidContext = Code(rawValue: "INVALID_CONTEXT")
        /// Another error.
        public static let general = Code(rawValue: "GENERAL")

        public var description: String { rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// The explanation for developers.
    public let details: String

    /// Creates an error, for an app's own transport or test.
    public init(code: Code, details: String) {
        self.code = code
        self.details = details
    }

    /// The message for a log, in one line.
    public var description: String { details.isEmpty ? code.rawValue : "\(code): \(details)" }
}

/// The source of evaluations.
public enum FlagOrigin: String, Sendable {
    /// No evaluations for this context, so the app's defaults apply.
    case none
    /// The cache file of an earlier run.
    case cached
    /// The server, in this run.
    case fetched
}
