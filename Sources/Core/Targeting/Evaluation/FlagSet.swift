/// The flags of one release with their compiled rules.
public struct FlagSet: Sendable {
    /// The flags, ordered by the bytes of their keys.
    public var flags: [Flag] { program.flags }
    /// The faults of the definitions: those of the flags in their order, of shared rules, of dependencies between
    /// flags, and of the variants that rules yield. A writer should refuse a set with any fault. A reader can evaluate
    /// each flag without a breaking fault.
    public let faults: [FlagFault]
    /// The metadata of the set.
    public let metadata: FlagObject
    /// The hash function of splits.
    public let fractional: FractionalVersion
    /// The limit on the steps of all evaluations in one call.
    public static let maxSteps = RuleLimits.maxRequestSteps
    private let keys: FlagKeys
    private let program: Program

    /// Creates a set from definitions.
    /// - Parameters:
    ///   - definitions: A definition for each key, as in the `flags` of flagd's format.
    ///   - evaluators: The shared rules, which `$ref` refers to.
    ///   - metadata: The metadata of all flags.
    ///   - fractional: The hash function of splits.
    public init(
        _ definitions: FlagObject, evaluators: FlagObject = FlagObject(), metadata: FlagObject = FlagObject(),
        fractional: FractionalVersion
    ) {
        let ordered = definitions.members.sorted { $0.name.comesBefore($1.name) }
        keys = FlagKeys(keys: ordered.map { $0.name })
        var reader = DefinitionReader(flags: keys, evaluators: evaluators, metadata: metadata)
        var drafts = ordered.map { reader.flag($0.name, $0.value) }
        reader.readShared(evaluators)
        var faults = reader.faults
        Dependencies.check(&drafts) { faults.append($0) }
        program = Shortcuts.program(reader.compiler.builder, flags: drafts, fractional) { faults.append($0) }
        self.faults = faults
        self.metadata = metadata
        self.fractional = fractional
    }

    /// Returns the index of a flag, or nil if the set does not have it.
    public func index(of key: String) -> Int? { keys.index(of: key) }

    /// True if the evaluation of any flag may change as time passes.
    public var readsTime: Bool { flags.contains { $0.readsTime } }

    /// Evaluates a flag.
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - context: The attributes of the user.
    ///   - now: The time in seconds since 1970.
    public func evaluate(_ key: String, for context: EvaluationContext, now: Int64) -> Evaluation {
        guard let index = index(of: key) else { return Evaluation(Evaluation.Outcome(.flagNotFound)) }
        return evaluate(index, for: context, now: now)
    }

    /// Evaluates the flag at an index.
    public func evaluate(_ index: Int, for context: EvaluationContext, now: Int64) -> Evaluation {
        var evaluator = evaluator(index, context, now)
        return Evaluation(evaluator.outcome(), of: flags[index].variants)
    }

    /// Evaluates several flags. Each condition that several rules share is evaluated once, so one call is faster than
    /// several.
    /// - Parameters:
    ///   - places: The indices of the flags, in the order of evaluation.
    ///   - context: The attributes of the user.
    ///   - now: The time in seconds since 1970.
    ///   - longWork: Is called once if the evaluations take more than 10,000 steps, which is about a millisecond.
    ///   - each: Receives the index of a flag and its outcome.
    /// - Throws: ``EvaluationFault/tooMuchWork`` if all rules together take more than ``maxSteps`` steps.
    public func evaluate(
        _ places: [Int], for context: EvaluationContext, now: Int64, longWork: () -> Void = {},
        each: (Int, Evaluation.Outcome) -> Void
    ) throws(EvaluationFault) {
        guard let first = places.first else { return }
        var evaluator = evaluator(first, context, now)
        evaluator.cachesConditions = true
        var stepsLeft = RuleLimits.maxRequestSteps
        var isLong = false
        for place in places {
            each(place, evaluator.outcome(of: place, &stepsLeft))
            if !isLong, stepsLeft < RuleLimits.maxRequestSteps - 10_000 {
                isLong = true
                longWork()
            }
            guard stepsLeft >= 0 else { throw .tooMuchWork }
        }
    }

    /// Evaluates a flag like ``evaluate(_:for:now:)``, and explains the result.
    public func explain(_ key: String, for context: EvaluationContext, now: Int64) -> Explanation {
        guard let index = index(of: key) else {
            return Explanation(evaluation: Evaluation(Evaluation.Outcome(.flagNotFound)), steps: [], omitted: 0)
        }
        var evaluator = evaluator(index, context, now)
        evaluator.findings = Findings()
        let evaluation = Evaluation(evaluator.outcome(), of: flags[index].variants)
        evaluator.findings?.close()
        return Explanation(evaluation: evaluation, steps: evaluator.steps, omitted: evaluator.findings?.omitted ?? 0)
    }

    func evaluator(_ index: Int, _ context: EvaluationContext, _ now: Int64) -> Evaluator {
        Evaluator(program: program, context: context, now: now, version: fractional, place: index)
    }
}
