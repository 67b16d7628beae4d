/// A reader of the syntax that the regular expressions of several languages share.
struct SourcePatternReader {
    private let scalars: [Unicode.Scalar]
    private let isPython: Bool
    private var offset = 0
    private var depth = 0
    private var flags = Flags()

    private struct Flags {
        var ignoresCase = false
        var isDotAll = false
        var isMultiline = false
    }

    private static let maxDepth = 50
    private static let maxRepetitions = 1000
    /// The limit on the steps of a match at one place.
    private static let maxSteps = 100_000.0

    init(_ text: String, isPython: Bool) {
        scalars = Array(text.unicodeScalars)
        self.isPython = isPython
    }

    mutating func pattern() -> SourcePattern.Node? {
        guard let node = choice(), offset == scalars.count, Self.steps(of: node) <= Self.maxSteps else { return nil }
        return node
    }

    /// The steps of an unlimited repetition, which repeats once for each place of the text.
    private static let stepsOfUnlimited = 32

    /// Returns the number of parts with their repetitions, as a double because nested repetitions multiply.
    private static func steps(of node: SourcePattern.Node) -> Double {
        switch node {
        case .scalar, .edge: 1
        case .sequence(let parts), .choice(let parts): parts.reduce(1) { $0 + steps(of: $1) }
        case .repetition(let part, let least, let most): 1 + Double(most ?? least + stepsOfUnlimited) * steps(of: part)
        }
    }

    private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        offset += 1
        return true
    }

    private mutating func choice() -> SourcePattern.Node? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { return nil }
        var branches: [SourcePattern.Node] = []
        repeat {
            var parts: [SourcePattern.Node] = []
            while let scalar = next, scalar != "|", scalar != ")" {
                guard let part = single(), let repeated = repeated(part) else { return nil }
                parts.append(repeated)
            }
            branches.append(.sequence(parts))
        } while take("|")
        return .choice(branches)
    }

    private mutating func single() -> SourcePattern.Node? {
        guard let scalar = next else { return nil }
        offset += 1
        switch scalar {
        case "(": return group()
        case "[": return set().map { .scalar(folded($0)) }
        case ".": return .scalar(ScalarClass(ranges: flags.isDotAll ? [] : [10...10], isInverted: true))
        case "^": return .edge(flags.isMultiline ? .lineStart : .textStart)
        case "$": return .edge(flags.isMultiline ? .lineEnd : isPython ? .lastLineEnd : .textEnd)
        case "\\":
            if take("b") { return .edge(.wordEdge) }
            if take("B") { return .edge(.noWordEdge) }
            return escape().map { .scalar(folded($0)) }
        case "*", "+", "?", "{": return nil
        default: return .scalar(folded(.only(scalar)))
        }
    }

    private mutating func group() -> SourcePattern.Node? {
        let outer = flags
        if take("?") {
            var value = true
            while let scalar = next, scalar != ":", scalar != ")" {
                switch scalar {
                case "i": flags.ignoresCase = value
                case "s": flags.isDotAll = value
                case "m": flags.isMultiline = value
                case "-" where value: value = false
                default: return nil
                }
                offset += 1
            }
            if take(")") { return .sequence([]) }
            guard take(":") else { return nil }
        }
        guard let node = choice(), take(")") else { return nil }
        flags = outer
        return node
    }

    private func folded(_ scalars: ScalarClass) -> ScalarClass {
        var folded = scalars
        folded.ignoresCase = flags.ignoresCase
        return folded
    }

    private mutating func repeated(_ node: SourcePattern.Node) -> SourcePattern.Node? {
        let (least, most): (Int, Int?)
        if take("*") {
            (least, most) = (0, nil)
        } else if take("+") {
            (least, most) = (1, nil)
        } else if take("?") {
            (least, most) = (0, 1)
        } else if take("{") {
            guard let first = number() else { return nil }
            let second: Int? = take(",") ? (next == "}" ? nil : number() ?? -1) : first
            guard take("}"), second.map({ $0 >= first }) ?? true else { return nil }
            (least, most) = (first, second)
        } else {
            return node
        }
        _ = take("?")
        if let scalar = next, ["*", "+", "?", "{"].contains(scalar) { return nil }
        return .repetition(node, least: least, most: most)
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let scalar = next, ("0"..."9").contains(scalar), number ?? 0 <= Self.maxRepetitions {
            number = (number ?? 0) * 10 + Int(scalar.value - 48)
            offset += 1
        }
        return number.flatMap { $0 <= Self.maxRepetitions ? $0 : nil }
    }

    private mutating func set() -> ScalarClass? {
        var set = ScalarClass(isInverted: take("^"))
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            offset += 1
            isFirst = false
            // Python reads the class [[:alpha:]] as a set and a bracket.
            if scalar == "[", next == ":", !isPython { return nil }
            if scalar == "\\" {
                guard let part = escape() else { return nil }
                set.parts.append(part)
                continue
            }
            var last = scalar
            if next == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]" {
                last = scalars[offset + 1]
                offset += 2
                guard scalar <= last, last != "\\" else { return nil }
            }
            set.ranges.append(scalar.value...last.value)
        }
        return take("]") ? set : nil
    }

    private mutating func escape() -> ScalarClass? {
        guard let scalar = next else { return nil }
        offset += 1
        switch scalar {
        case "d": return .digit
        case "D": return .digit.inverted
        case "s": return .space
        case "S": return .space.inverted
        case "w": return .word
        case "W": return .word.inverted
        case "n": return .only("\n")
        case "r": return .only("\r")
        case "t": return .only("\t")
        default:
            let isWord = ScalarClass.word.contains(scalar) && scalar != "_"
            return isWord || (scalar.isASCII == false) ? nil : .only(scalar)
        }
    }
}
