/// A three-way merge: it combines two texts that were both made from a third, as two careful people would.
public enum ThreeWay {
    /// The result of a three-way merge, with the delta that leads to it from each side.
    public struct Merge: Sendable {
        /// The text with the changes of both sides.
        public let text: String

        /// The delta from their text to ``text``.
        public let fromTheirs: Delta

        /// The delta from my text to ``text``. It also moves a caret in my text; see ``Delta/map(position:affinity:)``.
        public let fromMine: Delta
    }

    /// The result of a rebase: local changes on top of the server's current text.
    public struct Rebase: Sendable {
        /// The server's text with the local changes.
        public let text: String

        /// The delta from the local text to ``text``: apply it to the editor, and move the caret and the selection with
        /// ``Delta/map(position:affinity:)``.
        public let change: Delta

        /// The delta from the server's text to ``text``: the next delta to send, based on the server's text.
        public let unsent: Delta
    }

    /// Merges two texts. No text written by either side is lost, and no word appears that neither side wrote.
    ///
    /// ```swift
    /// let merged = ThreeWay.merge(
    ///     base: "milk\nbread",
    ///     theirs: "milk\nbread\neggs",
    ///     mine: "oat milk\nbread")
    /// let text = merged.text  // "oat milk\nbread\neggs"
    /// ```
    ///
    /// The merge finds the changed words of each side (see ``Delta/between(_:_:)``) and walks the base once. At each
    /// place it puts the text inserted by them, then the text inserted by me, or a common insertion once. The base text
    /// follows, unless either side deleted it. Therefore
    ///
    /// - no insertion is dropped, not even inside text that the other side deleted, except a word that repeatedly
    ///   replaces another, as search and replace does: it is dropped inside a passage that the other side deleted;
    /// - an insertion that both sides made at the same place appears once;
    /// - every deletion takes effect, except that a word edited by the other side stays as edited, and so does a
    ///   deleted line or sentence that the other side wrote in;
    /// - an edit in lines that the other side moved is carried to their new place;
    /// - if both sides changed one word, both words stay, theirs first;
    /// - text that neither side touched stays;
    /// - a side without changes yields the other side's text, and equal sides yield that text.
    ///
    /// Adjacent words of both sides are separated like the text around them: by a line feed if each word began a line,
    /// by a space otherwise. In scripts that don't separate words, each character counts as a word.
    ///
    /// There are no conflicts. The same three texts yield the same result on every machine. If the sides are exchanged,
    /// only the order of insertions at the same place differs.
    ///
    /// This is the three-way merge that diff3 does with lines (Sanjeev Khanna, Keshav Kunal, Benjamin C. Pierce, "A
    /// Formal Investigation of Diff3", 2007), but with words, and with both sides kept where diff3 reports a conflict.
    public static func merge(base: String, theirs: String, mine: String) -> Merge {
        let (base, theirs, mine) = (Text(base), Text(theirs), Text(mine))
        if theirs.isIdentical(to: mine) {
            let nothing = Delta([.retain(theirs.unitCount(0..<theirs.count))])
            return Merge(text: theirs.string, fromTheirs: nothing, fromMine: nothing)
        }
        var theirDiffer = Differ(base, theirs)
        var myDiffer = Differ(base, mine)
        let (theirHunks, myHunks) = (theirDiffer.hunks(), myDiffer.hunks())
        func kept(_ text: Text, _ hunks: [Hunk], _ otherText: Text, _ others: [Hunk]) -> [Hunk] {
            let hunks = RepeatedReplacements(of: base, in: text).givingWay(hunks, to: others)
            return EditedLines(of: base, in: text, against: otherText).keeping(hunks, despite: others)
        }
        let theirKept = kept(theirs, theirHunks, mine, myHunks)
        let myKept = kept(mine, myHunks, theirs, theirHunks)
        let (theirMoves, myMoves) = (theirDiffer.moves, myDiffer.moves)
        let theirCarried = CarriedEdits(
            of: theirKept, over: base, in: theirs, to: myKept, moving: myMoves, besides: theirMoves)
        let myCarried = CarriedEdits(
            of: myKept, over: base, in: mine, to: theirKept, moving: theirMoves, besides: myMoves)
        let theirSide = MergeSide(theirKept, of: theirs, carried: theirCarried.isCarried, taking: myCarried.edits)
        let mySide = MergeSide(myKept, of: mine, carried: myCarried.isCarried, taking: theirCarried.edits)
        return MergeWalk(base, theirSide, mySide).merged()
    }

    /// Puts local changes on top of the server's text. The server does the same ``merge(base:theirs:mine:)``, so both
    /// reach the same text.
    ///
    /// - Parameters:
    ///   - local: The text on this device.
    ///   - base: The last text known to the server before the local changes began, from which both other texts were
    ///     made.
    ///   - server: The server's current text.
    public static func rebase(_ local: String, from base: String, onto server: String) -> Rebase {
        let merged = merge(base: base, theirs: server, mine: local)
        return Rebase(text: merged.text, change: merged.fromMine, unsent: merged.fromTheirs)
    }
}
