/// A regular expression that matches in time proportional to the text, without backtracking (Ken Thompson, "Regular
/// Expression Search Algorithm", 1968).
package struct Pattern: Sendable {
    enum Instruction: Sendable {
        case scalar(ScalarSet)
        case edge(Edge)
        case jump(Int)
        case split(Int, Int)
        case match
    }

    /// A condition on the scalars before and after a position, or on their absence.
    enum Edge: Sendable {
        case textStart, textEnd, lineStart, lineEnd, wordEdge, noWordEdge

        func lies(between previous: Unicode.Scalar?, and next: Unicode.Scalar?) -> Bool {
            switch self {
            case .textStart: previous == nil
            case .textEnd: next == nil
            case .lineStart: previous == nil || previous == "\n"
            case .lineEnd: next == nil || next == "\n"
            case .wordEdge: Edge.isInWord(previous) != Edge.isInWord(next)
            case .noWordEdge: Edge.isInWord(previous) == Edge.isInWord(next)
            }
        }

        private static func isInWord(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { ScalarSet.word.hasRange(with: $0.value) } ?? false
        }
    }

    let instructions: [Instruction]
    /// True if any set ignores case.
    private let ignoresCase: Bool

    init(instructions: [Instruction]) {
        self.instructions = instructions
        ignoresCase = instructions.contains { if case .scalar(let set) = $0 { set.ignoresCase } else { false } }
    }

    static let maxInstructions = 1000

    /// Parses a pattern. Returns nil if `almanac.matches` does not take it.
    package init?(_ text: String) {
        do throws(PatternParser.Fault) {
            self = try PatternParser.pattern(text)
        } catch {
            return nil
        }
    }

    package func matches(_ text: String) -> Bool {
        var walk = ActiveInstructions(count: instructions.count)
        var previous: Unicode.Scalar?
        var scalars = text.unicodeScalars.makeIterator()
        while true {
            let next = scalars.next()
            walk.enter(instructions, between: previous, and: next)
            if walk.hasMatched { return true }
            guard let next else { return false }
            walk.step(over: FoldedScalar(next, wantsCases: ignoresCase), of: instructions)
            previous = next
        }
    }
}

/// A scalar with its forms in the other case, for sets that ignore case.
struct FoldedScalar {
    let value: UInt32
    /// The lower and the upper form. A form of several scalars is left out.
    let lower: UInt32
    let upper: UInt32

    /// - Parameter wantsCases: False if no set ignores case. The forms are then the scalar itself.
    init(_ scalar: Unicode.Scalar, wantsCases: Bool = true) {
        value = scalar.value
        if !wantsCases {
            (lower, upper) = (value, value)
        } else if scalar.isASCII {
            lower = (65...90).contains(value) ? value + 32 : value
            upper = (97...122).contains(value) ? value - 32 : value
        } else {
            lower = FoldedScalar.single(scalar.properties.lowercaseMapping) ?? value
            upper = FoldedScalar.single(scalar.properties.uppercaseMapping) ?? value
        }
    }

    private static func single(_ text: String) -> UInt32? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first?.value : nil
    }
}

/// A set of scalars, or its complement.
struct ScalarSet: Sendable {
    /// The ranges; sorted and separate once the set is complete.
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false
    /// True if the set contains each scalar that it contains in the other case.
    var ignoresCase = false

    /// The scalars of `\w`.
    static let word = ScalarSet(ranges: [48...57, 65...90, 95...95, 97...122])

    /// The same set with sorted, separate ranges.
    var inOrder: ScalarSet {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound + 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return ScalarSet(ranges: joined, isInverted: isInverted, ignoresCase: ignoresCase)
    }

    func contains(_ scalar: FoldedScalar) -> Bool {
        (hasRange(with: scalar.value)
            || (ignoresCase && (hasRange(with: scalar.lower) || hasRange(with: scalar.upper))))
            != isInverted
    }

    func hasRange(with value: UInt32) -> Bool {
        // The first range that doesn't end before the value.
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= value
    }
}

/// The set of active instructions during a match.
private struct ActiveInstructions {
    /// The active instructions that read a scalar.
    private var places: [Int] = []
    /// The instructions reached by the last scalar.
    private var reached: [Int] = []
    private var marks: [Int]
    private var round = 0
    private var waiting: [Int] = []
    private(set) var hasMatched = false

    init(count: Int) { marks = Array(repeating: 0, count: count) }

    /// Activates the start of the pattern, the reached instructions, and all instructions that follow them without
    /// reading a scalar.
    mutating func enter(
        _ instructions: [Pattern.Instruction], between previous: Unicode.Scalar?, and next: Unicode.Scalar?
    ) {
        places.removeAll(keepingCapacity: true)
        round += 1
        waiting.append(0)
        waiting += reached
        while let place = waiting.popLast() {
            guard marks[place] != round else { continue }
            marks[place] = round
            switch instructions[place] {
            case .jump(let target): waiting.append(target)
            case .split(let first, let second):
                waiting.append(first)
                waiting.append(second)
            case .edge(let edge): if edge.lies(between: previous, and: next) { waiting.append(place + 1) }
            case .scalar: places.append(place)
            case .match: hasMatched = true
            }
        }
    }

    mutating func step(over scalar: FoldedScalar, of instructions: [Pattern.Instruction]) {
        reached.removeAll(keepingCapacity: true)
        for place in places {
            if case .scalar(let set) = instructions[place], set.contains(scalar) { reached.append(place + 1) }
        }
    }
}
