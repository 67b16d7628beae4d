/// The walk along the base text that merges two sides.
struct MergeWalk {
    private let base: Text
    private var theirs: MergeSide
    private var mine: MergeSide
    private var text = ""
    /// Whether any of the texts has more than one line.
    private let hasLines: Bool

    init(_ base: Text, _ theirs: MergeSide, _ mine: MergeSide) {
        self.base = base
        self.theirs = theirs
        self.mine = mine
        hasLines = base.hasLineFeed || theirs.text.hasLineFeed || mine.text.hasLineFeed
    }

    consuming func merged() -> ThreeWay.Merge {
        text.reserveCapacity(base.count)
        var offset = 0
        while true {
            let next = min(theirs.hunk?.old.lowerBound ?? base.count, mine.hunk?.old.lowerBound ?? base.count)
            keep(offset..<next)
            offset = next
            let theirHunk = theirs.hunk.flatMap { $0.old.lowerBound == offset ? $0 : nil }
            let myHunk = mine.hunk.flatMap { $0.old.lowerBound == offset ? $0 : nil }
            switch (theirHunk, myHunk) {
            case (nil, nil): return result()
            case (let hunk?, nil): insert(fromTheirs: hunk)
            case (nil, let hunk?): insert(fromMine: hunk)
            case (let theirHunk?, let myHunk?):
                // What is inserted before something stays before it, although that is replaced.
                if theirHunk.old.isEmpty, !myHunk.old.isEmpty {
                    insert(fromTheirs: theirHunk)
                } else if myHunk.old.isEmpty, !theirHunk.old.isEmpty {
                    insert(fromMine: myHunk)
                } else {
                    insert(theirHunk, myHunk)
                }
            }
        }
    }

    private consuming func result() -> ThreeWay.Merge {
        let merged = Text(text)
        func delta(_ side: MergeSide) -> Delta {
            let whole = Hunk(old: 0..<side.text.count, new: 0..<merged.count)
            return Delta(side.matches.gaps(in: whole), from: side.text, to: merged)
        }
        return ThreeWay.Merge(text: text, fromTheirs: delta(theirs), fromMine: delta(mine))
    }
}

extension MergeWalk {
    /// A range of the base in which no hunk begins: what neither side deleted stays.
    private mutating func keep(_ range: Range<Int>) {
        let start = min(range.upperBound, max(range.lowerBound, theirs.deletedUntil, mine.deletedUntil))
        let kept = start..<range.upperBound
        guard !kept.isEmpty else { return }
        let (own, myOwn) = (theirs.own(kept), mine.own(kept))
        if !theirs.goesOn(at: own, end), !mine.goesOn(at: myOwn, end), continuesWord(kept) { text += " " }
        theirs.join(own, at: end)
        mine.join(myOwn, at: end)
        text += base[kept]
    }

    /// The length of the merged text so far.
    private var end: Int { text.utf8.count }

    private mutating func insert(fromTheirs hunk: Hunk) {
        theirs.step()
        append(theirs: hunk.new)
    }

    private mutating func insert(fromMine hunk: Hunk) {
        mine.step()
        append(mine: hunk.new)
    }

    /// What both sides put in one place: theirs, then mine; once what is the same.
    private mutating func insert(_ theirHunk: Hunk, _ myHunk: Hunk) {
        theirs.step()
        mine.step()
        var both = Hunk(old: theirHunk.new, new: myHunk.new)
        let (prefix, suffix) = shared(both, isSamePlace: theirHunk.old == myHunk.old)
        append(shared: Hunk(old: both.old.prefix(prefix), new: both.new.prefix(prefix)))
        let end = Hunk(old: both.old.suffix(suffix), new: both.new.suffix(suffix))
        both.old = both.old.dropFirst(prefix).dropLast(suffix)
        both.new = both.new.dropFirst(prefix).dropLast(suffix)
        if theirHunk.old.isEmpty, myHunk.old.isEmpty, mine.text.isWholeLines(both.new),
            !theirs.text.isWholeLines(both.old)
        {
            // Lines that were inserted above a line stay above it, although something was inserted at its beginning.
            append(mine: both.new)
            append(theirs: both.old)
        } else {
            append(theirs: both.old)
            append(mine: both.new)
        }
        append(shared: end)
    }

