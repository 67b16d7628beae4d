// Findings in words for an operator.
extension Evaluator {
    /// The findings of this evaluation as steps of an explanation.
    var steps: [Explanation.Step] {
        (findings?.kept ?? []).map { recorded in
            Explanation.Step(
                path: FlagFault(at: program.pointer(of: recorded.node), "").path, finding: recorded.finding.shortened,
                words: description(of: recorded.finding, at: recorded.node)
                    + (recorded.bucket.map { Self.description(of: $0) } ?? ""),
                isDeciding: recorded.isDeciding, depth: recorded.depth, node: recorded.node)
        }
    }

    private static func description(of bucket: BucketPlace) -> String {
        ", in bucket \(bucket.number) of \(bucket.count), from " + percent(bucket.begin) + " to " + percent(bucket.end)
    }

    private func description(of finding: Explanation.Finding, at index: Int32) -> String {
        let node = program.nodes[Int(index)]
        let name = program.origins[Int(index)].name?.description ?? ""
        switch finding {
        case .compared(let operands, let result):
            var words = phrase(of: node, 0, operands.first)
            if [.version, .date, .numericVersion, .paddedVersion].contains(node.operation) {
                // The relation is a text in the rule, unless the rule is faulty.
                var relation = ""
                if operands.count > 1, case .string(let text) = operands[1] { relation = Self.shortened(text) }
                words += " " + name + " " + relation
                words += " " + phrase(of: node, 2, operands.count > 2 ? operands[2] : nil)
            } else if node.operation == .pattern || node.operation == .network {
                // Compiled patterns and networks are no longer arguments of the node.
                words += " " + name
            } else {
                words += " " + name
                for place in 1..<min(max(2, Int(node.count)), 3) {
                    words +=
                        (place > 1 ? ", " : " ")
                        + phrase(of: node, place, place < operands.count ? operands[place] : nil)
                }
            }
            if case .null = result { return words + ": can't be compared" }
            return words + ": " + result.text
        case .condition(let holds, let branch):
            // Each condition precedes its result; with an odd number of arguments, the last one is the else.
            if holds { return "condition \((branch ?? 1) / 2 + 1) of the if holds" }
            let order = (branch ?? Int(node.count)) / 2
            let which = order == 1 ? "condition 1 of the if doesn't hold" : "none of the if's \(order) conditions holds"
            guard let branch else { return which + ", and it has no else" }
            return branch == Int(node.count) - 1 ? which + ", so the else applies" : which
        case .split(let share, _): return "the \(name) places the caller at " + Self.percent(share)
        case .bucket(let bucket, let count, let range):
            let split = program.schemes[Int(node.detail)]
            let words = "the \(name) (\(split.name)) places the caller in bucket \(bucket) of \(count), in "
            guard let range else { return words + "no range" }
            return words + "range \(range + 1) of \(split.ranges.count), from \(split.ranges[range].from) to "
                + "\(split.ranges[range].to)"
        case .ramp(let percent, let isIn):
            return "the \(name) includes " + Self.percent(percent / 100) + " of callers now, and the caller is "
                + (isIn ? "inside" : "outside")
        case .nothingToSplitBy:
            return "the \(name) has no key: the context has no " + (attribute(of: node) ?? "targetingKey")
        case .flag(let key, let variant):
            return "the flag \(key) " + (variant.map { "is \"\(Self.shortened($0))\"" } ?? "has no value")
        }
    }

    /// Formats a share as a percentage with at most two decimals.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole) %" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
    }

    /// Describes an argument: the attribute that it reads, and its value in this context.
    private func phrase(of node: Program.Node, _ place: Int, _ value: FlagValue?) -> String {
        let text = value.map { Self.shortened($0.json(upTo: 400)) } ?? "nothing"
        guard place < node.count else { return text }
        let child = child(node, place)
        switch program.nodes[Int(child)].operation {
        case .literal, .list: return text
        case .variable, .flagKey, .timestamp:
            let name = name(of: program.nodes[Int(child)])
            if case .null? = value { return name + " (missing)" }
            return name + " (" + text + ")"
        default: return (program.origins[Int(child)].name?.description ?? "") + " (" + text + ")"
        }
    }

    /// Returns the attribute that a split or ramp hashes, or nil for the targeting key.
    private func attribute(of node: Program.Node) -> String? {
        guard node.count > 0 else { return nil }
        let place = node.operation == .ramp ? 2 : 0
        guard place < node.count else { return nil }
        let first = program.nodes[Int(child(node, place))]
        return first.operation == .variable ? name(of: first) : nil
    }

    /// Returns the path of a `var`.
    private func name(of variable: Program.Node) -> String {
        Self.shortened(program.paths[Int(variable.detail)].joined(separator: "."))
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > 80 else { return text }
        // The prefix counts scalars, because grapheme breaking needs tables that a web page does not have.
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…"
    }
}

extension Explanation.Finding {
    /// The same finding with operands of a bounded length.
    fileprivate var shortened: Explanation.Finding {
        guard case .compared(let operands, let result) = self else { return self }
        let shortened = operands.map { $0.shortened(to: RuleLimits.maxOperandBytes, depth: RuleLimits.maxDepth) }
        return .compared(shortened, result: result)
    }
}
