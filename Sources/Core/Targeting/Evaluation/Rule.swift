/// One rule by itself, in JSON Logic with flagd's operators and ours.
public struct Rule: Sendable {
    private let program: Program
    private let root: Int32
    private let fractional: FractionalVersion

    /// Compiles a rule, which may be any value: what is no rule gives itself.
    public init(_ rule: FlagValue, fractional: FractionalVersion) throws(FlagFault) {
        var compiler = RuleCompiler(flags: FlagKeys(keys: []), evaluators: FlagObject())
        root = try compiler.rule(rule, at: []).root
        program = Program(compiler.builder, fractional: fractional)
        self.fractional = fractional
    }

    /// What the rule gives.
    /// - Parameters:
    ///   - data: What `var` looks at; where it is an object, with `$flagd` in it.
    ///   - key: What `$flagd.flagKey` is.
    ///   - now: What `$flagd.timestamp` is, in seconds since 1970.
    public func value(of data: FlagValue, key: String = "", now: Int64 = 0) throws(EvaluationFault) -> FlagValue {
        var context = EvaluationContext()
        if case .object(let object) = data { context = EvaluationContext(object) }
        var evaluator = Evaluator(
            program: program, context: context, now: now, version: fractional, ownKey: key)
        if case .object = data {} else { evaluator.scope = .element(data) }
        return try evaluator.value(root)
    }
}