    private mutating func append(theirs range: Range<Int>) {
        text += separator(before: range, of: theirs)
        theirs.join(range, at: end)
        text += theirs.text[range]
    }

    private mutating func append(mine range: Range<Int>) {
        text += separator(before: range, of: mine)
        mine.join(range, at: end)
        text += mine.text[range]
    }

    /// The same text of both sides; theirs is the old one.
    private mutating func append(shared box: Hunk) {
        guard !box.old.isEmpty else { return }
        if !theirs.goesOn(at: box.old, end) { text += separator(before: box.new, of: mine) }
        theirs.join(box.old, at: end)
        mine.join(box.new, at: end)
        text += theirs.text[box.old]
    }
}

extension MergeWalk {
    /// How much of what both sides put in one place is the same at the beginning and at the end: all, or whole lines.
    private func shared(_ box: Hunk, isSamePlace: Bool) -> (prefix: Int, suffix: Int) {
        theirs.text.withBytes { theirBytes in
            mine.text.withBytes { myBytes in
                var prefix = theirBytes.commonPrefix(box, with: myBytes)
                if prefix == box.old.count, prefix == box.new.count { return (prefix, 0) }
                guard isSamePlace else { return (0, 0) }
                while prefix > 0, theirBytes[box.old.lowerBound + prefix - 1] != 0x0A { prefix -= 1 }
                let rest = Hunk(old: box.old.dropFirst(prefix), new: box.new.dropFirst(prefix))
                var suffix = theirBytes.commonSuffix(rest, with: myBytes)
                while suffix > 0, !theirBytes.isLineStart(rest.old.upperBound - suffix)
                    || !myBytes.isLineStart(rest.new.upperBound - suffix)
                { suffix -= 1 }
                return (prefix, suffix)
            }
        }
    }

    /// What stands between the merged text so far and something of a side that came after other text there.
    private func separator(before range: Range<Int>, of side: MergeSide) -> String {
        guard !range.isEmpty, let last = text.unicodeScalars.last?.value, !side.goesOn(at: range, end) else { return "" }
        return side.text.withBytes { own in
            let first = own.scalar(at: range.lowerBound).value
            if first.isLineEnd || last.isLineEnd { return "" }
            if hasLines, own.isLineStart(range.lowerBound), own.isLineEnd(range.upperBound) { return "\n" }
            if first.kind == .space || last.kind == .space { return "" }
            if range.lowerBound > 0, own.scalar(before: range.lowerBound).kind == .space { return " " }
            return first.kind == .word && last.kind == .word ? " " : ""
        }
    }

    /// Whether text of the base would make one word with the end of the merged text.
    private func continuesWord(_ range: Range<Int>) -> Bool {
        guard let last = text.unicodeScalars.last?.value, last.kind == .word else { return false }
        return base.withBytes { $0.kind(at: range.lowerBound) == .word }
    }
}

extension Text {
    fileprivate var hasLineFeed: Bool { withBytes { $0.hasLineFeed(in: 0..<count) } }

    /// Whether a range begins where a line does and ends where one does.
    fileprivate func isWholeLines(_ range: Range<Int>) -> Bool {
        withBytes { !range.isEmpty && $0.isLineStart(range.lowerBound) && $0.isLineStart(range.upperBound) }
    }
}

extension Span<UInt8> {
    fileprivate func isLineEnd(_ offset: Int) -> Bool {
        offset == count || self[offset] == 0x0A || self[offset] == 0x0D || self[offset - 1] == 0x0A
    }
}
