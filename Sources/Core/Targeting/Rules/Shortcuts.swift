/// A split whose weights are all written out.
struct PlainSplit: Sendable {
    /// The place of the first bucket among the arguments.
    let first: Int
    /// Where the share of each bucket ends; the last end is the sum of the weights.
    let ends: [Int64]

    /// The bucket of a hash, counted from the first one.
    func bucket(of hash: UInt32) -> Int {
        let mine = Int64((UInt64(hash) * UInt64(ends[ends.count - 1])) >> 32)
        var bucket = 0
        while mine >= ends[bucket] { bucket += 1 }
        return bucket
    }
}

/// Finds out once what evaluating would find out each time.
struct Shortcuts {
    private var builder: ProgramBuilder
    /// The nodes of conditions, by what they say.
    private var conditions: [[UInt8]: [Int32]] = [:]
    /// Whether the shared rules looked at so far say the same for each flag.
    private var shared: [Int32: Bool] = [:]
    /// What is wrong with the flag that is looked at.
    private var faults: [FlagFault] = []

    /// How many faults of one flag are told.
    private static let mostFaults = 10

    /// The program of these flags, with shortcuts.
    ///
    /// - Parameter report: takes what is found to be wrong with the flags.
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

    /// Looks at what a rule may come to.
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
            } else if faults.count < Self.mostFaults {
                faults.append(
                    FlagFault(
                        at: builder.origins.pointer(of: index, in: builder.rules),
                        "the flag has no variant \"\(name.shortened(to: 200))\"", isBreaking: false))
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
        case .ramp:
            for place in 0..<min(2, Int(node.count)) { lookAt(child(node, place), variants) }
        default: break
        }
    }

    private func child(_ node: Program.Node, _ place: Int) -> Int32 { builder.children[Int(node.first) + place] }

    private mutating func addCondition(_ index: Int32) {
        var text: [UInt8] = []
        guard builder.nodes[Int(index)].operation != .literal, write(index, to: &text) else { return }
        conditions[text, default: []].append(index)
    }

    /// Writes what a node says, if it says the same for each flag.
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
        case .pattern: write("\(node.detail)", to: &text)
        case .reference:
            // By its place, and looked at once: shared rules that refer to each other may be large beyond measure.
            write("\(node.detail)", to: &text)
            if let known = shared[node.detail] { return known }
            var rule: [UInt8] = []
            let isSame = write(node.detail, to: &rule)
            shared[node.detail] = isSame
            return isSame
        case .list, .choice, .and, .or, .not, .truth, .equal, .notEqual, .same, .notSame, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .add, .multiply, .subtract, .divide, .remainder, .minimum, .maximum, .join, .substring,
            .merge, .member, .literalMember, .startsWith, .endsWith, .version, .date, .timestamp:
            break
        // What goes by the flag's key, or looks at something else than the context.
        case .computedVariable, .everything, .flagKey, .missing, .missingSome, .map, .filter, .reduce, .all, .some,
            .none, .split, .bucket, .flag, .ramp:
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

    /// The shares of a split, where its weights are written out and can be used.
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
    /// What it is as the weight of a bucket: an integer, where negative ones count as 0, as they come of computing.
    var weight: Int64? {
        guard case .number(let number) = self, number.double == number.double.rounded(.towardZero),
            number.double <= Double(Int32.max)
        else { return nil }
        return Int64(max(0, number.double))
    }
}
