/// A single rule in JSON Logic, with the operators of flagd and Almanac.
public struct Rule: Sendable {
    private let program: Program
    private let root: Int32
    private let fractional: FractionalVersion

    /// Compiles a rule. Any value is accepted: a value without an operator evaluates to itself.
    public init(_ rule: FlagValue, fractional: FractionalVersion) throws(FlagFault) {
        var compiler = RuleCompiler(flags: FlagKeys(keys: []), evaluators: FlagObject())
        root = try compiler.rule(rule, at: []).root
        program = Program(compiler.builder, fractional: fractional)
        self.fractional = fractional
    }

    /// Evaluates the rule.
    /// - Parameters:
    ///   - data: The value that `var` reads from. If it is an object, `var` also finds `$flagd` in it.
    ///   - key: The value of `$flagd.flagKey`.
    ///   - now: The value of `$flagd.timestamp`, in seconds since 1970.
    public func value(of data: FlagValue, key: String = "", now: Int64 = 0) throws(EvaluationFault) -> FlagValue {
        var context = EvaluationContext()
        if case .object(let object) = data { context = EvaluationContext(object) }
        var evaluator = Evaluator(program: program, context: context, now: now, version: fractional, ownKey: key)
        if case .object = data {} else { evaluator.scope = .element(data) }
        return try evaluator.value(root)
    }
}
