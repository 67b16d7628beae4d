extension [Hunk] {
    /// Joins the changes of a rewritten line into one change.
    ///
    /// The full stop in both lines was hardly kept on purpose. If two people rewrite a line, each version stays whole,
    /// instead of the words of both before one full stop. A line is rewritten if none of its words is kept, so no word
    /// can appear twice. A line of a single word is never a rewritten line.
    mutating func joinRewrittenLines(between old: Span<UInt8>, _ new: Span<UInt8>) {
        var joined: [Hunk] = []
        var rest = self[...]
        while let first = rest.first {
            var length = 1
            var end = first.old.upperBound
            for hunk in rest.dropFirst() {
                if old.hasLineFeed(in: end..<hunk.old.lowerBound) { break }
                length += 1
                end = hunk.old.upperBound
            }
            let changes = rest.prefix(length)
            rest = rest.dropFirst(length)
            let place = (joined.last?.old.upperBound ?? 0)..<(rest.first?.old.lowerBound ?? old.count)
            let lines = changes.lines(within: place, of: old)
            if changes.write(lines, old, new) { joined.append(lines) } else { joined += changes }
        }
        self = joined
    }
}

extension ArraySlice<Hunk> {
    /// Returns the lines around the hunks, as far as nothing else was changed in them.
    fileprivate func lines(within place: Range<Int>, of old: Span<UInt8>) -> Hunk {
        let (first, last) = (self[startIndex], self[endIndex - 1])
        var (start, end) = (first.old.lowerBound, last.old.upperBound)
        while start > place.lowerBound, old[start - 1] != 0x0A { start -= 1 }
        while end < place.upperBound, old[end] != 0x0A { end += 1 }
        let newStart = first.new.lowerBound - (first.old.lowerBound - start)
        return Hunk(old: start..<end, new: newStart..<last.new.upperBound + end - last.old.upperBound)
    }

    fileprivate func write(_ lines: Hunk, _ old: Span<UInt8>, _ new: Span<UInt8>) -> Bool {
        guard contains(where: { !$0.old.isEmpty }), contains(where: { !$0.new.isEmpty }) else { return false }
        let before = old.wordCount(in: lines.old)
        let deleted = reduce(0) { $0 + old.wordCount(in: $1.old) }
        return before > 1 && before == deleted && new.wordCount(in: lines.new) > 1
    }
}
