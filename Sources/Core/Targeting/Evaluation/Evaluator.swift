/// One evaluation on its way.
struct Evaluator {
    let program: Program
    let flags: [Flag]
    let context: EvaluationContext
    let now: Int64
    let version: FractionalVersion
    /// The flag being evaluated; none for a rule by itself, whose key is another's.
    var flag: Flag?
    var ownKey = ""
    /// What `var` looks at.
    var scope = Scope.context
    var stepsLeft = RuleLimits.steps
    /// What was found on the way, if somebody wants to know.
    var steps: [Explanation.Step]?
    /// How many conditions, and other things that a variant doesn't come from, are being looked at.
    var asides = 0
    /// How many flags that others ask for are being evaluated.
    var depth = 0

    /// What `var` looks at: the context, or what an operator goes through.
    enum Scope {
        case context
        case element(FlagValue)
        case reduction(current: FlagValue, accumulator: FlagValue)
    }

    /// What `$flagd.flagKey` is.
    var key: String { flag?.key ?? ownKey }

    /// Evaluates another flag as if it were the first.
    mutating func evaluate(_ next: Flag) -> Evaluation {
        if next.root == nil, !next.hasFault, next.isEnabled { return fallback(next, .static) }
        flag = next
        // What was thrown on the way out of the last one has left these as they were.
        scope = .context
        (stepsLeft, asides, depth) = (RuleLimits.steps, 0, 0)
        return evaluate()
    }

    mutating func evaluate() -> Evaluation {
        guard let flag else { return Evaluation(.flagNotFound) }
        // Whether one without variants is switched on isn't known: it is broken.
        guard flag.isEnabled || flag.variants.isEmpty else { return Evaluation(of: flag, .disabled) }
        if flag.hasFault, let fault = flag.fault { return Evaluation(.broken(fault)) }
        guard let root = flag.root else { return fallback(flag, .static) }
        let result: FlagValue
        do throws(EvaluationFault) {
            result = try value(root)
        } catch {
            return Evaluation(error)
        }
        switch result {
        case .null: return fallback(flag, .default)
        case .string(let name): return match(name, flag)
        case .bool(let value): return match(value ? "true" : "false", flag)
        default: return match(result.text, flag)
        }
    }

    private func fallback(_ flag: Flag, _ reason: Evaluation.Reason) -> Evaluation {
        if flag.hasFault, let name = flag.badDefault { return Evaluation(.noVariant(name)) }
        guard let index = flag.defaultVariant else { return Evaluation(of: flag, .default) }
        return Evaluation(index, of: flag, reason)
    }

    private func match(_ name: String, _ flag: Flag) -> Evaluation {
        for index in flag.variants.indices where flag.variants[index].name.hasBytes(of: name) {
            return Evaluation(index, of: flag, .targetingMatch)
        }
        return Evaluation(.noVariant(name))
    }

    mutating func spend(_ steps: Int) throws(EvaluationFault) {
        stepsLeft -= steps
        guard stepsLeft >= 0 else { throw .tooMuchWork }
    }

    /// A value that will be gone through as a whole, paid for.
    mutating func weighed(_ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        let size = value.size
        if size > 0 { try spend(size) }
        return value
    }

    /// The node of an argument.
    func child(_ node: Program.Node, _ index: Int) -> Int32 { program.children[Int(node.first) + index] }

    /// The value of an argument; null for one that is left out.
    mutating func argument(_ node: Program.Node, _ index: Int) throws(EvaluationFault) -> FlagValue {
        index < node.count ? try value(child(node, index)) : .null
    }

    mutating func arguments(_ node: Program.Node) throws(EvaluationFault) -> [FlagValue] {
        var values: [FlagValue] = []
        values.reserveCapacity(Int(node.count))
        for index in 0..<Int(node.count) { values.append(try argument(node, index)) }
        return values
    }

    /// Remembers what was found at a node.
    ///
    /// - Parameter words: adds to the words.
    mutating func note(
        _ index: Int32, _ finding: @autoclosure () -> Explanation.Finding, words: @autoclosure () -> String = ""
    ) {
        guard steps != nil else { return }
        let path = FlagFault(at: program.pointer(of: index), "").path
        let finding = finding()
        let step = Explanation.Step(
            path: path, finding: finding, words: told(finding, at: index) + words(), isDeciding: asides == 0,
            depth: depth)
        steps?.append(step)
    }

    mutating func value(_ index: Int32) throws(EvaluationFault) -> FlagValue {
        try spend(1)
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .literal: return program.literals[Int(node.detail)]
        case .list: return .array(try arguments(node))
        case .variable:
            if let found = variable(program.paths[Int(node.detail)]) { return found }
            return try argument(node, 0)
        case .computedVariable:
            let name = try argument(node, 0)
            if case .null = name { return everything }
            let text = name.text
            try spend(text.utf8.count)
            if text.utf8.isEmpty { return everything }
            if let found = variable(RuleCompiler.path(text)) { return found }
            return try argument(node, 1)
        case .everything: return everything
        case .flagKey: return injected(.string(key), node)
        case .timestamp: return injected(.number(FlagNumber(now)), node)
        case .missing: return .array(try missing(arguments(node)))
        case .missingSome: return try missingSome(node)
        case .choice: return try choice(index, node)
        case .and, .or: return try chain(node, until: node.operation == .or)
        case .not: return .bool(!(try argument(node, 0).isTrue))
        case .truth: return .bool(try argument(node, 0).isTrue)
        case .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater, .greaterOrEqual, .member,
            .literalMember, .startsWith, .endsWith, .version, .date, .pattern:
            return try comparison(index, node)
        case .add, .multiply, .subtract, .divide, .remainder, .minimum, .maximum: return try number(node)
        case .join, .substring, .merge: return try text(node)
        case .map, .filter, .reduce, .all, .some, .none: return try iteration(node)
        case .split: return try split(index, node)
        case .bucket: return .array(try arguments(node))
        case .ramp: return try ramp(index, node)
        case .reference: return try value(node.detail)
        case .flag: return try flag(index, node)
        }
    }

    private mutating func choice(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let last = Int(node.count) - 1
        var place = 0
        while place < last {
            asides += 1
            let holds = try argument(node, place).isTrue
            asides -= 1
            note(index, .condition(holds, branch: holds ? place + 1 : place + 2 <= last ? place + 2 : nil))
            if holds { return try argument(node, place + 1) }
            place += 2
        }
        return try argument(node, place)
    }

    private mutating func chain(_ node: Program.Node, until wanted: Bool) throws(EvaluationFault) -> FlagValue {
        var value = FlagValue.null
        for place in 0..<Int(node.count) {
            value = try argument(node, place)
            if value.isTrue == wanted { return value }
        }
        return value
    }

    /// The variant of another flag for the same caller.
    private mutating func flag(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let other = flags[Int(node.detail)]
        let outer = (flag, scope)
        (flag, scope) = (other, .context)
        (asides, depth) = (asides + 1, depth + 1)
        let evaluation = evaluate()
        (asides, depth) = (asides - 1, depth - 1)
        (flag, scope) = outer
        if case .tooMuchWork? = evaluation.error { throw .tooMuchWork }
        guard evaluation.error == nil else { throw .dependency(other.key) }
        note(index, .flag(other.key, variant: evaluation.variant?.name))
        return evaluation.variant.map { .string($0.name) } ?? .null
    }
}
