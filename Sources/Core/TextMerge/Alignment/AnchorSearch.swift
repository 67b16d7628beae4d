/// Matches tokens around those that both sides have exactly once: what is unique is hardly there by chance.
///
/// Bram Cohen's patience diff, with runs of several tokens as anchors before single ones, so that it also works for
/// texts that repeat every word. Between anchors the search goes on, since more becomes unique the closer one looks.
struct AnchorSearch {
    private let tokens: Tokens
    /// Whether a token says enough to be an anchor, by number.
    private let isTelling: [Bool]
    /// The lengths of runs to try, longest first.
    private let lengths: [Int]
    /// Places with at most so many pairs of tokens are left to whoever asked.
    private let smallest: Int
    private var matches: [Match] = []
    private var sightings: [Sighting]
    /// Tokens looked at.
    private(set) var steps = 0

    /// The place and the number of occurrences of a token or run on each side.
    private struct Sighting {
        var old: Int32 = 0
        var new: Int32 = 0
        var inOld: Int32 = 0
        var inNew: Int32 = 0
    }

    private static let deepest = 12

    init(_ tokens: Tokens, telling: [Bool], lengths: [Int], smallest: Int) {
        self.tokens = tokens
        isTelling = telling
        self.lengths = lengths
        self.smallest = smallest
        sightings = Array(repeating: Sighting(), count: tokens.count)
    }

    /// Stretches that belong together, in the order of both sides.
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
        guard pairs > smallest || overflows, depth < AnchorSearch.deepest else { return }
        for length in lengths where length <= min(box.old.count, box.new.count) {
            let anchors = self.anchors(in: box, length: length)
            if anchors.isEmpty { continue }
            var rest = box
            for anchor in anchors {
                if anchor.old < rest.old.lowerBound || anchor.new < rest.new.lowerBound {
                    // Runs overlap; what the one before left of this one is matched if it goes on in step.
                    let overlap = rest.old.lowerBound - anchor.old
                    guard overlap == rest.new.lowerBound - anchor.new, overlap < length else { continue }
                    matches.join(
                        Match(old: rest.old.lowerBound, new: rest.new.lowerBound, length: length - overlap))
                } else {
                    solve(
                        Hunk(
                            old: rest.old.lowerBound..<anchor.old, new: rest.new.lowerBound..<anchor.new),
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

    /// Runs that are unique on both sides of a box, as many as stand in the same order on both.
    private mutating func anchors(in box: Hunk, length: Int) -> [(old: Int, new: Int)] {
        steps += box.count
        let runs = length == 1 ? nil : Runs(tokens, box, length: length)
        if let runs, runs.count > sightings.count {
            sightings += Array(repeating: Sighting(), count: runs.count - sightings.count)
        }
        let last = length - 1
        for index in box.old.dropLast(last) {
            let number = Int(runs?.old[index - box.old.lowerBound] ?? tokens.old[index])
            sightings[number].inOld += 1
            sightings[number].old = Int32(index)
        }
        for index in box.new.dropLast(last) {
            let number = Int(runs?.new[index - box.new.lowerBound] ?? tokens.new[index])
            guard number >= 0 else { continue }
            sightings[number].inNew += 1
            sightings[number].new = Int32(index)
        }
        var places: [(old: Int, new: Int)] = []
        for index in box.old.dropLast(last) {
            let number = Int(runs?.old[index - box.old.lowerBound] ?? tokens.old[index])
            let sighting = sightings[number]
            sightings[number] = Sighting()
            guard sighting.inOld == 1, sighting.inNew == 1,
                tokens.old[index...index + last].contains(where: { isTelling[Int($0)] })
            else { continue }
            places.append((index, Int(sighting.new)))
        }
        // Those that the old side has outside this box only.
        for index in box.new.dropLast(last) where runs == nil && tokens.new[index] >= 0 {
            sightings[Int(tokens.new[index])] = Sighting()
        }
        return AnchorSearch.longestRise(places)
    }

    /// A longest choice of places, which are in the order of the old side, that is in the order of the new one too.
    private static func longestRise(_ places: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // The place with the smallest end among the rises of each length, and the place before each in its rise.
        var ends: [Int] = []
        var before: [Int] = []
        before.reserveCapacity(places.count)
        for (index, place) in places.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if places[ends[middle]].new < place.new { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : -1)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
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

/// Numbers for the distinct runs of tokens in a box.
private struct Runs {
    private(set) var old: [Int32] = []
    private(set) var new: [Int32] = []
    private(set) var count = 0

    init(_ tokens: Tokens, _ box: Hunk, length: Int) {
        let oldCount = box.old.count - length + 1
        var size = 16
        while size < oldCount + oldCount / 2 { size *= 2 }
        /// Where the first run of each slot begins, and its number.
        var slots: [(place: Int32, number: Int32)] = Array(repeating: (-1, -1), count: size)
        old.reserveCapacity(oldCount)
        for start in box.old.lowerBound..<box.old.lowerBound + oldCount {
            var slot = Runs.hash(tokens.old, start, length) & (size - 1)
            while slots[slot].place >= 0, !Runs.isSame(tokens.old, Int(slots[slot].place), tokens.old, start, length) {
                slot = (slot + 1) & (size - 1)
            }
            if slots[slot].place < 0 {
                slots[slot] = (Int32(start), Int32(count))
                count += 1
            }
            old.append(slots[slot].number)
        }
        for start in box.new.lowerBound...box.new.upperBound - length {
            var slot = Runs.hash(tokens.new, start, length) & (size - 1)
            while slots[slot].place >= 0, !Runs.isSame(tokens.old, Int(slots[slot].place), tokens.new, start, length) {
                slot = (slot + 1) & (size - 1)
            }
            new.append(slots[slot].number)
        }
    }

    private static func isSame(_ old: [Int32], _ start: Int, _ other: [Int32], _ otherStart: Int, _ length: Int) -> Bool
    {
        for index in 0..<length where old[start + index] != other[otherStart + index] { return false }
        return true
    }

    private static func hash(_ numbers: [Int32], _ start: Int, _ length: Int) -> Int {
        var hasher = Hasher()
        for index in start..<start + length { hasher.combine(numbers[index]) }
        return hasher.finalize()
    }
}
