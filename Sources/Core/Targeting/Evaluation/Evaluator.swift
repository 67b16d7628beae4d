/// The state of one evaluation.
struct Evaluator {
    let program: Program
    let context: EvaluationContext
    let now: Int64
    let version: FractionalVersion
    /// The index of the flag, or nil for a rule without a flag, whose key is `ownKey`.
    var place: Int?
    var ownKey = ""
    var scope = Scope.context {
        didSet { if case .context = scope { readsContext = true } else { readsContext = false } }
    }
    /// True if `var` reads from the context.
    private var readsContext = true
    var stepsLeft = RuleLimits.maxSteps
    /// The recorded findings, or nil if not requested.
    var findings: Findings?
    /// The nesting depth of evaluations that don't yield the variant itself, such as conditions.
    var nestedDepth = 0
    /// The nesting depth of flags evaluated for other flags.
    var depth = 0
    /// True if results of conditions are cached for other flags with the same condition.
    var cachesConditions = false
    /// The targeting key in UTF-8; empty if it is not a text.
    private(set) lazy var caller: [UInt8] =
        if case .string(let key)? = context.attributes["targetingKey"] { Array(key.utf8) } else { [] }
    /// The cached results of conditions that occur in several places; empty before the first.
    private var conditions: [Known] = []
    /// The number of steps charged for cached conditions but not executed.
    private var cachedSteps = 0

    /// The value that `var` reads from: the context, or the element of an array operator.
    enum Scope {
        case context
        case element(FlagValue)
        case reduction(current: FlagValue, accumulator: FlagValue)
    }

    /// A cached result of a condition and its number of steps, which is 0 before the first evaluation.
    private struct Known {
        var holds = false
        var steps: Int32 = 0
    }

    init(
        program: Program, context: EvaluationContext, now: Int64, version: FractionalVersion, place: Int? = nil,
        ownKey: String = ""
    ) {
        self.program = program
        self.context = context
        self.now = now
        self.version = version
        self.place = place
        self.ownKey = ownKey
    }

    var key: String { place.map { program.flags[$0].key } ?? ownKey }

    /// Evaluates another flag as if it were the first, and reduces `requestSteps` by the executed steps.
    mutating func outcome(of next: Int, _ requestSteps: inout Int) -> Evaluation.Outcome {
        let head = program.heads[next]
        if head.isStatic {
            requestSteps -= 1
            return Evaluation.Outcome(Int(head.defaultVariant), .static)
        }
        place = next
        // An error in the previous flag leaves these fields unrestored.
        if !readsContext { scope = .context }
        (stepsLeft, cachedSteps, nestedDepth, depth) = (RuleLimits.maxSteps, 0, 0, 0)
        let outcome = outcome()
        requestSteps -= 1 + RuleLimits.maxSteps - stepsLeft - cachedSteps
        return outcome
    }

    mutating func outcome() -> Evaluation.Outcome {
        guard let place else { return Evaluation.Outcome(.flagNotFound) }
        let head = program.heads[place]
        guard head.isEnabled else {
            return Evaluation.Outcome(head.offVariant < 0 ? nil : Int(head.offVariant), .disabled)
        }
        if head.hasFault, let fault = program.flags[place].fault { return Evaluation.Outcome(.broken(fault)) }
        guard head.root >= 0 else { return fallback(head, .static) }
        do throws(EvaluationFault) {
            switch try pick(head.root) {
            case .variant(let index): return Evaluation.Outcome(index, .targetingMatch)
            case .value(.null): return fallback(head, .default)
            case .value(let value): return match(try weighed(value).text, program.flags[place])
            }
        } catch {
            return Evaluation.Outcome(error)
        }
    }

    private func fallback(_ head: FlagHead, _ reason: Evaluation.Reason) -> Evaluation.Outcome {
        if head.hasFault, let place, let name = program.flags[place].badDefault {
            return Evaluation.Outcome(.noVariant(name))
        }
        guard head.defaultVariant >= 0 else { return Evaluation.Outcome(nil, .default) }
        return Evaluation.Outcome(Int(head.defaultVariant), reason)
    }

