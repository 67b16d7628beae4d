extension Explanation {
    /// The selected branch and the reasons for it, in words for an author of rules, such as `condition 1 of the if
    /// holds (plan ("pro") == "pro": true); so the variant is "on"`.
    public var branch: String {
        switch evaluation.reason {
        case .disabled:
            let words = "the flag is switched off: its state is DISABLED"
            return evaluation.variant == nil ? words : words + "; so " + outcome
        case .static: return "the flag has no rule, so its default applies: " + outcome
        case .default where steps.isEmpty && evaluation.variant == nil:
            return "the flag has neither a rule nor a default, so the caller's default applies"
        case .error: return (way + [evaluation.error?.message ?? ""]).joined(separator: "; ")
        case .default: return (way + ["the rule selects no variant, so " + outcome]).joined(separator: "; ")
        case .targetingMatch: return (way + ["so " + outcome]).joined(separator: "; ")
        }
    }

    private var outcome: String {
        evaluation.variant.map { "the variant is \"\($0.name)\"" } ?? "the caller's default applies"
    }

    /// The number of comparisons shown for a condition.
    private static let maxReasons = 4

    /// The steps that led to the variant, each with the comparisons before it.
    private var way: [String] {
        var way: [String] = []
        var reasons: [String] = []
        let last = lastConditions
        for (index, step) in steps.enumerated() where step.depth == 0 {
            guard step.isDeciding else {
                // The comparisons already describe a nested condition.
                if case .condition = step.finding { continue }
                reasons.append(step.words)
                continue
            }
            // The step of the last condition describes the earlier conditions of the same `if`.
            if case .condition(false, _?) = step.finding, last[step.node] != index { continue }
            var words = step.words
            if !reasons.isEmpty {
                let more = reasons.count - Self.maxReasons
                words += " (" + reasons.suffix(Self.maxReasons).joined(separator: "; ")
                words += more > 0 ? "; and \(more) more)" : ")"
            }
            way.append(words)
            reasons = []
        }
        return way
    }

    /// The index of the last recorded condition of each `if`, by node.
    private var lastConditions: [Int32: Int] {
        var last: [Int32: Int] = [:]
        for (index, step) in steps.enumerated() where step.isDeciding && step.depth == 0 {
            if case .condition = step.finding { last[step.node] = index }
        }
        return last
    }
}
