/// The lines and sentences that one side deleted or rewrote while the other side edited them. Each stays as edited,
/// because an inserted word means little without its sentence.
///
/// If whole lines were deleted, the edited line stays, with the blank lines beside it. If part of a line was deleted,
/// the edited sentence stays, provided that all of it was deleted. A smaller deletion takes effect around the inserted
/// text. A deletion of moved lines or sentences takes effect too, because they would appear twice otherwise (see
/// ``CarriedEdits``). If two sides edited what a third one deleted, both versions stay.
struct EditedLines {
    private let base: Text
    private let text: Text
    private let otherText: Text

    /// - Parameters:
    ///   - text: The text of the side that wrote.
    ///   - otherText: The text of the side that deleted.
    init(of base: Text, in text: Text, against otherText: Text) {
        (self.base, self.text, self.otherText) = (base, text, otherText)
    }

    /// Returns the hunks of the side that wrote. Each range that stays becomes a replacement by itself, because a
    /// replacement outlasts the deletion.
    func keeping(_ hunks: [Hunk], despite others: [Hunk]) -> [Hunk] {
        base.withBytes { base in
            text.withBytes { text in
                var ranges = ranges(of: hunks, despite: others, base, text)
                if !ranges.isEmpty {
                    otherText.withBytes { other in
                        var budget = Self.searchBudget
                        ranges.removeAll { base.isMoved($0, to: others, of: other, &budget) }
                    }
                }
                return ranges.isEmpty ? hunks : hunks.joined(in: ranges)
            }
        }
    }

    /// The limit on the bytes compared in the search for moved text.
    private static let searchBudget = 8 << 20

    /// Returns the ranges that stay, in the order of the base.
    private func ranges(
        of hunks: [Hunk], despite others: [Hunk], _ base: Span<UInt8>, _ text: Span<UInt8>
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var next = 0
        for other in others where other.new.isEmpty || base.hasLineFeed(in: other.old) {
            var passage = DeletedPassage(other.old, of: base, isReplaced: !other.new.isEmpty)
            while next < hunks.count, hunks[next].old.upperBound <= other.old.upperBound {
                let hunk = hunks[next]
                next += 1
                guard hunk.old.lowerBound >= max(other.old.lowerBound, ranges.last?.upperBound ?? 0),
                    text.isWithinLine(hunk.new), let range = passage.part(around: hunk.old, of: base)
                else { continue }
                ranges.append(max(range.lowerBound, ranges.last?.upperBound ?? 0)..<range.upperBound)
            }
        }
        return ranges
    }
}

extension [Hunk] {
    /// Returns the same changes with one hunk for each range. A range that a hunk crosses is left out.
    fileprivate func joined(in ranges: [Range<Int>]) -> [Hunk] {
        var joined: [Hunk] = []
        var rest = self[...]
        // The distance from an offset of the old text to its place in the new text.
        var shift = 0
        for range in ranges {
            while let hunk = rest.first, hunk.old.lowerBound < range.lowerBound {
                joined.append(hunk)
                shift = hunk.new.upperBound - hunk.old.upperBound
                rest.removeFirst()
            }
            let inside = rest.prefix { $0.old.upperBound <= range.upperBound }
            if let last = joined.last, last.old.upperBound > range.lowerBound { continue }
            if let next = rest.dropFirst(inside.count).first, next.old.lowerBound < range.upperBound { continue }
            let start = range.lowerBound + shift
            if let last = inside.last { shift = last.new.upperBound - last.old.upperBound }
            joined.append(Hunk(old: range, new: start..<range.upperBound + shift))
            rest = rest.dropFirst(inside.count)
        }
        return joined + rest
    }
}

/// A deleted range of a text, read once from its beginning to its end.
private struct DeletedPassage {
    private let range: Range<Int>
    /// True if the other side replaced the range. The replacement is placed before the lines that stay.
    private let isReplaced: Bool
    private var offset: Int
    /// The end of the last line that stays.
    private var keptUntil: Int
    /// The beginnings of the line and the sentence at the offset, or nil if they lie before the range.
    private var lineStart: Int?
    private var sentenceStart: Int?
    /// The ends found by the last search.
    private var lineEnd = 0
    private var sentenceEnd = 0

