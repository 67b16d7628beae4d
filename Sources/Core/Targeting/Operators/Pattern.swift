/// A regular expression that matches in time proportional to the text, without backtracking (Ken Thompson, "Regular
/// Expression Search Algorithm", 1968).
struct Pattern: Sendable {
    enum Instruction: Sendable {
        case scalar(ScalarSet)
        case start
        case end
        case jump(Int)
        case split(Int, Int)
        case match
    }

    let instructions: [Instruction]

    static let maxInstructions = 1000

    func matches(_ text: String) -> Bool {
        var walk = ActiveInstructions(count: instructions.count)
        var isFirst = true
        for scalar in text.unicodeScalars {
            walk.add(0, of: instructions, isStart: isFirst, isEnd: false)
            if walk.hasMatched { return true }
            walk.step(over: scalar, of: instructions)
            isFirst = false
        }
        walk.add(0, of: instructions, isStart: isFirst, isEnd: true)
        walk.end(of: instructions)
        return walk.hasMatched
    }
}

/// A set of scalars, or its complement.
struct ScalarSet: Sendable {
    /// The ranges; sorted and separate once the set is complete.
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false

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
        return ScalarSet(ranges: joined, isInverted: isInverted)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        // The first range that doesn't end before the scalar.
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
        }
        return (low < ranges.count && ranges[low].lowerBound <= scalar.value) != isInverted
    }
}

/// The set of active instructions during a match.
private struct ActiveInstructions {
    private var places: [Int] = []
    private var next: [Int] = []
    private var marks: [Int]
    private var round = 1
    private var waiting: [Int] = []
    private(set) var hasMatched = false

    init(count: Int) { marks = Array(repeating: 0, count: count) }

    /// Adds an instruction and all instructions reachable without reading a scalar.
    mutating func add(_ place: Int, of instructions: [Pattern.Instruction], isStart: Bool, isEnd: Bool) {
        waiting.append(place)
        while let place = waiting.popLast() {
            guard marks[place] != round else { continue }
            marks[place] = round
            switch instructions[place] {
            case .jump(let target): waiting.append(target)
            case .split(let first, let second):
                waiting.append(first)
                waiting.append(second)
            case .start: if isStart { waiting.append(place + 1) }
            case .end: if isEnd { waiting.append(place + 1) } else { places.append(place) }
            case .scalar: places.append(place)
            case .match: hasMatched = true
            }
        }
    }

    mutating func step(over scalar: Unicode.Scalar, of instructions: [Pattern.Instruction]) {
        next.removeAll(keepingCapacity: true)
        for place in places {
            if case .scalar(let set) = instructions[place], set.contains(scalar) { next.append(place + 1) }
        }
        places.removeAll(keepingCapacity: true)
        round += 1
        for place in next { add(place, of: instructions, isStart: false, isEnd: false) }
    }

    /// Follows the active `end` instructions at the end of the text.
    mutating func end(of instructions: [Pattern.Instruction]) {
        let reached = places
        round += 1
        for place in reached {
            if case .end = instructions[place] { add(place, of: instructions, isStart: false, isEnd: true) }
        }
    }
}
