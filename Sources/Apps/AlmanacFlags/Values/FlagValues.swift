internal import AlmanacClientRuntime

/// One consistent set of evaluations for one context.
///
/// Reading never fails: a flag without a value, or with one of another type, gives the default.
public struct FlagValues: Sendable {
    private let answers: [String: FlagAnswer]
    private let reporter: FlagReporter
    /// Whom the evaluations are for.
    public let context: FlagContext
    /// Where the set comes from.
    public let origin: FlagOrigin
    /// The semantic version of the environment at the set's revision, where the server has said it.
    public let version: String?
    /// The revision of the set, where the server has said it.
    public let revision: Int64?

    init(
        _ answers: [String: FlagAnswer], context: FlagContext, origin: FlagOrigin, version: String? = nil,
        revision: Int64? = nil, reporter: FlagReporter
    ) {
        self.answers = answers
        self.context = context
        self.origin = origin
        self.version = version
        self.revision = revision
        self.reporter = reporter
    }

    /// The keys of all flags that the server has evaluated, with a value or not.
    public var keys: Set<String> { Set(answers.keys) }

    /// The value of a flag, or its default.
    public subscript<Value>(key: FlagKey<Value>) -> Value { details(key).value }

    /// True or false.
    public func bool(_ key: String, default: Bool) -> Bool { details(key, default: `default`).value }

    /// A text.
    public func string(_ key: String, default: String) -> String { details(key, default: `default`).value }

    /// A number without a fraction; `3.0` is one too.
    public func int(_ key: String, default: Int) -> Int { details(key, default: `default`).value }

    /// Any number.
    public func double(_ key: String, default: Double) -> Double { details(key, default: `default`).value }

    /// Any type that can be decoded from the value.
    public func decoded<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default: Value
    ) -> Value { details(key, default: `default`).value }

    /// The value of a flag, or its default, and how it came to be.
    public func details<Value>(_ key: FlagKey<Value>) -> FlagDetails<Value> {
        details(key.name, default: key.defaultValue)
    }

    /// The value of a flag, or its default, and how it came to be. The default says the type.
    public func details<Value: Decodable & Sendable>(_ key: String, default: Value) -> FlagDetails<Value> {
        let answer = answers[key]
        let reading = read(key, answer, as: Value.self)
        return FlagDetails(
            key: key, value: reading.value ?? `default`, variant: reading.value == nil ? nil : answer?.variant,
            reason: reading.error == nil ? FlagReason(rawValue: answer?.reason ?? "UNKNOWN") : .error,
            error: reading.error, metadata: answer?.metadata ?? [:], origin: origin)
    }

    /// - Returns: neither where the flag leaves the value to the app.
    func read<Value: Decodable>(
        _ key: String, _ answer: FlagAnswer?, as type: Value.Type
    ) -> (value: Value?, error: FlagError?) {
        guard let answer else {
            if origin == .none { return (nil, FlagError(code: .notReady, details: "the server has not answered yet")) }
            reporter.report(.missing(key: key))
            return (nil, FlagError(code: .notFound, details: "the server does not have the flag \(key)"))
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

    /// What the server has said of a flag.
    func answer(_ key: String) -> FlagAnswer? { answers[key] }

    /// The flags that were evaluated to something else, those that only one of the sets has included.
    package func changes(since earlier: FlagValues?) -> Set<String> {
        guard let earlier else { return keys }
        return keys.union(earlier.keys).filter { answers[$0] != earlier.answers[$0] }
    }
}
