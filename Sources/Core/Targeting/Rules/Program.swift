/// The compiled rules of a set: nodes without references, and tables that the nodes index.
final class Program: Sendable {
    let flags: [Flag]
    let heads: [FlagHead]
    let nodes: [Node]
    /// The argument nodes; the arguments of one node are adjacent.
    let children: [Int32]
    let literals: [FlagValue]
    /// The paths of `var`, split at the dots.
    let paths: [[String]]
    /// The sorted texts of each array that `in` searches.
    let sets: [[String]]
    let patterns: [Pattern]
    /// The networks of each `almanac.network`.
    let networks: [[Network]]
    let ramps: [Ramp]
    let schemes: [SchemeSplit]
    let versions: [SemanticVersion]
    let plainSplits: [PlainSplit]
    /// The number of distinct conditions that occur in several places.
    let conditionCount: Int
    let origins: [Origin]
    /// The JSON pointers of the rules.
    let rules: [[String]]

    struct Node: Sendable {
        let operation: Operation
        /// The index of the first argument in `children`.
        var first: Int32 = 0
        var count: Int32 = 0
        /// The index in the table of the operation, or -1.
        var detail: Int32 = -1
        /// A precomputed index, or -1. Its meaning depends on the node: for a literal that can be the result, the index
        /// of the variant; for a literal version, the index in `versions`; for a split, the index in `plainSplits`; for
        /// a condition, the number shared by equal conditions.
        var shortcut: Int32 = -1
    }

    /// The origin of a node: an argument of another node, or a whole rule.
    struct Origin: Sendable {
        var parent: Int32 = -1
        /// The index among the arguments, or -1 without an array. For a whole rule, the index of its pointer.
        var slot: Int32 = 0
        /// The operator in the rule, or nil for arrays and values.
        var name: StaticString?
    }

    init(_ builder: consuming ProgramBuilder, flags: [FlagDraft] = [], fractional: FractionalVersion) {
        self.flags = flags.map { Flag($0) }
        heads = flags.map { FlagHead($0, fractional) }
        nodes = builder.nodes
        children = builder.children
        literals = builder.literals
        paths = builder.paths
        sets = builder.sets
        patterns = builder.patterns
        networks = builder.networks
        ramps = builder.ramps
        schemes = builder.schemes
        versions = builder.versions
        plainSplits = builder.plainSplits
        conditionCount = builder.conditionCount
        origins = builder.origins
        rules = builder.rules
    }

    func pointer(of node: Int32) -> [String] { origins.pointer(of: node, in: rules) }
}

extension [Program.Origin] {
    /// Returns the JSON pointer of a node, which ends with the operator.
    func pointer(of node: Int32, in rules: [[String]]) -> [String] {
        var parts: [String] = []
        var node = node
        while true {
            let origin = self[Int(node)]
            if let name = origin.name { parts.append(name.description) }
            guard origin.parent >= 0 else { return rules[Int(origin.slot)] + parts.reversed() }
            if origin.slot >= 0 { parts.append(origin.slot.description) }
            node = origin.parent
        }
    }
}

/// A program under construction.
struct ProgramBuilder {
    var nodes: [Program.Node] = []
    var children: [Int32] = []
    var literals: [FlagValue] = []
    var paths: [[String]] = []
    var sets: [[String]] = []
    var patterns: [Pattern] = []
    var networks: [[Network]] = []
    var ramps: [Ramp] = []
    var schemes: [SchemeSplit] = []
    var versions: [SemanticVersion] = []
    var plainSplits: [PlainSplit] = []
    var conditionCount = 0
    var origins: [Program.Origin] = []
    var rules: [[String]] = []
    /// The height of the tree under each node, including shared rules.
    var heights: [Int32] = []

    /// Adds a node after its arguments.
    mutating func add(
        _ operation: Operation, _ arguments: [Int32] = [], detail: Int = -1, name: StaticString? = nil,
        isBare: Bool = false
    ) -> Int32 {
        let index = Int32(nodes.count)
        nodes.append(
            Program.Node(
                operation: operation, first: Int32(children.count), count: Int32(arguments.count), detail: Int32(detail)
            ))
        children += arguments
        origins.append(Program.Origin(name: name))
        heights.append(1 + (arguments.map { heights[Int($0)] }.max() ?? 0))
        for (slot, argument) in arguments.enumerated() {
            origins[Int(argument)].parent = index
            origins[Int(argument)].slot = isBare ? -1 : Int32(slot)
        }
        return index
    }

    mutating func literal(_ value: FlagValue) -> Int32 {
        literals.append(value)
        return add(.literal, detail: literals.count - 1)
    }

    /// Parses the literal versions among the arguments once for all evaluations.
    mutating func readVersions(_ arguments: [Int32]) {
        for argument in arguments where nodes[Int(argument)].operation == .literal {
            guard case .string(let text) = literals[Int(nodes[Int(argument)].detail)],
                let version = SemanticVersion(text)
            else { continue }
            nodes[Int(argument)].shortcut = Int32(versions.count)
            versions.append(version)
        }
    }
}
