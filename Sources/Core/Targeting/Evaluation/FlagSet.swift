/// Flags of one release with their rules, ready for evaluation.
public struct FlagSet: Sendable {
    /// The flags in the order of their keys' bytes.
    public var flags: [Flag] { program.flags }
    /// What is wrong with definitions, in the order of the flags, then with shared rules, then with what flags ask each
    /// other for, then with the variants that rules give. A set that has any is refused where one is written; where one
    /// is read, each flag without a breaking fault works.
    public let faults: [FlagFault]
    /// The metadata of the set.
    public let metadata: FlagObject
    /// How splits are made.
    public let fractional: FractionalVersion
    /// How many steps the evaluations of one call may make together.
    public static let mostSteps = RuleLimits.requestSteps
    private let keys: FlagKeys
    private let program: Program

    /// A set of definitions.
    /// - Parameters:
    ///   - definitions: A definition for each key, as in the `flags` of flagd's format.
    ///   - evaluators: Rules that others refer to with `$ref`.
    ///   - metadata: Metadata of all flags.
    ///   - fractional: How splits are made.
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

    /// The place of a flag.
    public func index(of key: String) -> Int? { keys.index(of: key) }

    /// Whether the answers of any flag may change when only time passes.
    public var readsTime: Bool { flags.contains { $0.readsTime } }

    /// What a flag is for somebody.
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - context: Who is asking.
    ///   - now: The time in seconds since 1970.
    public func evaluate(_ key: String, for context: EvaluationContext, now: Int64) -> Evaluation {
        guard let index = index(of: key) else { return Evaluation(Evaluation.Outcome(.flagNotFound)) }
        return evaluate(index, for: context, now: now)
    }

    /// What the flag at a place is for somebody.
    public func evaluate(_ index: Int, for context: EvaluationContext, now: Int64) -> Evaluation {
        var evaluator = evaluator(index, context, now)
        return Evaluation(evaluator.outcome(), of: flags[index].variants)
    }

    /// What the flags at some places are for somebody, which takes less time than each by itself: what several rules
    /// say is worked out once.
    /// - Parameters:
    ///   - places: The flags, in the order in which they are evaluated.
    ///   - context: Who is asking.
    ///   - now: The time in seconds since 1970.
    ///   - each: Takes the place of a flag, and what it is.
    /// - Throws: ``EvaluationFault/tooMuchWork``, if all rules together do more than ``mostSteps`` steps.
    public func evaluate(
        _ places: [Int], for context: EvaluationContext, now: Int64, each: (Int, Evaluation.Outcome) -> Void
    ) throws(EvaluationFault) {
        guard let first = places.first else { return }
        var evaluator = evaluator(first, context, now)
        evaluator.remembersConditions = true
        var stepsLeft = RuleLimits.requestSteps
        for place in places {
            each(place, evaluator.outcome(of: place, &stepsLeft))
            guard stepsLeft >= 0 else { throw .tooMuchWork }
        }
    }

    /// What a flag is for somebody, and why. Evaluates as ``evaluate(_:for:now:)`` does.
    public func explain(_ key: String, for context: EvaluationContext, now: Int64) -> Explanation {
        guard let index = index(of: key) else {
            return Explanation(evaluation: Evaluation(Evaluation.Outcome(.flagNotFound)), steps: [], omitted: 0)
        }
        var evaluator = evaluator(index, context, now)
        evaluator.notes = Notes()
        let evaluation = Evaluation(evaluator.outcome(), of: flags[index].variants)
        evaluator.notes?.close()
        return Explanation(
            evaluation: evaluation, steps: evaluator.steps, omitted: evaluator.notes?.omitted ?? 0)
    }

    func evaluator(_ index: Int, _ context: EvaluationContext, _ now: Int64) -> Evaluator {
        Evaluator(
            program: program, context: context, now: now, version: fractional, place: index)
    }
}
