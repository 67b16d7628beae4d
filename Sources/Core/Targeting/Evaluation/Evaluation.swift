/// What a flag is for somebody, and why.
public struct Evaluation: Sendable {
    /// What it is, by the place of the variant.
    public let outcome: Outcome
    /// Those of the flag: handing them on costs less than one of them does.
    private let variants: [Flag.Variant]

    /// What a flag is for somebody, by the place of its variant.
    public struct Outcome: Sendable {
        /// The place of the variant among those of the flag; nil if there is no value, and the caller's own applies.
        public let variantIndex: Int?
        /// Why the flag has this value, or none.
        public let reason: Reason
        /// What went wrong, if the reason is ``Reason/error``.
        public let error: EvaluationFault?

        init(_ variantIndex: Int?, _ reason: Reason) {
            (self.variantIndex, self.reason, error) = (variantIndex, reason, nil)
        }

        init(_ error: EvaluationFault) { (variantIndex, reason, self.error) = (nil, .error, error) }
    }

    /// The place of the variant among those of the flag; nil if there is no value, and the caller's own applies.
    public var variantIndex: Int? { outcome.variantIndex }
    /// Why the flag has this value, or none.
    public var reason: Reason { outcome.reason }
    /// What went wrong, if the reason is ``Reason/error``.
    public var error: EvaluationFault? { outcome.error }
    /// The variant.
    public var variant: Flag.Variant? { variantIndex.map { variants[$0] } }

    /// The value; nil if the caller's own applies.
    public var value: FlagValue? { variant?.value }

    /// Why a flag has its value, in OpenFeature's words. A split is a ``targetingMatch``, as it is for flagd.
    public enum Reason: Sendable {
        /// There is no rule.
        case `static`
        /// The rule picked nothing.
        case `default`
        /// The rule picked the variant.
        case targetingMatch
        /// The flag is switched off.
        case disabled
        /// It couldn't be evaluated.
        case error

        /// The name in OpenFeature and OFREP.
        public var name: String {
            switch self {
            case .static: "STATIC"
            case .default: "DEFAULT"
            case .targetingMatch: "TARGETING_MATCH"
            case .disabled: "DISABLED"
            case .error: "ERROR"
            }
        }
    }

    init(_ outcome: Outcome, of variants: [Flag.Variant] = []) {
        self.outcome = outcome
        self.variants = variants
    }
}

/// Why a flag couldn't be evaluated.
public enum EvaluationFault: Error, Sendable {
    /// The set has no such flag.
    case flagNotFound
    /// The definition is broken.
    case broken(FlagFault)
    /// The rule, or the default, gave something that is no variant's name.
    case noVariant(String)
    /// The rule does more than one evaluation may do, or makes a value that is larger than that.
    case tooMuchWork
    /// The rule makes a value that is nested too deep.
    case tooDeep
    /// A flag that the rule asks for has an error.
    case dependency(String)

    /// The error code in OpenFeature and OFREP.
    public var code: String {
        switch self {
        case .flagNotFound: "FLAG_NOT_FOUND"
        case .broken: "PARSE_ERROR"
        case .noVariant, .tooMuchWork, .tooDeep, .dependency: "GENERAL"
        }
    }

    /// What went wrong, for people.
    public var message: String {
        switch self {
        case .flagNotFound: "there is no such flag"
        case .broken(let fault): fault.message + " at " + fault.path
        case .noVariant(let name): "the rule gave \"" + name.shortened(to: 200) + "\", which is no variant of the flag"
        case .tooMuchWork: "the rule does more than \(RuleLimits.steps) steps"
        case .tooDeep: "the rule makes a value nested deeper than \(RuleLimits.depth)"
        case .dependency(let key): "the flag " + key + ", which the rule asks for, has an error"
        }
    }

    /// Whether a bound of evaluations was met, which ends those of the flags around it too.
    var isBound: Bool {
        switch self {
        case .tooMuchWork, .tooDeep: true
        default: false
        }
    }
}
