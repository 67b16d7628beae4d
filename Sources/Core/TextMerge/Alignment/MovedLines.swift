extension Tokens {
    /// Returns the lines that were moved to another place in the new text, with the equal lines around them.
    ///
    /// A line counts as moved if it has words and occurs once among the unmatched old lines and once among the
    /// unmatched new lines. Moves are ordered by the beginnings and by the ends of their old lines. Their edges may
    /// overlap each other and the matches: a line that begins every block moves with its block, even if an equal line
    /// now stands in its old place.
    ///
    /// - Parameters:
    ///   - matches: The lines that stayed in their order.
    ///   - containsWord: True for each line with words, by number.
    func moves(beside matches: [Match], _ containsWord: [Bool]) -> [Match] {
        let gaps = matches.gaps(in: whole)
        var places = [(old: Int, new: Int)](repeating: (Tokens.nowhere, Tokens.nowhere), count: count)
        for gap in gaps {
            for index in gap.old { Tokens.note(index, &places[Int(old[index])].old) }
            for index in gap.new where new[index] >= 0 { Tokens.note(index, &places[Int(new[index])].new) }
        }
        var moves: [Match] = []
        var lastAnchor = -1
        for gap in gaps {
            for index in gap.old where containsWord[Int(old[index])] {
                let place = places[Int(old[index])]
                guard place.old >= 0, place.new >= 0 else { continue }
                if let last = moves.last, index < last.old + last.length { continue }
                moves.append(run(around: place, after: lastAnchor))
                lastAnchor = index
            }
        }
        return moves
    }

    private static let nowhere = -1
    private static let several = -2

    private static func note(_ index: Int, _ place: inout Int) { place = place == nowhere ? index : several }

    /// Returns the longest run of equal tokens around a pair of equal tokens, behind the previous anchor of the old
    /// side.
    ///
    /// All runs together are at most twice as long as the old range, because no run extends back over the previous
    /// anchor, and no run starts within another.
    private func run(around place: (old: Int, new: Int), after last: Int) -> Match {
        var before = 0
        while place.old - before > last + 1, place.new > before,
            old[place.old - before - 1] == new[place.new - before - 1]
        { before += 1 }
        var length = 1
        while place.old + length < old.count, place.new + length < new.count,
            old[place.old + length] == new[place.new + length]
        { length += 1 }
        return Match(old: place.old - before, new: place.new - before, length: before + length)
    }
}

/// The moved bytes of both texts, to be queried in ascending order.
struct MovedBytes {
    var old: Ranges
    var new: Ranges

    init(_ moves: [Match]) {
        old = Ranges(moves.map { $0.old..<$0.old + $0.length })
        new = Ranges(moves.map { $0.new..<$0.new + $0.length })
    }

    /// Ranges that are read once, in ascending order.
    struct Ranges {
        private let ranges: [Range<Int>]
        private var next = 0
        private var end = 0

        init(_ ranges: [Range<Int>]) { self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound } }

        /// - Parameter offset: An offset not before the previous query.
        mutating func contains(_ offset: Int) -> Bool { overlaps(offset..<offset + 1) }

        /// - Parameter range: A range not before the previous query.
        mutating func overlaps(_ range: Range<Int>) -> Bool {
            while next < ranges.count, ranges[next].lowerBound < range.upperBound {
                end = max(end, ranges[next].upperBound)
                next += 1
            }
            return !range.isEmpty && range.lowerBound < end
        }
    }
}