    init(_ range: Range<Int>, of base: Span<UInt8>, isReplaced: Bool) {
        self.range = range
        self.isReplaced = isReplaced
        offset = range.lowerBound
        keptUntil = range.lowerBound
        lineStart = base.isLineStart(offset) ? offset : nil
        sentenceStart = base.isSentenceStart(offset) ? offset : nil
    }

    /// Returns the lines around an edit, or else its sentence, or nil if the range does not contain all of either. The
    /// edit must lie within the range and behind the previous one.
    mutating func part(around old: Range<Int>, of base: Span<UInt8>) -> Range<Int>? {
        while offset < old.lowerBound {
            offset += 1
            if base.isLineStart(offset) { lineStart = offset }
            if base.isSentenceStart(offset) { sentenceStart = offset }
        }
        if lineEnd < old.upperBound {
            lineEnd = old.upperBound
            while lineEnd < range.upperBound, base[lineEnd] != 0x0A { lineEnd += 1 }
        }
        let isLineEnd = lineEnd == base.count || base[lineEnd] == 0x0A
        if let lineStart, isLineEnd {
            return isReplaced ? lineStart..<lineEnd : withBlankLines(lineStart..<lineEnd, of: base)
        }
        guard let sentenceStart, !old.isEmpty || sentenceStart < old.lowerBound && old.upperBound < lineEnd else {
            return nil
        }
        if sentenceEnd < old.upperBound || sentenceEnd <= old.lowerBound {
            sentenceEnd = max(old.upperBound, old.lowerBound + 1)
            while sentenceEnd < lineEnd, !base.isSentenceStart(sentenceEnd) { sentenceEnd += 1 }
        }
        // The deletion may leave the space behind the sentence.
        let isEnd = sentenceEnd < lineEnd || isLineEnd || [0, 1].contains { base.isSentenceStart(lineEnd + $0) }
        return isEnd ? sentenceStart..<sentenceEnd : nil
    }

    /// Returns lines with the blank lines beside them, if these reach an end of the range or lines that stay.
    private mutating func withBlankLines(_ lines: Range<Int>, of base: Span<UInt8>) -> Range<Int> {
        var (start, end) = (lines.lowerBound, min(lines.upperBound + 1, range.upperBound))
        while start > keptUntil, base[start - 1] == 0x0A { start -= 1 }
        if start > keptUntil { start = lines.lowerBound }
        let lineEnd = end
        while end < range.upperBound, base[end] == 0x0A { end += 1 }
        if end < range.upperBound { end = lineEnd }
        keptUntil = max(keptUntil, end)
        return start..<end
    }
}

extension Span<UInt8> {
    /// Returns true if a range contains visible characters and no line feed.
    fileprivate func isWithinLine(_ range: Range<Int>) -> Bool {
        !hasLineFeed(in: range) && range.contains { isBoundary($0) && kind(at: $0) != .space }
    }

    /// Returns true if the trimmed text of a range occurs in the inserted text of the hunks.
    fileprivate func isMoved(_ range: Range<Int>, to hunks: [Hunk], of other: Span<UInt8>, _ budget: inout Int) -> Bool
    {
        var needle = range
        while !needle.isEmpty, self[needle.lowerBound] <= 0x20 { needle = needle.dropFirst(1) }
        while !needle.isEmpty, self[needle.upperBound - 1] <= 0x20 { needle = needle.dropLast(1) }
        for hunk in hunks where hunk.new.count >= needle.count {
            for start in hunk.new.lowerBound...hunk.new.upperBound - needle.count {
                var length = 0
                while length < needle.count, other[start + length] == self[needle.lowerBound + length] { length += 1 }
                if length == needle.count { return true }
                budget -= length + 1
                if budget < 0 { return false }
            }
        }
        return false
    }

    /// Returns true if a line begins at an offset, or a sentence begins there behind the end of another one.
    fileprivate func isSentenceStart(_ offset: Int) -> Bool {
        if isLineStart(offset) { return true }
        guard offset > 2 else { return false }
        let before = (self[offset - 3], self[offset - 2], self[offset - 1])
        // A full stop, exclamation mark or question mark ends a sentence: in ASCII before a space, in full width
        // without one.
        return before.2 == 0x20 && [0x21, 0x2E, 0x3F].contains(before.1) || before == (0xE3, 0x80, 0x82)
            || before == (0xEF, 0xBC, 0x81) || before == (0xEF, 0xBC, 0x9F)
    }
}
