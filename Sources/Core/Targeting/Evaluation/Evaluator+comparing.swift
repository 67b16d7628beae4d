extension Evaluator {
    mutating func comparison(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let left = try weighed(argument(node, 0))
        if node.operation == .literalMember, steps == nil { return .bool(isMember(left, node)) }
        if node.operation == .version { return try version(index, node, left) }
        let right = try weighed(argument(node, 1))
        let result: FlagValue =
            switch node.operation {
            case .equal: .bool(left.looselyEquals(right))
            case .notEqual: .bool(!left.looselyEquals(right))
            case .same: .bool(left == right)
            case .notSame: .bool(left != right)
            case .less: .bool(try chain(node, left, right, { $0.comesBefore($1) }, { $0 < $1 }))
            case .lessOrEqual: .bool(try chain(node, left, right, { !$1.comesBefore($0) }, { $0 <= $1 }))
            case .greater: .bool(try chain(node, left, right, { $1.comesBefore($0) }, { $0 > $1 }))
            case .greaterOrEqual: .bool(try chain(node, left, right, { !$0.comesBefore($1) }, { $0 >= $1 }))
            case .literalMember: .bool(isMember(left, node))
            case .member: .bool(try isMember(left, of: right))
            case .startsWith, .endsWith: try affix(node, left, right)
            case .pattern: try matches(node, left)
            default: try date(node, left, right)
            }
        if steps != nil {
            let operands = node.count > 2 ? [left, right, try argument(node, 2)] : [left, right]
            note(index, .compared(node.operation == .pattern ? [left] : operands, result: result))
        }
        return result
    }

    /// Whether values are in order: two, or three of which the middle one is between the others.
    private mutating func chain(
        _ node: Program.Node, _ left: FlagValue, _ right: FlagValue, _ texts: (String, String) -> Bool,
        _ numbers: (Double, Double) -> Bool
    ) throws(EvaluationFault) -> Bool {
        guard left.compare(right, texts, numbers) else { return false }
        guard node.count > 2 else { return true }
        let third = try weighed(argument(node, 2))
        if case .null = third { return true }
        return right.compare(third, texts, numbers)
    }

    private func isMember(_ value: FlagValue, _ node: Program.Node) -> Bool {
        guard case .string(let text) = value else { return false }
        return FlagKeys(keys: program.sets[Int(node.detail)]).index(of: text) != nil
    }

    private mutating func isMember(_ value: FlagValue, of other: FlagValue) throws(EvaluationFault) -> Bool {
        switch other {
        case .array(let elements):
            return elements.contains { $0 == value }
        case .string(let text):
            guard case .string(let part) = value else { return text.contains(bytes: value.text) }
            try spend(text.utf8.count / 16 * max(1, part.utf8.count / 16))
            return text.contains(bytes: part)
        default: return false
        }
    }

    private func affix(_ node: Program.Node, _ left: FlagValue, _ right: FlagValue) throws(EvaluationFault) -> FlagValue
    {
        guard node.count == 2, case .string(let text) = left, case .string(let part) = right else { return .null }
        return .bool(node.operation == .startsWith ? text.hasPrefix(bytes: part) : text.hasSuffix(bytes: part))
    }

    private mutating func version(
        _ index: Int32, _ node: Program.Node, _ left: FlagValue
    ) throws(EvaluationFault) -> FlagValue {
        let result: FlagValue
        if node.count == 3, case .string(let name) = try argument(node, 1),
            let relation = SemanticVersion.Relation(name), let mine = version(left, child(node, 0)),
            let theirs = version(try weighed(argument(node, 2)), child(node, 2))
        {
            result = .bool(mine.stands(in: relation, to: theirs))
        } else {
            result = .null
        }
        if steps != nil {
            let operands = [left, try argument(node, 1), try argument(node, 2)]
            note(index, .compared(operands, result: result))
        }
        return result
    }

    private func version(_ value: FlagValue, _ index: Int32) -> SemanticVersion? {
        let node = program.nodes[Int(index)]
        if node.operation == .literal, case .string = value { return program.versions[Int(node.detail)] }
        switch value {
        case .string(let text): return SemanticVersion(text)
        case .number(let number): return SemanticVersion(number.text)
        default: return nil
        }
    }

    private mutating func date(
        _ node: Program.Node, _ left: FlagValue, _ relation: FlagValue
    ) throws(EvaluationFault) -> FlagValue {
        guard node.count == 3, let relation = SemanticVersion.Relation(orders: relation),
            let mine = Instant(left)?.milliseconds, let theirs = Instant(try argument(node, 2))?.milliseconds
        else { return .null }
        switch relation {
        case .equal: return .bool(mine == theirs)
        case .notEqual: return .bool(mine != theirs)
        case .less: return .bool(mine < theirs)
        case .lessOrEqual: return .bool(mine <= theirs)
        case .greater: return .bool(mine > theirs)
        default: return .bool(mine >= theirs)
        }
    }

    private mutating func matches(_ node: Program.Node, _ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        guard case .string(let text) = value else { return .null }
        let pattern = program.patterns[Int(node.detail)]
        try spend(text.utf8.count * pattern.instructions.count / 16)
        return .bool(pattern.matches(text))
    }
}
