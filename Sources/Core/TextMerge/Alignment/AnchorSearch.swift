/// A search that matches tokens around anchors: tokens that occur exactly once on both sides, which are rarely there by
/// chance.
///
/// This is Bram Cohen's patience diff, with runs of several tokens as anchors before single tokens, so that it also
/// works for texts that repeat every word. The search continues between anchors, where more tokens are unique.
struct AnchorSearch {
    private let tokens: Tokens
    /// True for each token that can be an anchor, by number.
    private let containsWord: [Bool]
    /// True for each token that also occurs near the compared ranges: an anchor only if a box has no other.
    private let isNearby: [Bool]
    /// The lengths of runs to try, longest first: powers of two.
    private let lengths: [Int]
    /// The limit on token pairs up to which a place is left to the caller.
    private let smallest: Int
    private var matches: [Match] = []
    private var occurrences: [Occurrence]
    /// The number of tokens read so far.
    private(set) var steps = 0

    /// The place and the number of occurrences of a token or run on each side.
    private struct Occurrence {
        var old: Int32 = 0
        var new: Int32 = 0
        var inOld: Int32 = 0
        var inNew: Int32 = 0
    }

    /// The limit on the recursion depth, because texts that repeat themselves gain little from deeper searches.
    private static let maxDepth = 12
    private let bound: Int

    init(_ tokens: Tokens, containsWord: [Bool], nearby: [Bool], lengths: [Int], smallest: Int) {
        self.tokens = tokens
        self.containsWord = containsWord
        isNearby = nearby
        self.lengths = lengths
        self.smallest = smallest
        occurrences = Array(repeating: Occurrence(), count: tokens.count)
        bound = 12 * tokens.whole.count
    }

    mutating func solve() -> [Match] {
        solve(tokens.whole, depth: 0)
        return matches
    }

    private mutating func solve(_ untrimmed: Hunk, depth: Int) {
        var box = untrimmed
        while !box.old.isEmpty, !box.new.isEmpty, tokens.old[box.old.lowerBound] == tokens.new[box.new.lowerBound] {
            matches.join(Match(old: box.old.lowerBound, new: box.new.lowerBound, length: 1))
            box = Hunk(
                old: box.old.lowerBound + 1..<box.old.upperBound, new: box.new.lowerBound + 1..<box.new.upperBound)
        }
        var suffix = 0
        while !box.old.isEmpty, !box.new.isEmpty,
            tokens.old[box.old.upperBound - 1] == tokens.new[box.new.upperBound - 1]
        {
            box = Hunk(
                old: box.old.lowerBound..<box.old.upperBound - 1, new: box.new.lowerBound..<box.new.upperBound - 1)
            suffix += 1
        }
        divide(box, depth: depth)
        matches.join(Match(old: box.old.upperBound, new: box.new.upperBound, length: suffix))
    }

    private mutating func divide(_ box: Hunk, depth: Int) {
        let (pairs, overflows) = box.old.count.multipliedReportingOverflow(by: box.new.count)
        guard pairs > smallest || overflows, depth < AnchorSearch.maxDepth, steps < bound else { return }
        for length in lengths where length <= min(box.old.count, box.new.count) {
            var anchors = self.anchors(in: box, length: length)
            if anchors.contains(where: { !isNearby(runAt: $0.old, length) }) {
                anchors.removeAll { isNearby(runAt: $0.old, length) }
            }
            if anchors.isEmpty { continue }
            anchors = AnchorSearch.longestIncreasingSubsequence(anchors)
            var rest = box
            for anchor in anchors {
                if anchor.old < rest.old.lowerBound || anchor.new < rest.new.lowerBound {
                    // Two runs overlap: match the rest of the second run if it continues the first on both sides.
                    let overlap = rest.old.lowerBound - anchor.old
                    guard overlap == rest.new.lowerBound - anchor.new, overlap < length else { continue }
                    matches.join(Match(old: rest.old.lowerBound, new: rest.new.lowerBound, length: length - overlap))
                } else {
                    solve(
                        Hunk(old: rest.old.lowerBound..<anchor.old, new: rest.new.lowerBound..<anchor.new),
                        depth: depth + 1)
                    matches.join(Match(old: anchor.old, new: anchor.new, length: length))
                }
                rest = Hunk(
                    old: anchor.old + length..<box.old.upperBound, new: anchor.new + length..<box.new.upperBound)
            }
            solve(rest, depth: depth + 1)
            return
        }
    }

