/// A split whose weights are all literals.
struct PlainSplit: Sendable {
    /// The index of the first bucket among the arguments.
    let first: Int
    /// The upper bound of each bucket's share; the last bound is the sum of the weights.
    let ends: [Int64]

    /// Returns the index of the bucket for a hash, relative to the first bucket.
    func bucket(of hash: UInt32) -> Int {
        let mine = Int64((UInt64(hash) * UInt64(ends[ends.count - 1])) >> 32)
        var bucket = 0
        while mine >= ends[bucket] { bucket += 1 }
        return bucket
    }
}

/// A pass that precomputes indices for evaluation; see ``Program/Node/shortcut``.
struct Shortcuts {
    private var builder: ProgramBuilder
    /// The condition nodes, by their canonical text.
    private var conditions: [[UInt8]: [Int32]] = [:]
    /// True for each visited shared rule whose value is the same for every flag.
    private var shared: [Int32: Bool] = [:]
    private var faults: [FlagFault] = []

    /// The limit on the reported faults of one flag.
    private static let maxFaults = 10

    /// Returns the program of these flags, with shortcuts, and reports the faults of the flags.
    static func program(
        _ builder: consuming ProgramBuilder, flags: [FlagDraft], _ fractional: FractionalVersion,
        report: (FlagFault) -> Void
    ) -> Program {
        var shortcuts = Shortcuts(builder: builder)
        for flag in flags {
            guard let rule = flag.rule else { continue }
            shortcuts.lookAt(rule.root, flag.named)
            shortcuts.faults.forEach(report)
            shortcuts.faults = []
        }
        for nodes in shortcuts.conditions.values where nodes.count > 1 {
            for node in nodes {
                shortcuts.builder.nodes[Int(node)].shortcut = Int32(shortcuts.builder.conditionCount)
            }
            shortcuts.builder.conditionCount += 1
        }
        return Program(shortcuts.builder, flags: flags, fractional: fractional)
    }

    private init(builder: consuming ProgramBuilder) { self.builder = builder }

    /// Adds shortcuts to the nodes whose value can be the result of a rule.
    private mutating func lookAt(_ index: Int32, _ variants: FlagObject) {
        let node = builder.nodes[Int(index)]
        switch node.operation {
        case .literal:
            let name: String
            switch builder.literals[Int(node.detail)] {
            case .string(let text): name = text
            case .bool(let value): name = value ? "true" : "false"
            case .number(let number): name = number.textInRules
            default: return
            }
            if let variant = variants.index(of: name) {
                builder.nodes[Int(index)].shortcut = Int32(variant)
            } else if faults.count < Self.maxFaults {
                faults.append(
                    FlagFault(
                        at: builder.origins.pointer(of: index, in: builder.rules),
                        "the flag has no variant \"\(name.shortened(to: 200))\"", preventsEvaluation: false))
            }
        case .choice:
            for place in 0..<Int(node.count) {
                let child = child(node, place)
                let isCondition = place % 2 == 0 && place < Int(node.count) - 1
                if isCondition { addCondition(child) } else { lookAt(child, variants) }
            }
        case .split:
            if let plain = plain(node) {
                builder.nodes[Int(index)].shortcut = Int32(builder.plainSplits.count)
                builder.plainSplits.append(plain)
            }
            for place in 0..<Int(node.count) {
                let bucket = builder.nodes[Int(child(node, place))]
                if bucket.operation == .bucket, bucket.count > 0 { lookAt(child(bucket, 0), variants) }
            }
        case .schemeSplit:
            let list = builder.nodes[Int(child(node, 1))]
            for place in 0..<Int(list.count) {
                lookAt(child(builder.nodes[Int(child(list, place))], 0), variants)
            }
        case .ramp: for place in 0..<min(2, Int(node.count)) { lookAt(child(node, place), variants) }
        default: break
        }
    }

    private func child(_ node: Program.Node, _ place: Int) -> Int32 { builder.children[Int(node.first) + place] }

    private mutating func addCondition(_ index: Int32) {
        var text: [UInt8] = []
        guard builder.nodes[Int(index)].operation != .literal, write(index, to: &text) else { return }
        conditions[text, default: []].append(index)
    }

    /// Writes a canonical text of a node. Returns false if the value of the node may differ between flags.
    private mutating func write(_ index: Int32, to text: inout [UInt8]) -> Bool {
        let node = builder.nodes[Int(index)]
        text.append(node.operation.rawValue)
        write("\(node.count)", to: &text)
        switch node.operation {
        case .literal: write(builder.literals[Int(node.detail)].json, to: &text)
        case .variable:
            let path = builder.paths[Int(node.detail)]
            guard let name = path.first, !name.hasBytes(of: "$flagd") else { return false }
            write("\(path.count)", to: &text)
            for name in path { write(name, to: &text) }
        case .pattern, .network, .date: write("\(node.detail)", to: &text)
        case .reference:
            // A shared rule is visited once and written as its index, because nested ones can expand exponentially.
            write("\(node.detail)", to: &text)
            if let known = shared[node.detail] { return known }
            var rule: [UInt8] = []
            let isSame = write(node.detail, to: &rule)
            shared[node.detail] = isSame
            return isSame
        case .list, .choice, .and, .or, .not, .truth, .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .add, .multiply, .subtract, .divide, .remainder, .minimum, .maximum, .join, .substring,
            .merge, .member, .literalMember, .startsWith, .endsWith, .version, .numericVersion, .paddedVersion,
            .lower, .hashed, .timestamp:
            break
        // The value depends on the flag's key, or on more than named attributes of the context.
        case .computedVariable, .everything, .flagKey, .missing, .missingSome, .map, .filter, .reduce, .all, .some,
            .none, .split, .bucket, .flag, .ramp, .schemeSplit:
            return false
        }
        for place in 0..<Int(node.count) {
            guard write(child(node, place), to: &text) else { return false }
        }
        return true
    }

    private func write(_ part: String, to text: inout [UInt8]) {
        text += "\(part.utf8.count):".utf8
        text += part.utf8
    }

    /// Returns the shares of a split, or nil if a weight is not a valid literal.
    private func plain(_ node: Program.Node) -> PlainSplit? {
        guard node.count > 0 else { return nil }
        let first = builder.nodes[Int(child(node, 0))].operation == .bucket ? 0 : 1
        var ends: [Int64] = []
        for place in first..<max(first, Int(node.count)) {
            let bucket = builder.nodes[Int(child(node, place))]
            guard bucket.operation == .bucket, (1...2).contains(bucket.count) else { return nil }
            var weight: Int64? = 1
            if bucket.count == 2 {
                let written = builder.nodes[Int(child(bucket, 1))]
                guard written.operation == .literal else { return nil }
                weight = builder.literals[Int(written.detail)].weight
            }
            guard let weight else { return nil }
            ends.append((ends.last ?? 0) + weight)
        }
        guard let total = ends.last, total > 0, total <= Int64(Int32.max) else { return nil }
        return PlainSplit(first: first, ends: ends)
    }
}

extension FlagValue {
    /// The value as a bucket's weight, or nil if it is not an integer. A negative integer counts as 0.
    var weight: Int64? {
        guard case .number(let number) = self, number.double == number.double.rounded(.towardZero),
            number.double <= Double(Int32.max)
        else { return nil }
        return Int64(max(0, number.double))
    }
}
