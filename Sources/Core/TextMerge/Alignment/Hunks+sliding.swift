extension [Hunk] {
    /// Moves plain insertions and deletions along repeated text to the boundary that a person would see: of a
    /// paragraph, a line, a sentence or a word.
    ///
    /// Neil Fraser calls this clean-up lossless ("Diff Strategies", 2006, §3.2.2). Unlike the semantic clean-up, it
    /// turns no kept text into deleted and inserted text, so no merge can double the text. Words stay whole, and hunks
    /// stay apart. Among equally good places, the end of moved lines wins, so that the moved lines are the same in both
    /// texts; otherwise the last place wins.
    mutating func slide(between old: Span<UInt8>, _ new: Span<UInt8>, moving moves: [Match]) {
        let oldEnds = Set(moves.map { $0.old + $0.length })
        let newEnds = Set(moves.map { $0.new + $0.length })
        for index in indices {
            let hunk = self[index]
            guard hunk.old.isEmpty || hunk.new.isEmpty else { continue }
            // The text between two hunks is the same in both texts, so only its length limits the move.
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
    /// Returns the best distance by which to move an inserted or deleted range. The range can move while the repeated
    /// text around it allows other readings of the same edit.
    ///
    /// - Parameters:
    ///   - before: The limit on the distance to the left, in bytes.
    ///   - after: The limit on the distance to the right, in bytes.
    ///   - ends: The preferred ends of the range among equally good places.
    ///   - isCut: Returns true if the text may be divided at an offset.
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
