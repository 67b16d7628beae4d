/// A compiler for the rules of a set. Each shared rule is compiled once.
struct RuleCompiler {
    var builder = ProgramBuilder()
    /// The path of the value being compiled.
    var path: [String] = []
    /// The first violation of flagd's schema in the rule being compiled.
    var schemaFault: FlagFault?
    /// The flags that the rule being compiled depends on, without duplicates.
    var dependencies: [Int32] = []
    var readsTime = false
    private var nodesLeft = 0
    /// The nesting depth of the value being compiled, including the rules around it.
    private var level: Int32 = 0

    private let flags: FlagKeys
    private let evaluators: FlagObject
    /// The states of the shared rules, in their order.
    private var shared: [Shared]
    /// The remaining budget of pattern instructions for all rules.
    var patternStepsLeft = RuleLimits.maxPatternSteps

    private enum Shared {
        case untouched
        case begun
        case compiled(CompiledRule)
        case broken(FlagFault)
    }

    init(flags: FlagKeys, evaluators: FlagObject) {
        self.flags = flags
        self.evaluators = evaluators
        shared = evaluators.members.map { _ in .untouched }
    }

    mutating func rule(_ value: FlagValue, at path: [String]) throws(FlagFault) -> CompiledRule {
        let outer = (self.path, schemaFault, dependencies, readsTime, nodesLeft)
        self.path = path
        (schemaFault, dependencies, readsTime, nodesLeft) = (nil, [], false, RuleLimits.maxNodes)
        defer { (self.path, schemaFault, dependencies, readsTime, nodesLeft) = outer }
        if case .object(let object) = value, object.members.count == 1, object.members[0].name.hasBytes(of: "$ref") {
            note("flagd's schema does not allow a reference as a whole rule; put it into an \"if\"")
        } else if case .object(let object) = value, object.members.count == 1 {
        } else {
            note("a rule must be an object with one operator")
        }
        let root = try node(value)
        builder.origins[Int(root)].slot = Int32(builder.rules.count)
        builder.rules.append(path)
        let height = builder.heights[Int(root)]
        guard height <= RuleLimits.maxHeight else { throw fault("the rule is nested too deep with its shared rules") }
        return CompiledRule(
            root: root, dependencies: dependencies, readsTime: readsTime, height: height, schemaFault: schemaFault)
    }

    func fault(_ message: String) -> FlagFault { FlagFault(at: path, message) }

    /// Records a violation of flagd's schema, unless the rule already has one.
    mutating func note(_ message: String) {
        if schemaFault == nil { schemaFault = FlagFault(at: path, message, preventsEvaluation: false) }
    }

    mutating func node(_ value: FlagValue) throws(FlagFault) -> Int32 {
        level += 1
        defer { level -= 1 }
        guard level <= RuleLimits.maxHeight else { throw fault("the rule is nested too deep") }
        nodesLeft -= 1
        guard nodesLeft >= 0 else { throw fault("the rule has more than \(RuleLimits.maxNodes) nodes") }
        switch value {
        case .array(let elements):
            // An array without an object contains no rule.
            if !elements.measure.holdsObject { return builder.literal(value) }
            return builder.add(.list, try nodes(elements))
        case .object(let object):
            guard object.members.count == 1 else {
                note("a rule must be an object with one operator; this object has \(object.members.count) members")
                return builder.literal(value)
            }
            let member = object.members[0]
            path.append(member.name)
            defer { path.removeLast() }
            guard let known = Operator.named(member.name) else { throw fault("unknown operator") }
            return try node(of: known, member.value)
        default: return builder.literal(value)
        }
    }

    mutating func nodes(_ values: some Collection<FlagValue>) throws(FlagFault) -> [Int32] {
        var nodes: [Int32] = []
        for (index, value) in values.enumerated() { nodes.append(try at(index, value)) }
        return nodes
    }

    mutating func at(_ index: Int, _ value: FlagValue) throws(FlagFault) -> Int32 {
        path.append(index.description)
        defer { path.removeLast() }
        return try node(value)
    }

    private mutating func node(of known: Operator, _ argument: FlagValue) throws(FlagFault) -> Int32 {
        var arguments: FlagArray = [argument]
        var isBare = true
        if case .array(let elements) = argument { (arguments, isBare) = (elements, false) }
        check(known, arguments, isBare: isBare)
        switch known.operation {
        case .variable: return try variable(known, arguments, isBare)
        case .split: return try split(known, arguments, isBare)
        case .ramp: return try ramp(known, arguments)
        case .schemeSplit: return try schemeSplit(known, arguments)
        case .reference: return try reference(arguments)
        case .flag: return try flag(known, arguments)
        case .pattern: return try pattern(known, arguments)
        case .network: return try network(known, arguments)
        case .member: return try member(known, arguments, isBare)
        case .date: return try date(known, arguments, isBare)
        case .numericVersion: try checkNumericVersion(arguments)
        default: break
        }
        let nodes = isBare ? [try node(argument)] : try nodes(arguments)
        if known.operation == .version { builder.readVersions(nodes) }
        return builder.add(known.operation, nodes, name: known.name, isBare: isBare)
    }

