/// The edits of one side that are carried to where the other side moved their lines.
///
/// Changes within a line and insertions between the moved lines are carried. Deletions of whole lines are not, and
/// neither are this side's own moves, so that lines moved by both sides appear twice rather than not at all. Text that
/// receives carried edits is never carried itself.
struct CarriedEdits {
    /// An edit, placed in the text of the side that moved the lines.
    struct Edit {
        let place: Range<Int>
        /// The replacement, as a range in the text of the side that wrote.
        let text: Range<Int>
    }

    /// The carried edits in the order of their places, which don't overlap.
    private(set) var edits: [Edit] = []
    /// True for each carried hunk, by the index of the hunk on the side that wrote.
    private(set) var isCarried: [Bool]

    /// - Parameters:
    ///   - hunks: The hunks of the side that wrote.
    ///   - others: The hunks of the side that moved lines.
    ///   - moves: The moves of the side that moved lines, in the order of the base.
    ///   - ownMoves: The moves of the side that wrote.
    init(
        of hunks: [Hunk], over base: Text, in text: Text, to others: [Hunk], moving moves: [Match],
        besides ownMoves: [Match]
    ) {
        isCarried = Array(repeating: false, count: hunks.count)
        guard !moves.isEmpty, !hunks.isEmpty else { return }
        let found = base.withBytes { base in
            text.withBytes { text in CarriedEdits.find(hunks, base, text, others, moves, ownMoves) }
        }
        for (index, edit) in found.sorted(by: { $0.edit.place.lowerBound < $1.edit.place.lowerBound }) {
            if let last = edits.last, edit.place.lowerBound <= last.place.upperBound { continue }
            edits.append(edit)
            isCarried[index] = true
        }
    }

    private static func find(
        _ hunks: [Hunk], _ base: Span<UInt8>, _ text: Span<UInt8>, _ others: [Hunk], _ moves: [Match],
        _ ownMoves: [Match]
    ) -> [(index: Int, edit: Edit)] {
        var found: [(index: Int, edit: Edit)] = []
        var own = MovedBytes(ownMoves)
        var firstMove = 0
        var other = 0
        for (index, hunk) in hunks.enumerated() {
            while other < others.count, others[other].old.upperBound < hunk.old.upperBound { other += 1 }
            while firstMove < moves.count, moves[firstMove].end < hunk.old.upperBound { firstMove += 1 }
            let (takesMoved, putsMoved) = (own.old.overlaps(hunk.old), own.new.overlaps(hunk.new))
            guard other < others.count else { break }
            if putsMoved || takesMoved && base.hasWord(in: hunk.old) { continue }
            let deleted = others[other].old
            for move in moves[firstMove...].prefix(while: { $0.old <= hunk.old.lowerBound }) {
                let lines = deleted.clamped(to: move.old..<move.end)
                let shift = move.new - move.old
                let place = hunk.old.lowerBound + shift..<hunk.old.upperBound + shift
                guard base.isEdit(hunk, ofLines: lines, text), others.insert(place) else { continue }
                found.append((index, Edit(place: place, text: hunk.new)))
                break
            }
        }
        return found
    }
}

extension Match {
    fileprivate var end: Int { old + length }
}

extension [Hunk] {
    /// Returns true if a hunk inserts the whole range.
    fileprivate func insert(_ range: Range<Int>) -> Bool {
        let index = partitioningIndex { $0.new.upperBound < range.upperBound }
        return index < count && !self[index].new.isEmpty && self[index].new.lowerBound <= range.lowerBound
    }
}

extension Span<UInt8> {
    /// Returns true if a hunk edits text within lines or inserts lines between them.
    fileprivate func isEdit(_ hunk: Hunk, ofLines lines: Range<Int>, _ text: Span<UInt8>) -> Bool {
        let old = hunk.old
        guard lines.lowerBound <= old.lowerBound, old.upperBound <= lines.upperBound, !lines.isEmpty else {
            return false
        }
        guard old.isEmpty else {
            if !hasWord(in: old) { return true }
            return !hasLineFeed(in: old) && (text.hasWord(in: hunk.new) || hasWordBeside(old))
        }
        // Text inserted at the edge of the lines belongs to the line that it extends.
        if old.lowerBound == lines.lowerBound { return !text.isLineStart(hunk.new.upperBound) }
        if old.upperBound == lines.upperBound { return !isLineStart(old.upperBound) }
        return true
    }

    /// Returns true if there are words within 64 bytes of a range in its line.
    private func hasWordBeside(_ range: Range<Int>) -> Bool {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start > 0, self[start - 1] != 0x0A, range.lowerBound - start < 64 { start -= 1 }
        while end < count, self[end] != 0x0A, end - range.upperBound < 64 { end += 1 }
        return hasWord(in: start..<range.lowerBound) || hasWord(in: range.upperBound..<end)
    }
}
