internal import AlmanacClientRuntime

/// A consistent set of evaluations for one context.
///
/// Reading never fails: for a missing value or a value of another type, the default is returned.
public struct FlagValues: Sendable {
    private let answers: [String: FlagEvaluation]
    private let reporter: FlagReporter
    /// The context of the evaluations.
    public let context: FlagContext
    /// The source of the set.
    public let origin: FlagOrigin
    /// The environment's semantic version at this revision; nil if the server did not send it.
    public let version: String?
    /// The revision of the set; nil if the server did not send it.
    public let revision: Int64?

    init(
        _ answers: [String: FlagEvaluation], context: FlagContext, origin: FlagOrigin, version: String? = nil,
        revision: Int64? = nil, reporter: FlagReporter
    ) {
        self.answers = answers
        self.context = context
        self.origin = origin
        self.version = version
        self.revision = revision
        self.reporter = reporter
    }

    /// The keys of all evaluated flags, also of flags without a value.
    public var keys: Set<String> { Set(answers.keys) }

    /// Returns the value of a flag, or its default.
    public subscript<Value>(key: FlagKey<Value>) -> Value { details(key).value }

    /// Returns a Boolean value, or the default.
    public func bool(_ key: String, default: Bool) -> Bool { details(key, default: `default`).value }

    /// Returns a string value, or the default.
    public func string(_ key: String, default: String) -> String { details(key, default: `default`).value }

    /// Returns an integer value, including `3.0`, or the default.
    public func int(_ key: String, default: Int) -> Int { details(key, default: `default`).value }

    /// Returns a number, or the default.
    public func double(_ key: String, default: Double) -> Double { details(key, default: `default`).value }

    /// Returns a value decoded as any type, or the default.
    public func decoded<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value { details(key, default: `default`).value }

    /// Returns the value of a flag, or its default, with the reason.
    public func details<Value>(_ key: FlagKey<Value>) -> FlagDetails<Value> {
        details(key.name, default: key.defaultValue)
    }

    /// Returns the value of a flag, or the default, with the reason. The default determines the type.
    public func details<Value: Decodable & Sendable>(_ key: String, default: Value) -> FlagDetails<Value> {
        let answer = answers[key]
        let reading = read(key, answer, as: Value.self)
        return FlagDetails(
            key: key, value: reading.value ?? `default`, variant: reading.value == nil ? nil : answer?.variant,
            reason: reading.error == nil ? FlagReason(rawValue: answer?.reason ?? "UNKNOWN") : .error,
            error: reading.error, metadata: answer?.metadata ?? [:], origin: origin)
    }

    /// Reads a flag as a type. Returns nil for both value and error if the flag defers to the app's default.
    func read<Value: Decodable>(
        _ key: String, _ answer: FlagEvaluation?, as type: Value.Type
    ) -> (value: Value?, error: FlagError?) {
        guard let answer else {
            if origin == .none { return (nil, FlagError(code: .notReady, details: "the server has not answered yet")) }
            reporter.report(.missing(key: key))
            return (nil, FlagError(code: .notFound, details: "the server has no flag \(key)"))
        }
        if let error = answer.error {
            reporter.report(error.code == .notFound ? .missing(key: key) : .broken(key: key, error: error))
            return (nil, error)
        }
        if answer.reason == FlagReason.disabled.rawValue { reporter.report(.disabled(key: key)) }
        guard let value = answer.value else { return (nil, nil) }
        if let taken = value.value(as: type) { return (taken, nil) }
        let (expected, found) = (JSONText.form(of: type), value.found(for: type))
        reporter.report(.wrongType(key: key, expected: expected, found: found))
        return (nil, FlagError(code: .typeMismatch, details: "expected \(expected), found \(found)"))
    }

    func answer(_ key: String) -> FlagEvaluation? { answers[key] }

    /// Returns the flags whose evaluations differ from an earlier set, or that only one of the sets contains.
    package func changes(since earlier: FlagValues?) -> Set<String> {
        guard let earlier else { return keys }
        return keys.union(earlier.keys).filter { answers[$0] != earlier.answers[$0] }
    }
}