    private mutating func variable(_ known: Operator, _ arguments: FlagArray, _ isBare: Bool) throws(FlagFault) -> Int32
    {
        let name: String
        switch arguments.first ?? .null {
        case .null: name = ""
        case .string(let text): name = text
        case .number(let number): name = number.text
        default:
            let nodes = isBare ? [try node(arguments[0])] : try nodes(arguments)
            readsTime = true
            return builder.add(.computedVariable, nodes, name: known.name, isBare: isBare)
        }
        var operation = Operation.variable
        if name.utf8.isEmpty {
            operation = .everything
            readsTime = true
        } else if name.hasBytes(of: "$flagd.flagKey") {
            operation = .flagKey
        } else if name.hasBytes(of: "$flagd.timestamp") {
            operation = .timestamp
            readsTime = true
        } else if name.hasBytes(of: "$flagd") {
            readsTime = true
        } else if name.hasPrefix(bytes: "$flagd"), isBare, name.utf8.dropFirst(6).first == UInt8(ascii: ".") {
            note("$flagd has only flagKey and timestamp")
        }
        builder.paths.append(RuleCompiler.path(name))
        let detail = builder.paths.count - 1
        guard arguments.count > 1 else { return builder.add(operation, detail: detail, name: known.name) }
        let other = try at(1, arguments[1])
        let index = builder.add(operation, [other], detail: detail, name: known.name)
        builder.origins[Int(other)].slot = 1
        return index
    }

    static func path(_ name: String) -> [String] {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private mutating func member(_ known: Operator, _ arguments: FlagArray, _ isBare: Bool) throws(FlagFault) -> Int32 {
        guard arguments.count == 2, case .array(let elements) = arguments[1], elements.count > 8 else {
            let nodes = isBare ? [try node(arguments[0])] : try nodes(arguments)
            return builder.add(.member, nodes, name: known.name, isBare: isBare)
        }
        var texts: [String] = []
        for element in elements {
            if case .string(let text) = element { texts.append(text) }
        }
        let nodes = try nodes(arguments)
        guard texts.count == elements.count else { return builder.add(.member, nodes, name: known.name) }
        builder.sets.append(texts.sorted { $0.comesBefore($1) })
        return builder.add(.literalMember, nodes, detail: builder.sets.count - 1, name: known.name)
    }

    private mutating func flag(_ known: Operator, _ arguments: FlagArray) throws(FlagFault) -> Int32 {
        guard arguments.count == 1, case .string(let key) = arguments[0] else {
            throw fault("expected the literal key of a flag")
        }
        guard let index = flags.index(of: key) else { throw fault("there is no flag \(key)") }
        try depend(on: Int32(index))
        return builder.add(.flag, detail: index, name: known.name)
    }

    private mutating func reference(_ arguments: FlagArray) throws(FlagFault) -> Int32 {
        guard arguments.count == 1, case .string(let name) = arguments[0] else {
            throw fault("expected the name of a shared rule")
        }
        guard let index = evaluators.index(of: name) else { throw fault("there is no shared rule \(name)") }
        let rule: CompiledRule
        switch shared[index] {
        case .untouched: rule = try compiled(sharedRule: index)
        case .begun: throw fault("shared rules refer to each other in a cycle")
        case .compiled(let known): rule = known
        case .broken(let known): throw fault("the shared rule is broken at \(known.path)")
        }
        for dependency in rule.dependencies { try depend(on: dependency) }
        readsTime = readsTime || rule.readsTime
        let node = builder.add(.reference, detail: Int(rule.root), name: "$ref")
        builder.heights[Int(node)] = rule.height + 1
        return node
    }

    private mutating func depend(on flag: Int32) throws(FlagFault) {
        guard !dependencies.contains(flag) else { return }
        guard dependencies.count < RuleLimits.maxDependencies else {
            throw fault("the rule and its shared rules depend on more than \(RuleLimits.maxDependencies) flags")
        }
        dependencies.append(flag)
    }

    /// Compiles the shared rule at an index, unless it is compiled already.
    mutating func compiled(sharedRule index: Int) throws(FlagFault) -> CompiledRule {
        switch shared[index] {
        case .compiled(let rule): return rule
        case .broken(let fault): throw fault
        case .untouched, .begun: break
        }
        shared[index] = .begun
        let member = evaluators.members[index]
        do throws(FlagFault) {
            let rule = try self.rule(member.value, at: ["$evaluators", member.name])
            shared[index] = .compiled(rule)
            return rule
        } catch {
            shared[index] = .broken(error)
            throw error
        }
    }
}

struct CompiledRule: Sendable {
    let root: Int32
    let dependencies: [Int32]
    let readsTime: Bool
    let height: Int32
    let schemaFault: FlagFault?
}

/// The keys of a set's flags, ordered by their bytes.
struct FlagKeys: Sendable {
    let keys: [String]

    func index(of key: String) -> Int? {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].comesBefore(key) { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low].hasBytes(of: key) ? low : nil
    }
}
