/// A search for the shortest edit script between two sequences of numbers, in linear space.
///
/// Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (Algorithmica 1, 1986), section 4b: search from
/// both corners of the edit graph at once until the paths meet, split there, and solve the two halves.
struct EditGraph {
    private let old: [Int32]
    private let new: [Int32]
    /// The furthest old index reached on each diagonal from the top left and from the bottom right. The diagonal of the
    /// corner is stored at index `reach`.
    private var forward: [Int]
    private var backward: [Int]
    private let reach: Int
    private let bound: Int
    private var matches: [Match] = []
    /// The number of diagonals visited plus the number of elements compared along them.
    private(set) var steps = 0

    init(_ old: [Int32], _ new: [Int32], bound: Int) {
        self.old = old
        self.new = new
        self.bound = bound
        // Round r visits at least r diagonals, r²/2 in total so far, so no search gets past round √(2·bound).
        var rounds = 2
        while rounds * rounds < 2 * bound { rounds *= 2 }
        reach = min(old.count + new.count, rounds) + 2
        forward = Array(repeating: 0, count: 2 * reach + 1)
        backward = Array(repeating: 0, count: 2 * reach + 1)
    }

    /// Returns the common stretches kept by a shortest script, or nil if the search exceeds the bound.
    mutating func solve() -> [Match]? {
        guard solve(Hunk(old: 0..<old.count, new: 0..<new.count)) else { return nil }
        return matches
    }

    private mutating func solve(_ box: Hunk) -> Bool {
        var box = box
        while !box.old.isEmpty, !box.new.isEmpty, old[box.old.lowerBound] == new[box.new.lowerBound] {
            matches.join(Match(old: box.old.lowerBound, new: box.new.lowerBound, length: 1))
            box = Hunk(
                old: box.old.lowerBound + 1..<box.old.upperBound, new: box.new.lowerBound + 1..<box.new.upperBound)
            steps += 1
        }
        var suffix = 0
        while !box.old.isEmpty, !box.new.isEmpty, old[box.old.upperBound - 1] == new[box.new.upperBound - 1] {
            box = Hunk(
                old: box.old.lowerBound..<box.old.upperBound - 1, new: box.new.lowerBound..<box.new.upperBound - 1)
            suffix += 1
        }
        steps += suffix
        if !box.old.isEmpty, !box.new.isEmpty {
            guard let (old, new) = split(box) else { return false }
            guard solve(Hunk(old: box.old.lowerBound..<old, new: box.new.lowerBound..<new)),
                solve(Hunk(old: old..<box.old.upperBound, new: new..<box.new.upperBound))
            else { return false }
        }
        matches.join(Match(old: box.old.upperBound, new: box.new.upperBound, length: suffix))
        return true
    }
}

extension EditGraph {
    /// Returns a point on a shortest path through a box, or nil if the bound is reached.
    ///
    /// A diagonal is the difference of the old and the new index. The range of visited diagonals grows by one on each
    /// side per round, and shrinks again at the edges of the box.
    private mutating func split(_ box: Hunk) -> (old: Int, new: Int)? {
        let lowest = box.old.lowerBound - box.new.upperBound
        let highest = box.old.upperBound - box.new.lowerBound
        let first = box.old.lowerBound - box.new.lowerBound
        let last = box.old.upperBound - box.new.upperBound
        let isOdd = (first - last) & 1 != 0
        let forwardBase = reach - first
        let backwardBase = reach - last
        var forwardRange = first...first
        var backwardRange = last...last
        forward[reach] = box.old.lowerBound
        backward[reach] = box.old.upperBound
        while true {
            forwardRange = widened(forwardRange, within: lowest...highest, &forward, forwardBase, outside: -1)
            var diagonal = forwardRange.upperBound
            while diagonal >= forwardRange.lowerBound {
                let place = forwardBase + diagonal
                var oldIndex = max(forward[place - 1] + 1, forward[place + 1])
                let start = oldIndex
                while oldIndex < box.old.upperBound, oldIndex - diagonal < box.new.upperBound,
                    old[oldIndex] == new[oldIndex - diagonal]
                { oldIndex += 1 }
                steps += oldIndex - start + 1
                guard steps <= bound else { return nil }
                forward[place] = oldIndex
                if isOdd, backwardRange.contains(diagonal), backward[backwardBase + diagonal] <= oldIndex {
                    return (oldIndex, oldIndex - diagonal)
                }
                diagonal -= 2
            }
            backwardRange = widened(backwardRange, within: lowest...highest, &backward, backwardBase, outside: .max)
            diagonal = backwardRange.upperBound
            while diagonal >= backwardRange.lowerBound {
                let place = backwardBase + diagonal
                var oldIndex = min(backward[place - 1], backward[place + 1] - 1)
                let start = oldIndex
                while oldIndex > box.old.lowerBound, oldIndex - diagonal > box.new.lowerBound,
                    old[oldIndex - 1] == new[oldIndex - 1 - diagonal]
                { oldIndex -= 1 }
                steps += start - oldIndex + 1
                guard steps <= bound else { return nil }
                backward[place] = oldIndex
                if !isOdd, forwardRange.contains(diagonal), oldIndex <= forward[forwardBase + diagonal] {
                    return (oldIndex, oldIndex - diagonal)
                }
                diagonal -= 2
            }
        }
    }

    /// Returns the diagonals of the next round. A diagonal just outside gets a value from which no path continues.
    private func widened(
        _ range: ClosedRange<Int>, within limits: ClosedRange<Int>, _ furthest: inout [Int], _ base: Int, outside: Int
    ) -> ClosedRange<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        if low > limits.lowerBound {
            low -= 1
            furthest[base + low - 1] = outside
        } else {
            low += 1
        }
        if high < limits.upperBound {
            high += 1
            furthest[base + high + 1] = outside
        } else {
            high -= 1
        }
        return low...high
    }
}
