/// The result of evaluating a flag for a context: the variant and the reason.
public struct Evaluation: Sendable {
    /// The outcome, with the index of the variant.
    public let outcome: Outcome
    /// All variants of the flag: copying the array is cheaper than copying one variant.
    private let variants: [Flag.Variant]

    /// The result of an evaluation, with the index of the variant.
    public struct Outcome: Sendable {
        /// The index of the variant among the flag's variants, or nil if the caller's default applies.
        public let variantIndex: Int?
        /// The reason for the value, or for its absence.
        public let reason: Reason
        /// The error, if the reason is ``Reason/error``.
        public var error: EvaluationFault? { failure?.error }
        private let failure: Failure?

        /// An error, in a class to make outcomes cheap to copy.
        private final class Failure: Sendable {
            let error: EvaluationFault

            init(_ error: EvaluationFault) { self.error = error }
        }

        init(_ variantIndex: Int?, _ reason: Reason) {
            (self.variantIndex, self.reason, failure) = (variantIndex, reason, nil)
        }

        init(_ error: EvaluationFault) { (variantIndex, reason, failure) = (nil, .error, Failure(error)) }
    }

    /// The index of the variant among the flag's variants, or nil if the caller's default applies.
    public var variantIndex: Int? { outcome.variantIndex }
    /// The reason for the value, or for its absence.
    public var reason: Reason { outcome.reason }
    /// The error, if the reason is ``Reason/error``.
    public var error: EvaluationFault? { outcome.error }
    /// The variant, or nil if the caller's default applies.
    public var variant: Flag.Variant? { variantIndex.map { variants[$0] } }

    /// The value, or nil if the caller's default applies.
    public var value: FlagValue? { variant?.value }

    /// The reason for a flag's value, in OpenFeature's terms. A split is a ``targetingMatch``, as in flagd.
    public enum Reason: Sendable {
        /// The flag has no rule.
        case `static`
        /// The rule selected no variant.
        case `default`
        /// The rule selected the variant.
        case targetingMatch
        /// The flag is switched off.
        case disabled
        /// The evaluation failed.
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

/// An error of an evaluation.
public enum EvaluationFault: Error, Sendable {
    /// The set has no such flag.
    case flagNotFound
    /// The definition has a breaking fault.
    case broken(FlagFault)
    /// The rule or the default yielded a text that is not the name of a variant.
    case noVariant(String)
    /// The rule needs more steps than an evaluation may take, or makes a value larger than that limit.
    case tooMuchWork
    /// The rule makes a value that is nested too deep.
    case tooDeep
    /// A split needs a unit that the context does not have, because the system that it comes from fails then, too.
    case noUnit
    /// A flag that the rule depends on has an error.
    case dependency(String)

    /// The error code in OpenFeature and OFREP.
    public var code: String {
        switch self {
        case .flagNotFound: "FLAG_NOT_FOUND"
        case .broken: "PARSE_ERROR"
        case .noVariant, .tooMuchWork, .tooDeep, .noUnit, .dependency: "GENERAL"
        }
    }

    /// The error message for people.
    public var message: String {
        switch self {
        case .flagNotFound: "there is no such flag"
        case .broken(let fault): fault.message + " at " + fault.path
        case .noVariant(let name):
            "the rule returned \"" + name.shortened(to: 200) + "\", which is not a variant of the flag"
        case .tooMuchWork: "the rule does more than \(RuleLimits.maxSteps) steps"
        case .tooDeep: "the rule returns a value nested deeper than \(RuleLimits.maxDepth)"
        case .noUnit: "the split has no unit, because the context lacks the attribute that the rule reads"
        case .dependency(let key): "the flag " + key + ", which the rule reads, has an error"
        }
    }

    /// True for an exceeded limit, which also ends the evaluation of the flags that depend on this one.
    var isBound: Bool {
        switch self {
        case .tooMuchWork, .tooDeep: true
        default: false
        }
    }
}