    private func match(_ name: String, _ flag: Flag) -> Evaluation.Outcome {
        if let index = flag.index(ofVariant: name) { return Evaluation.Outcome(index, .targetingMatch) }
        return Evaluation.Outcome(.noVariant(name))
    }

    /// The result of a rule: the index of a variant, or a value to be matched with the name of one.
    enum Pick {
        case variant(Int)
        case value(FlagValue)
    }

    /// Evaluates a node whose value can be the result of the rule.
    mutating func pick(_ index: Int32) throws(EvaluationFault) -> Pick {
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .literal where node.shortcut >= 0:
            try charge(1)
            return .variant(Int(node.shortcut))
        case .choice:
            try charge(1)
            let place = try branch(index, node)
            return place < node.count ? try pick(child(node, place)) : .value(.null)
        case .split, .schemeSplit:
            try charge(1)
            switch try node.operation == .split ? choose(index, node) : chooseByScheme(index, node) {
            case .bucket(let bucket): return try pick(child(program.nodes[Int(bucket)], 0))
            case .variant(let variant): return .value(variant)
            }
        default: return .value(try value(index))
        }
    }

    /// Charges steps, or throws ``EvaluationFault/tooMuchWork`` if too few are left; no step is charged then.
    mutating func charge(_ steps: Int) throws(EvaluationFault) {
        guard steps <= stepsLeft else { throw .tooMuchWork }
        stepsLeft -= steps
    }

    /// Charges the steps of reading a whole value, and returns the value.
    mutating func weighed(_ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        let size = value.size
        if size > 0 { try charge(size) }
        return value
    }

    func child(_ node: Program.Node, _ index: Int) -> Int32 { program.children[Int(node.first) + index] }

    mutating func array(_ elements: [FlagValue]) throws(EvaluationFault) -> FlagValue {
        // Allocating the array takes as long as a few steps.
        try charge(4)
        return try bounded(.array(FlagArray(elements)))
    }

    /// Returns a value made by a rule, or throws if it is nested too deep or larger than an evaluation may read.
    func bounded(_ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        guard value.depth <= RuleLimits.maxDepth else { throw .tooDeep }
        guard value.size <= RuleLimits.maxSteps else { throw .tooMuchWork }
        return value
    }

    /// Returns the value of an argument and charges the steps of reading all of it. A missing argument is null.
    mutating func operand(_ node: Program.Node, _ index: Int) throws(EvaluationFault) -> FlagValue {
        try weighed(argument(node, index))
    }

    /// Returns the value of an argument without charging for its size. A missing argument is null.
    mutating func argument(_ node: Program.Node, _ index: Int) throws(EvaluationFault) -> FlagValue {
        index < node.count ? try value(child(node, index)) : .null
    }

    mutating func arguments(_ node: Program.Node) throws(EvaluationFault) -> [FlagValue] {
        var values: [FlagValue] = []
        values.reserveCapacity(Int(node.count))
        for index in 0..<Int(node.count) { values.append(try argument(node, index)) }
        return values
    }

    mutating func note(_ index: Int32, _ finding: @autoclosure () -> Explanation.Finding, bucket: BucketPlace? = nil) {
        findings?.add(
            Findings.RecordedFinding(
                node: index, finding: finding(), bucket: bucket, isDeciding: nestedDepth == 0, depth: depth))
    }

    mutating func value(_ index: Int32) throws(EvaluationFault) -> FlagValue {
        try charge(1)
        let node = program.nodes[Int(index)]
        switch node.operation {
        case .literal: return program.literals[Int(node.detail)]
        case .list: return try array(arguments(node))
        case .variable:
            if let found = try variable(program.paths[Int(node.detail)]) { return found }
            return try argument(node, 0)
        case .computedVariable:
            let text = try operand(node, 0).joinedText
            if text.utf8.isEmpty { return try wholeScope() }
            if let found = try variable(path(text)) { return found }
            return try argument(node, 1)
        case .everything: return try wholeScope()
        case .flagKey: return try injected(.string(key), node)
        case .timestamp: return try injected(.number(FlagNumber(now)), node)
        case .missing: return try array(missing(node))
        case .missingSome: return try missingSome(node)
        case .choice: return try choice(index, node)
        case .and, .or: return try chain(node, until: node.operation == .or)
        case .not: return .bool(!(try argument(node, 0).isTrue))
        case .truth: return .bool(try argument(node, 0).isTrue)
        case .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater, .greaterOrEqual, .member,
            .literalMember, .startsWith, .endsWith, .version, .numericVersion, .paddedVersion, .date, .pattern,
            .network:
            return try comparison(index, node)
        case .add, .multiply, .subtract, .divide, .remainder, .minimum, .maximum: return try number(node)
        case .join, .substring, .merge, .lower, .hashed: return try text(node)
        case .map, .filter, .reduce, .all, .some, .none: return try iteration(node)
        case .split, .schemeSplit: return try split(index, node)
        case .bucket: return try array(arguments(node))
        case .ramp: return try ramp(index, node)
        case .reference: return try value(node.detail)
        case .flag: return try flag(index, node)
        }
    }

    private mutating func choice(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        try argument(node, try branch(index, node))
    }

    /// Returns the index of the argument that a choice selects.
    private mutating func branch(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> Int {
        let last = Int(node.count) - 1
        var place = 0
        while place < last {
            nestedDepth += 1
            let holds = try conditionHolds(child(node, place))
            nestedDepth -= 1
            note(index, .condition(holds, branch: holds ? place + 1 : place + 2 <= last ? place + 2 : nil))
            if holds { return place + 1 }
            place += 2
        }
        return place
    }

    /// Returns true if a condition holds. A cached result costs as many steps as its evaluation took, so a flag has the
    /// same result alone and in a batch.
    private mutating func conditionHolds(_ index: Int32) throws(EvaluationFault) -> Bool {
        let condition = Int(program.nodes[Int(index)].shortcut)
        guard cachesConditions, condition >= 0, readsContext else { return try value(index).isTrue }
        if conditions.isEmpty { conditions = [Known](repeating: Known(), count: program.conditionCount) }
        let known = conditions[condition]
        if known.steps > 0 {
            try charge(Int(known.steps))
            cachedSteps += Int(known.steps)
            return known.holds
        }
        let before = stepsLeft
        let holds = try value(index).isTrue
        conditions[condition] = Known(holds: holds, steps: Int32(before - stepsLeft))
        return holds
    }

    private mutating func chain(_ node: Program.Node, until wanted: Bool) throws(EvaluationFault) -> FlagValue {
        var value = FlagValue.null
        for place in 0..<Int(node.count) {
            value = try argument(node, place)
            if value.isTrue == wanted { return value }
        }
        return value
    }

    /// Returns the variant of another flag for the same context, or null if the flag is switched off.
    private mutating func flag(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let other = program.flags[Int(node.detail)]
        let outer = (place, scope)
        (place, scope) = (Int(node.detail), .context)
        (nestedDepth, depth) = (nestedDepth + 1, depth + 1)
        let outcome = outcome()
        (nestedDepth, depth) = (nestedDepth - 1, depth - 1)
        (place, scope) = outer
        if let error = outcome.error, error.isBound { throw error }
        guard outcome.error == nil else { throw .dependency(other.key) }
        // A prerequisite that is switched off is not met, whatever its users get.
        let variant = other.isEnabled ? outcome.variantIndex.map { other.variants[$0].name } : nil
        note(index, .flag(other.key, variant: variant))
        return variant.map { .string($0) } ?? .null
    }
}