    /// Returns the runs that are unique on both sides of a box, in the order of the old side.
    private mutating func anchors(in box: Hunk, length: Int) -> [(old: Int, new: Int)] {
        steps += box.count * (length == 1 ? 1 : 3)
        let runs = length == 1 ? nil : Runs(tokens, box, length: length)
        if let runs, runs.count > occurrences.count {
            occurrences += Array(repeating: Occurrence(), count: runs.count - occurrences.count)
        }
        let last = length - 1
        for index in box.old.dropLast(last) {
            let number = Int(runs?.old[index - box.old.lowerBound] ?? tokens.old[index])
            occurrences[number].inOld += 1
            occurrences[number].old = Int32(index)
        }
        for index in box.new.dropLast(last) {
            let number = Int(runs?.new[index - box.new.lowerBound] ?? tokens.new[index])
            guard number >= 0 else { continue }
            occurrences[number].inNew += 1
            occurrences[number].new = Int32(index)
        }
        var places: [(old: Int, new: Int)] = []
        for index in box.old.dropLast(last) {
            let number = Int(runs?.old[index - box.old.lowerBound] ?? tokens.old[index])
            let occurrence = occurrences[number]
            occurrences[number] = Occurrence()
            guard occurrence.inOld == 1, occurrence.inNew == 1,
                tokens.old[index...index + last].contains(where: { containsWord[Int($0)] })
            else { continue }
            places.append((index, Int(occurrence.new)))
        }
        // Resets the counts of tokens that the old side has only outside this box.
        for index in box.new.dropLast(last) where runs == nil && tokens.new[index] >= 0 {
            occurrences[Int(tokens.new[index])] = Occurrence()
        }
        return places
    }

    private func isNearby(runAt start: Int, _ length: Int) -> Bool {
        (start..<start + length).allSatisfy { isNearby[Int(tokens.old[$0])] }
    }

    /// Returns a longest subsequence in the order of both sides. The places are in the order of the old side.
    private static func longestIncreasingSubsequence(_ places: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // For each length, the rise with the smallest new index at its end; for each place, its predecessor.
        var ends: [Int] = []
        var before: [Int] = []
        before.reserveCapacity(places.count)
        for (index, place) in places.enumerated() {
            let length = ends.partitioningIndex { places[$0].new < place.new }
            before.append(length > 0 ? ends[length - 1] : -1)
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        guard var index = ends.last else { return [] }
        var rise: [(old: Int, new: Int)] = []
        while index >= 0 {
            rise.append(places[index])
            index = before[index]
        }
        rise.reverse()
        return rise
    }
}

/// The numbers of the distinct runs of tokens in a box. All runs have the same length, a power of two.
///
/// A run is identified by its two halves, so each length needs one pass over the tokens.
private struct Runs {
    /// The number of the run that begins at each place of the box, or -1 if the old side does not have the run.
    private(set) var old: [Int32]
    private(set) var new: [Int32]
    private(set) var count = 0

    init(_ tokens: Tokens, _ box: Hunk, length: Int) {
        old = Array(tokens.old[box.old])
        new = Array(tokens.new[box.new])
        var size = 16
        while size < old.count + old.count / 2 { size *= 2 }
        // Each slot holds the two halves of a run and its number. The multiplier is secret, so nobody can craft texts
        // whose runs collide.
        var slots: [(halves: UInt64, number: Int32)] = Array(repeating: (0, -1), count: size)
        let multiplier = UInt64(UInt(bitPattern: Hasher().finalize())) &* 0x1_0000_0001 | 1
        let shift = UInt64(size.leadingZeroBitCount + 1 + 64 - Int.bitWidth)
        func slot(of halves: UInt64) -> Int {
            var slot = Int(truncatingIfNeeded: (halves &* multiplier) >> shift)
            while slots[slot].number >= 0, slots[slot].halves != halves { slot = (slot + 1) & (size - 1) }
            return slot
        }
        var half = 1
        while half < length {
            if half > 1 { slots = Array(repeating: (0, -1), count: size) }
            count = 0
            for start in 0..<old.count - half {
                let halves =
                    UInt64(UInt32(bitPattern: old[start])) << 32 | UInt64(UInt32(bitPattern: old[start + half]))
                let slot = slot(of: halves)
                if slots[slot].number < 0 {
                    slots[slot] = (halves, Int32(count))
                    count += 1
                }
                old[start] = slots[slot].number
            }
            old.removeLast(half)
            for start in 0..<new.count - half {
                let isKnown = new[start] >= 0 && new[start + half] >= 0
                let halves =
                    UInt64(UInt32(bitPattern: new[start])) << 32 | UInt64(UInt32(bitPattern: new[start + half]))
                new[start] = isKnown ? slots[slot(of: halves)].number : -1
            }
            new.removeLast(half)
            half *= 2
        }
    }
}
