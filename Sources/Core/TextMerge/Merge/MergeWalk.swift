/// The walk along the base text that merges two sides.
struct MergeWalk {
    private let base: Text
    private var theirs: MergeSide
    private var mine: MergeSide
    private var text = ""
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
            if theirs.isCarried, theirs.hunk?.old.lowerBound == offset { theirs.step() }
            if mine.isCarried, mine.hunk?.old.lowerBound == offset { mine.step() }
            let theirHunk = theirs.hunk.flatMap { $0.old.lowerBound == offset ? $0 : nil }
            let myHunk = mine.hunk.flatMap { $0.old.lowerBound == offset ? $0 : nil }
            switch (theirHunk, myHunk) {
            case (nil, nil): if offset == base.count, theirs.hunk == nil, mine.hunk == nil { return result() }
            case (let hunk?, nil): insert(fromTheirs: hunk)
            case (nil, let hunk?): insert(fromMine: hunk)
            case (let theirHunk?, let myHunk?):
                // An insertion before a place stays before that place, even if the other side replaced it.
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
    /// Keeps what neither side deleted of a range of the base in which no hunk begins.
    private mutating func keep(_ range: Range<Int>) {
        let start = min(range.upperBound, max(range.lowerBound, theirs.deletedUntil, mine.deletedUntil))
        let kept = start..<range.upperBound
        guard !kept.isEmpty else { return }
        let (own, myOwn) = (theirs.own(kept), mine.own(kept))
        if !theirs.goesOn(at: own, end), !mine.goesOn(at: myOwn, end) { text += separator(beforeKept: kept) }
        theirs.join(own, at: end)
        mine.join(myOwn, at: end)
        text += base[kept]
    }

    private var end: Int { text.utf8.count }

    private mutating func insert(fromTheirs hunk: Hunk) {
        theirs.step()
        append(theirs: hunk.new)
    }

    private mutating func insert(fromMine hunk: Hunk) {
        mine.step()
        append(mine: hunk.new)
    }

    /// Inserts the text of two hunks at the same place: theirs before mine, and shared text once.
    private mutating func insert(_ theirHunk: Hunk, _ myHunk: Hunk) {
        theirs.step()
        mine.step()
        var both = Hunk(old: theirHunk.new, new: myHunk.new)
        // Lines with carried edits differ from the other side's lines.
        guard theirs.edits(in: both.old).isEmpty, mine.edits(in: both.new).isEmpty else {
            append(theirs: both.old)
            append(mine: both.new)
            return
        }
        if theirHunk.old == myHunk.old, let isTheirs = theirChangeIncludesMine(theirHunk, myHunk) {
            if isTheirs { append(theirs: theirHunk.new) } else { append(mine: myHunk.new) }
            return
        }
        let (prefix, suffix) = shared(
            both, isSamePlace: theirHunk.old == myHunk.old, replacesWord: !theirHunk.old.isEmpty && !myHunk.old.isEmpty)
        append(shared: Hunk(old: both.old.prefix(prefix), new: both.new.prefix(prefix)))
        let end = Hunk(old: both.old.suffix(suffix), new: both.new.suffix(suffix))
        both.old = both.old.dropFirst(prefix).dropLast(suffix)
        both.new = both.new.dropFirst(prefix).dropLast(suffix)
        if theirHunk.old.isEmpty, myHunk.old.isEmpty, mine.text.isWholeLines(both.new),
            !theirs.text.isWholeLines(both.old)
        {
            // Whole lines inserted above a line stay above it, even if the other side inserted text at its beginning.
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
        MergeWalk.append(range, of: &theirs, editedIn: mine.text, to: &text)
    }

    private mutating func append(mine range: Range<Int>) {
        text += separator(before: range, of: mine)
        MergeWalk.append(range, of: &mine, editedIn: theirs.text, to: &text)
    }

    /// Appends a range of a side's text with the other side's edits of the lines that were moved there.
    private static func append(
        _ range: Range<Int>, of side: inout MergeSide, editedIn other: Text, to text: inout String
    ) {
        var start = range.lowerBound
        for edit in side.edits(in: range) {
            side.join(start..<edit.place.lowerBound, at: text.utf8.count)
            text += side.text[start..<edit.place.lowerBound]
            text += other[edit.text]
            start = edit.place.upperBound
        }
        side.join(start..<range.upperBound, at: text.utf8.count)
        text += side.text[start..<range.upperBound]
    }

    /// Appends text that both sides share; the old range is theirs.
    private mutating func append(shared box: Hunk) {
        guard !box.old.isEmpty else { return }
        if !theirs.goesOn(at: box.old, end) { text += separator(before: box.new, of: mine) }
        theirs.join(box.old, at: end)
        mine.join(box.new, at: end)
        text += theirs.text[box.old]
    }
}

extension MergeWalk {
    /// Returns the lengths of the shared prefix and suffix of two insertions at the same place: the whole text, or
    /// whole lines with words, or the first words of two replacements of the same word within a line.
    private func shared(_ box: Hunk, isSamePlace: Bool, replacesWord: Bool) -> (prefix: Int, suffix: Int) {
        theirs.text.withBytes { theirBytes in
            mine.text.withBytes { myBytes in
                let same = theirBytes.commonPrefix(box, with: myBytes)
                if same == box.old.count, same == box.new.count { return (same, 0) }
                if replacesWord, !theirBytes.hasLineFeed(in: box.old), !myBytes.hasLineFeed(in: box.new) {
                    let rest = theirBytes.trimmed(box, against: myBytes) { $0.isBreak($1) }
                    let start = box.old.lowerBound..<rest.old.lowerBound
                    return theirBytes.hasWord(in: start) ? (start.count, 0) : (0, 0)
                }
                guard isSamePlace else { return (0, 0) }
                var prefix = same
                while prefix > 0, theirBytes[box.old.lowerBound + prefix - 1] != 0x0A { prefix -= 1 }
                if !theirBytes.hasWord(in: box.old.prefix(prefix)) { prefix = 0 }
                let rest = Hunk(old: box.old.dropFirst(prefix), new: box.new.dropFirst(prefix))
                var suffix = theirBytes.commonSuffix(rest, with: myBytes)
                while suffix > 0,
                    !theirBytes.isLineStart(rest.old.upperBound - suffix)
                        || !myBytes.isLineStart(rest.new.upperBound - suffix)
                { suffix -= 1 }
                // Blank lines alone are not shared, because they separate paragraphs on either side.
                return (prefix, theirBytes.hasWord(in: rest.old.suffix(suffix)) ? suffix : 0)
            }
        }
    }

    /// Returns true if their change of a word includes mine, false if mine includes theirs, and nil otherwise.
    private func theirChangeIncludesMine(_ theirHunk: Hunk, _ myHunk: Hunk) -> Bool? {
        base.withBytes { baseBytes in
            theirs.text.withBytes { theirBytes in
                mine.text.withBytes { myBytes in
                    guard baseBytes.isOneWord(theirHunk.old), theirBytes.isOneWord(theirHunk.new),
                        myBytes.isOneWord(myHunk.new)
                    else { return nil }
                    let word = baseBytes.extracting(theirHunk.old)
                    let (theirWord, myWord) = (theirBytes.extracting(theirHunk.new), myBytes.extracting(myHunk.new))
                    if word.isPart(of: myWord) && myWord.isPart(of: theirWord)
                        || theirWord.isPart(of: myWord) && myWord.isPart(of: word)
                    {
                        return true
                    }
                    if word.isPart(of: theirWord) && theirWord.isPart(of: myWord)
                        || myWord.isPart(of: theirWord) && theirWord.isPart(of: word)
                    {
                        return false
                    }
                    return nil
                }
            }
        }
    }

    /// Returns the separator between the merged text and a range of a side that followed other text there.
    private func separator(before range: Range<Int>, of side: MergeSide) -> String {
        guard !range.isEmpty, let last = text.unicodeScalars.last?.value, !side.goesOn(at: range, end) else {
            return ""
        }
        return side.text.withBytes { own in
            let first = own.scalar(at: range.lowerBound).value
            if first.isLineEnd || last.isLineEnd { return "" }
            if hasLines, own.isLineStart(range.lowerBound), own.isLineEnd(range.upperBound) {
                // A paragraph keeps its blank line before it.
                let isParagraph = range.lowerBound > 1 && own.isLineStart(range.lowerBound - 1) && first.kind == .word
                return isParagraph ? "\n\n" : "\n"
            }
            if first.kind == .space || last.kind == .space { return "" }
            if range.lowerBound > 0, own.scalar(before: range.lowerBound).kind == .space { return " " }
            return last.makesWord(with: first) ? " " : ""
        }
    }

    /// Returns the separator between the merged text and text of the base that followed other text on both sides.
    private func separator(beforeKept range: Range<Int>) -> String {
        guard let last = text.unicodeScalars.last?.value else { return "" }
        return base.withBytes { base in
            let first = base.scalar(at: range.lowerBound).value
            // A line stays a line of its own, even if the text before it was deleted.
            if base.isLineStart(range.lowerBound), !first.isLineEnd { return last.isLineEnd ? "" : "\n" }
            if last.kind == .space || first.kind == .space { return "" }
            // White space of the base stays before a word if the two deletions together removed all of it.
            let followsSpace = range.lowerBound > 0 && base.scalar(before: range.lowerBound).kind == .space
            return followsSpace || last.makesWord(with: first) ? " " : ""
        }
    }
}

extension UInt32 {
    /// Returns true if a reader takes a character and the next one for parts of one word.
    fileprivate func makesWord(with next: UInt32) -> Bool {
        kind == .word && (next.kind == .word || next.isPicture) || isPicture && next.kind == .word
    }

    private var isPicture: Bool {
        switch self {
        case 0x2300...0x2BFF, 0x1F000...0x1FAFF: kind == .unit
        default: false
        }
    }
}

extension Text {
    fileprivate var hasLineFeed: Bool { withBytes { $0.hasLineFeed(in: 0..<count) } }

    fileprivate func isWholeLines(_ range: Range<Int>) -> Bool {
        withBytes { !range.isEmpty && $0.isLineStart(range.lowerBound) && $0.isLineStart(range.upperBound) }
    }
}

extension Span<UInt8> {
    /// Returns true if all bytes occur in another text in the same order.
    fileprivate func isPart(of other: Span<UInt8>) -> Bool {
        var offset = 0
        var place = 0
        while offset < count, place < other.count {
            if self[offset] == other[place] { offset += 1 }
            place += 1
        }
        return offset == count
    }

    fileprivate func isLineEnd(_ offset: Int) -> Bool {
        offset == count || self[offset] == 0x0A || self[offset] == 0x0D || self[offset - 1] == 0x0A
    }
}
