extension [Hunk] {
    /// Moves plain insertions and deletions along text that repeats to where a person would see the boundary: a
    /// paragraph, a line, a sentence, a word.
    ///
    /// The clean-up that Neil Fraser calls lossless ("Diff Strategies", 2006, §3.2.2): no kept text becomes deleted
    /// and inserted text, as the semantic clean-up would have it, so no merge can double it. Words stay whole. Among
    /// equally good places that is taken where lines end that were moved, so that these are the same lines in both
    /// texts, and else the last one. Hunks stay apart from each other.
    mutating func slide(between old: Span<UInt8>, _ new: Span<UInt8>, moving moves: [Match]) {
        let oldEnds = Set(moves.map { $0.old + $0.length })
        let newEnds = Set(moves.map { $0.new + $0.length })
        for index in indices {
            let hunk = self[index]
            guard hunk.old.isEmpty || hunk.new.isEmpty else { continue }
            // In both texts the same stretch lies between two hunks, so its length is all that limits the move.
            let before = hunk.old.lowerBound - (index > 0 ? self[index - 1].old.upperBound + 1 : 0)
            let after = (index + 1 < count ? self[index + 1].old.lowerBound - 1 : old.count) - hunk.old.upperBound
            let shift =
                hunk.old.isEmpty
                ? new.bestShift(of: hunk.new, before: before, after: after, to: newEnds) { $0.isBreak($1) }
                : old.bestShift(of: hunk.old, before: before, after: after, to: oldEnds) { $0.isBreak($1) }
            self[index].old = hunk.old.lowerBound + shift..<hunk.old.upperBound + shift
            self[index].new = hunk.new.lowerBound + shift..<hunk.new.upperBound + shift
        }
    }
}

extension Span<UInt8> {
    /// How far to move a range that was inserted or deleted, and could as well be said to lie a little further left or
    /// right; at most so far to either side, and only between what may be parted.
    ///
    /// - Parameter ends: where the range ends rather than at other places that are as good.
    func bestShift(
        of range: Range<Int>, before: Int, after: Int, to ends: Set<Int> = [],
        cuttingWhere isCut: (Span<UInt8>, Int) -> Bool
    ) -> Int {
        var lowest = 0
        while -lowest < before, self[range.lowerBound + lowest - 1] == self[range.upperBound + lowest - 1] {
            lowest -= 1
        }
        var highest = 0
        while highest < after, self[range.lowerBound + highest] == self[range.upperBound + highest] { highest += 1 }
        var best = 0
        var bestQuality = Int.min
        for shift in lowest...highest {
            let (start, end) = (range.lowerBound + shift, range.upperBound + shift)
            guard isCut(self, start), isCut(self, end) else { continue }
            var quality = 4 * (boundaryQuality(at: start) + boundaryQuality(at: end)) + (ends.contains(end) ? 1 : 0)
            for offset in [start, end] where isWithinBlock(at: offset) { quality -= 2 }
            if quality >= bestQuality {
                best = shift
                bestQuality = quality
            }
        }
        return best
    }
}
