/// The flags of a set with their rules, compiled: nodes without any reference, and tables of what they need.
final class Program: Sendable {
    let flags: [Flag]
    let heads: [FlagHead]
    let nodes: [Node]
    /// The nodes that are arguments, those of one node beside each other.
    let children: [Int32]
    let literals: [FlagValue]
    /// What `var` asks for, taken apart at the points.
    let paths: [[String]]
    /// The texts of an array that `in` looks through, in their order.
    let sets: [[String]]
    let patterns: [Pattern]
    let ramps: [Ramp]
    let versions: [SemanticVersion]
    let plainSplits: [PlainSplit]
    /// How many conditions are found in several places.
    let conditionCount: Int
    let origins: [Origin]
    /// The pointers of the rules that nodes are in.
    let rules: [[String]]

    struct Node: Sendable {
        let operation: Operation
        /// Where its arguments begin among the children.
        var first: Int32 = 0
        var count: Int32 = 0
        /// The place in the table of its operation, or -1.
        var detail: Int32 = -1
        /// What need not be worked out each time, or -1: of a literal that a rule may come to the place of the variant,
        /// of one that is compared as a version the place of that, of a split that among the plain ones, of a condition
        /// which of those that are the same.
        var shortcut: Int32 = -1
    }

    /// Where a node is from: an argument of another one, or the whole of a rule.
    struct Origin: Sendable {
        /// The node around it, or -1.
        var parent: Int32 = -1
        /// Its place among the arguments, -1 where it stands without an array; of a whole rule that of its pointer.
        var slot: Int32 = 0
        /// The operator as written, nil for arrays and values.
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
        ramps = builder.ramps
        versions = builder.versions
        plainSplits = builder.plainSplits
        conditionCount = builder.conditionCount
        origins = builder.origins
        rules = builder.rules
    }

    /// The pointer of a node, its operator last.
    func pointer(of node: Int32) -> [String] { origins.pointer(of: node, in: rules) }
}

extension [Program.Origin] {
    /// The pointer of a node, its operator last.
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

/// A program in the making.
struct ProgramBuilder {
    var nodes: [Program.Node] = []
    var children: [Int32] = []
    var literals: [FlagValue] = []
    var paths: [[String]] = []
    var sets: [[String]] = []
    var patterns: [Pattern] = []
    var ramps: [Ramp] = []
    var versions: [SemanticVersion] = []
    var plainSplits: [PlainSplit] = []
    var conditionCount = 0
    var origins: [Program.Origin] = []
    var rules: [[String]] = []
    /// How deep the tree under a node is, shared rules included.
    var heights: [Int32] = []

    /// Adds a node whose arguments are there already.
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

    /// Reads those of some arguments that are versions written out, once for all evaluations.
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
