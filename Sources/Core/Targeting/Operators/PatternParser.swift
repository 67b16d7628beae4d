/// A parser for patterns: characters, `.`, `[a-z]`, `[[:alpha:]]`, `\d` `\w` `\s` and their opposites, `^` `$` `\b`
/// `\B`, `( )`, `|`, `*` `+` `?` and `{2,5}`, and the flags `(?i)` `(?s)` `(?m)`, as in RE2.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var depth = 0
    private var instructions: [Pattern.Instruction] = []
    /// The flags at the current place, which end with their group.
    private var flags = Flags()

    private struct Flags {
        var ignoresCase = false
        /// True if `.` matches a line feed.
        var isDotAll = false
        /// True if `^` and `$` match at line feeds.
        var isMultiline = false
    }

    enum Fault: Error {
        case tooLarge
        case tooDeep
        case unexpected(Int)
        case unclosed
    }

    static func pattern(_ text: String) throws(Fault) -> Pattern {
        var parser = PatternParser(scalars: Array(text.unicodeScalars))
        try parser.choice()
        guard parser.offset == parser.scalars.count else { throw .unexpected(parser.offset) }
        try parser.emit(.match)
        return Pattern(instructions: parser.instructions)
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        offset += 1
        return true
    }

    private mutating func emit(_ instruction: Pattern.Instruction) throws(Fault) {
        guard instructions.count < Pattern.maxInstructions else { throw .tooLarge }
        instructions.append(instruction)
    }

    /// Inserts an instruction, which moves the following instructions by one.
    private mutating func insert(_ instruction: Pattern.Instruction, at place: Int) throws(Fault) {
        try emit(.match)
        for index in (place + 1..<instructions.count).reversed() {
            instructions[index] = PatternParser.moved(instructions[index - 1], by: 1)
        }
        instructions[place] = instruction
    }

    private static func moved(_ instruction: Pattern.Instruction, by distance: Int) -> Pattern.Instruction {
        switch instruction {
        case .jump(let target): .jump(target + distance)
        case .split(let first, let second): .split(first + distance, second + distance)
        default: instruction
        }
    }

    private mutating func choice() throws(Fault) {
        guard depth < 32 else { throw .tooDeep }
        depth += 1
        defer { depth -= 1 }
        var jumps: [Int] = []
        var start = instructions.count
        try sequence()
        while take("|") {
            try insert(.split(start + 1, instructions.count + 2), at: start)
            jumps.append(instructions.count)
            try emit(.jump(0))
            start = instructions.count
            try sequence()
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func sequence() throws(Fault) {
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = instructions.count
            try single()
            try repetition(from: start)
        }
    }

    private mutating func single() throws(Fault) {
        guard let scalar = next else { throw .unclosed }
        offset += 1
        switch scalar {
        case "(": try group()
        case "[": try emit(.scalar(try set()))
        case ".": try emit(.scalar(ScalarSet(ranges: flags.isDotAll ? [] : [10...10], isInverted: true)))
        case "^": try emit(.edge(flags.isMultiline ? .lineStart : .textStart))
        case "$": try emit(.edge(flags.isMultiline ? .lineEnd : .textEnd))
        case "\\":
            if take("b") {
                try emit(.edge(.wordEdge))
            } else if take("B") {
                try emit(.edge(.noWordEdge))
            } else {
                try emit(.scalar(folded(try escape())))
            }
        case "*", "+", "?", "{": throw .unexpected(offset - 1)
        default: try emit(.scalar(folded(ScalarSet(ranges: [scalar.value...scalar.value]))))
        }
    }

    /// Parses a group after its parenthesis, or flags for the rest of the group around them.
    private mutating func group() throws(Fault) {
        let outer = flags
        if take("?") {
            try readFlags()
            if take(")") { return }
            guard take(":") else { throw .unexpected(offset) }
        }
        try choice()
        guard take(")") else { throw .unclosed }
        flags = outer
    }

    private mutating func readFlags() throws(Fault) {
        var value = true
        while let scalar = next, scalar != ":", scalar != ")" {
            switch scalar {
            case "i": flags.ignoresCase = value
            case "s": flags.isDotAll = value
            case "m": flags.isMultiline = value
            case "-" where value: value = false
            default: throw .unexpected(offset)
            }
            offset += 1
        }
    }

    /// Returns the set, with its scalars in the other case if the flags ignore case.
    private func folded(_ set: ScalarSet) -> ScalarSet {
        guard flags.ignoresCase else { return set }
        var folded = set
        folded.ignoresCase = true
        for range in set.ranges where range.count == 1 {
            guard let scalar = Unicode.Scalar(range.lowerBound).map({ FoldedScalar($0) }) else { continue }
            folded.ranges += [scalar.lower...scalar.lower, scalar.upper...scalar.upper]
        }
        return folded.inOrder
    }

    private mutating func repetition(from start: Int) throws(Fault) {
        guard let scalar = next else { return }
        switch scalar {
        case "*": try repeated(from: start, 0, nil)
        case "+": try repeated(from: start, 1, nil)
        case "?": try repeated(from: start, 0, 1)
        case "{":
            offset += 1
            let minimum = try number()
            let maximum = take(",") ? (next == "}" ? nil : try number()) : minimum
            guard next == "}" else { throw .unexpected(offset) }
            guard minimum <= maximum ?? minimum else { throw .unexpected(offset) }
            try repeated(from: start, minimum, maximum)
        default: return
        }
        // A lazy repetition matches the same texts. A repetition of a repetition is a mistake.
        _ = take("?")
        if let scalar = next, scalar == "*" || scalar == "+" || scalar == "?" || scalar == "{" {
            throw .unexpected(offset)
        }
    }

    private mutating func number() throws(Fault) -> Int {
        let start = offset
        var number = 0
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = number * 10 + Int(scalar.value - 48)
            guard number <= Pattern.maxInstructions else { throw .tooLarge }
            offset += 1
        }
        guard offset > start else { throw .unexpected(offset) }
        return number
    }

    /// Repeats the instructions emitted since `start` between `minimum` and `maximum` times.
    private mutating func repeated(from start: Int, _ minimum: Int, _ maximum: Int?) throws(Fault) {
        offset += 1
        let body = Array(instructions[start...])
        instructions.removeSubrange(start...)
        func copied(_ parser: inout PatternParser) throws(Fault) {
            let distance = parser.instructions.count - start
            for instruction in body { try parser.emit(PatternParser.moved(instruction, by: distance)) }
        }
        for _ in 0..<minimum { try copied(&self) }
        if let maximum {
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(instructions.count)
                try emit(.match)
                try copied(&self)
            }
            for split in splits { instructions[split] = .split(split + 1, instructions.count) }
        } else {
            let loop = instructions.count
            try emit(.match)
            try copied(&self)
            try emit(.jump(loop))
            instructions[loop] = .split(loop + 1, instructions.count)
        }
    }

    private mutating func set() throws(Fault) -> ScalarSet {
        var set = ScalarSet(isInverted: take("^"))
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            offset += 1
            isFirst = false
            if scalar == "[", let ranges = try namedClass() {
                set.ranges += ranges
                continue
            }
            if scalar == "\\" {
                let escaped = try escape()
                set.ranges += escaped.isInverted ? PatternParser.others(than: escaped.ranges) : escaped.ranges
                continue
            }
            var last = scalar
            if next == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]" {
                offset += 1
                last = scalars[offset]
                offset += 1
                guard scalar <= last, last != "\\" else { throw .unexpected(offset - 1) }
            }
            set.ranges.append(scalar.value...last.value)
        }
        guard take("]") else { throw .unclosed }
        return folded(set).inOrder
    }

    /// Parses a class of POSIX, such as `[:alpha:]` or its opposite `[:^alpha:]`, after its bracket. Returns nil if the
    /// bracket stands for itself.
    private mutating func namedClass() throws(Fault) -> [ClosedRange<UInt32>]? {
        guard next == ":" else { return nil }
        let isInverted = offset + 1 < scalars.count && scalars[offset + 1] == "^"
        let start = offset + (isInverted ? 2 : 1)
        guard let end = scalars[min(start, scalars.count)...].firstIndex(of: ":"), end + 1 < scalars.count,
            scalars[end + 1] == "]"
        else { return nil }
        var name = ""
        name.unicodeScalars.append(contentsOf: scalars[start..<end])
        guard let ranges = PatternParser.ranges(ofClass: name) else { throw .unexpected(start) }
        offset = end + 2
        return isInverted ? PatternParser.others(than: ranges) : ranges
    }

    /// Returns the ASCII ranges of a class of POSIX.
    private static func ranges(ofClass name: String) -> [ClosedRange<UInt32>]? {
        switch true {
        case name.hasBytes(of: "alnum"): [48...57, 65...90, 97...122]
        case name.hasBytes(of: "alpha"): [65...90, 97...122]
        case name.hasBytes(of: "ascii"): [0...127]
        case name.hasBytes(of: "blank"): [9...9, 32...32]
        case name.hasBytes(of: "cntrl"): [0...31, 127...127]
        case name.hasBytes(of: "digit"): [48...57]
        case name.hasBytes(of: "graph"): [33...126]
        case name.hasBytes(of: "lower"): [97...122]
        case name.hasBytes(of: "print"): [32...126]
        case name.hasBytes(of: "punct"): [33...47, 58...64, 91...96, 123...126]
        case name.hasBytes(of: "space"): [9...13, 32...32]
        case name.hasBytes(of: "upper"): [65...90]
        case name.hasBytes(of: "word"): ScalarSet.word.ranges
        case name.hasBytes(of: "xdigit"): [48...57, 65...70, 97...102]
        default: nil
        }
    }

    private mutating func escape() throws(Fault) -> ScalarSet {
        guard let scalar = next else { throw .unclosed }
        offset += 1
        switch scalar {
        case "d", "D": return ScalarSet(ranges: [48...57], isInverted: scalar == "D")
        case "s", "S": return ScalarSet(ranges: [9...13, 32...32], isInverted: scalar == "S")
        case "w", "W": return ScalarSet(ranges: ScalarSet.word.ranges, isInverted: scalar == "W")
        case "n": return ScalarSet(ranges: [10...10])
        case "r": return ScalarSet(ranges: [13...13])
        case "t": return ScalarSet(ranges: [9...9])
        default:
            // An escaped letter or digit, such as \1 or \A, has a meaning in other engines that is not supported here.
            let isWord = ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            guard !isWord else { throw .unexpected(offset - 1) }
            return ScalarSet(ranges: [scalar.value...scalar.value])
        }
    }

    /// Returns the scalars outside the ranges, which are sorted.
    private static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var others: [ClosedRange<UInt32>] = []
        var from: UInt32 = 0
        for range in ranges {
            if range.lowerBound > from { others.append(from...range.lowerBound - 1) }
            from = range.upperBound + 1
        }
        return others + [from...0x10FFFF]
    }
}
