extension Evaluator {
    mutating func comparison(_ index: Int32, _ node: Program.Node) throws(EvaluationFault) -> FlagValue {
        let left = try operand(node, 0)
        if node.operation == .literalMember, findings == nil { return .bool(isMember(left, node)) }
        // A sorted literal set is not read as a whole, however large it is.
        let right = node.operation == .literalMember ? try argument(node, 1) : try operand(node, 1)
        let third = try operand(node, 2)
        let result: FlagValue =
            switch node.operation {
            case .equal: .bool(left.looselyEquals(right))
            case .notEqual: .bool(!left.looselyEquals(right))
            case .same: .bool(left == right)
            case .notSame: .bool(left != right)
            case .less: .bool(areInOrder(left, right, third, { $0.comesBefore($1) }, { $0 < $1 }))
            case .lessOrEqual: .bool(areInOrder(left, right, third, { !$1.comesBefore($0) }, { $0 <= $1 }))
            case .greater: .bool(areInOrder(left, right, third, { $1.comesBefore($0) }, { $0 > $1 }))
            case .greaterOrEqual: .bool(areInOrder(left, right, third, { !$0.comesBefore($1) }, { $0 >= $1 }))
            case .literalMember: .bool(isMember(left, node))
            case .member: .bool(try isMember(left, of: right))
            case .startsWith, .endsWith: affix(node, left, right)
            case .pattern: try matches(node, left)
            case .version: version(node, left, right, third)
            case .numericVersion: numericVersion(left, right, third)
            case .paddedVersion: try paddedVersion(left, right, third)
            case .network: try isInNetwork(node, left)
            default: node.count == 3 ? date(left, right, third, isLenient: node.detail > 0) : .null
            }
        if findings != nil {
            let isAlone = node.operation == .pattern || node.operation == .network
            let operands = isAlone ? [left] : node.count > 2 ? [left, right, third] : [left, right]
            note(index, .compared(operands, result: result))
        }
        return result
    }

    /// Returns true if two values are in order, or if the second of three values lies between the others.
    private func areInOrder(
        _ left: FlagValue, _ right: FlagValue, _ third: FlagValue, _ texts: (String, String) -> Bool,
        _ numbers: (Double, Double) -> Bool
    ) -> Bool {
        guard left.compare(right, texts, numbers) else { return false }
        if case .null = third { return true }
        return right.compare(third, texts, numbers)
    }

    private func isMember(_ value: FlagValue, _ node: Program.Node) -> Bool {
        guard case .string(let text) = value else { return false }
        return FlagKeys(keys: program.sets[Int(node.detail)]).index(of: text) != nil
    }

    private mutating func isMember(_ value: FlagValue, of other: FlagValue) throws(EvaluationFault) -> Bool {
        switch other {
        case .array(let elements): return elements.contains { $0 == value }
        case .string(let text):
            let part = value.text
            try charge(text.utf8.count / 16 * max(1, part.utf8.count / 16))
            return text.contains(bytes: part)
        default: return false
        }
    }

    private func affix(_ node: Program.Node, _ left: FlagValue, _ right: FlagValue) -> FlagValue {
        guard node.count == 2, case .string(let text) = left, case .string(let part) = right else { return .null }
        return .bool(node.operation == .startsWith ? text.hasPrefix(bytes: part) : text.hasSuffix(bytes: part))
    }

    private func version(
        _ node: Program.Node, _ left: FlagValue, _ relation: FlagValue, _ right: FlagValue
    ) -> FlagValue {
        guard node.count == 3, case .string(let name) = relation, let relation = SemanticVersion.Relation(name),
            let mine = version(left, child(node, 0)), let theirs = version(right, child(node, 2))
        else { return .null }
        return .bool(mine.stands(in: relation, to: theirs))
    }

    private func version(_ value: FlagValue, _ index: Int32) -> SemanticVersion? {
        let node = program.nodes[Int(index)]
        if node.operation == .literal, node.shortcut >= 0 { return program.versions[Int(node.shortcut)] }
        switch value {
        case .string(let text): return SemanticVersion(text)
        case .number(let number): return SemanticVersion(number.text)
        default: return nil
        }
    }

    private func date(
        _ left: FlagValue, _ relation: FlagValue, _ right: FlagValue, isLenient: Bool
    ) -> FlagValue {
        guard let relation = SemanticVersion.Relation(orders: relation),
            let mine = Instant(left, isLenient: isLenient), let theirs = Instant(right, isLenient: isLenient)
        else { return .null }
        return .bool(relation.holds(mine.milliseconds, theirs.milliseconds))
    }

    /// Compares versions of numbers. Only texts are versions.
    private func numericVersion(_ left: FlagValue, _ relation: FlagValue, _ right: FlagValue) -> FlagValue {
        guard let relation = SemanticVersion.Relation(orders: relation), case .string(let mine) = left,
            case .string(let theirs) = right, let mine = NumericVersion(mine), let theirs = NumericVersion(theirs)
        else { return .null }
        return .bool(relation.holds(mine, theirs))
    }

    /// Compares versions as GrowthBook does. Only texts are versions.
    private mutating func paddedVersion(
        _ left: FlagValue, _ relation: FlagValue, _ right: FlagValue
    ) throws(EvaluationFault) -> FlagValue {
        guard let relation = SemanticVersion.Relation(orders: relation), case .string(let mine) = left,
            case .string(let theirs) = right
        else { return .null }
        // A padded text has up to six bytes for a byte, in several small texts.
        try charge(mine.utf8.count + theirs.utf8.count)
        return .bool(relation.holds(PaddedVersion(mine), PaddedVersion(theirs)))
    }

    private mutating func isInNetwork(_ node: Program.Node, _ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        let networks = program.networks[Int(node.detail)]
        try charge(networks.count / 16)
        guard case .string(let text) = value, let address = Network.Address(text) else { return .null }
        return .bool(networks.contains { $0.contains(address) })
    }

    private mutating func matches(_ node: Program.Node, _ value: FlagValue) throws(EvaluationFault) -> FlagValue {
        guard case .string(let text) = value else { return .null }
        let pattern = program.patterns[Int(node.detail)]
        try charge((1 + text.utf8.count) * pattern.instructions.count / 8)
        return .bool(pattern.matches(text))
    }
}
