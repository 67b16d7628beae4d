/// Puts together two texts that were both made from a third, as two careful people would do with each other's edits.
public enum ThreeWay {
    /// What two people made of one text, put together, with the way there from either side.
    public struct Merge: Sendable {
        /// The text with both sides' changes.
        public let text: String

        /// What theirs is missing: applied to their text it gives ``text``.
        public let fromTheirs: Delta

        /// What mine is missing: applied to my text it gives ``text``. It also says where a caret in my text goes; see
        /// ``Delta/map(position:affinity:)``.
        public let fromMine: Delta
    }

    /// Local changes put on top of what the server has meanwhile.
    public struct Rebase: Sendable {
        /// The server's text with the local changes.
        public let text: String

        /// What happened to the local text: apply it to the editor, and move caret and selection by
        /// ``Delta/map(position:affinity:)``.
        public let change: Delta

        /// What the server's text is still missing: the delta to send next, based on the server's text.
        public let unsent: Delta
    }

    /// Merges two texts so that nothing that either side wrote is lost, and no word comes out that nobody wrote.
    ///
    /// ```swift
    /// let merged = ThreeWay.merge(
    ///     base: "milk\nbread",
    ///     theirs: "milk\nbread\neggs",
    ///     mine: "oat milk\nbread")
    /// let text = merged.text  // "oat milk\nbread\neggs"
    /// ```
    ///
    /// The changed words of either side are found (see ``Delta/between(_:_:)``), and the base is walked once: at each
    /// place stands what they inserted, then what I inserted, or that once if it is the same; then the base, unless
    /// either side deleted it. Therefore
    ///
    /// - nothing inserted is dropped, not even inside text that the other side deleted; but a word that one side put in
    ///   the place of another again and again, as search and replace does, isn't put where the other side deleted the
    ///   passage;
    /// - nothing is doubled that both sides inserted alike at the same place;
    /// - every deletion by either side takes place, but a word that the other side edited stays as edited, and so does
    ///   a deleted line or sentence that the other side wrote in;
    /// - what one side edited in lines that the other side moved goes where the lines went;
    /// - where both sides changed one word, both words stay, theirs first;
    /// - what neither side touched stays as it is;
    /// - a side without changes gives the other side's text, and equal sides give that text.
    ///
    /// Where words of both sides meet, they are separated as the text around them is: by a line feed where each began a
    /// line, by a space elsewhere. In scripts that don't separate words the character takes the place of the word.
    ///
    /// There are no conflicts and nothing is guessed: the same three texts give the same result on every machine, and
    /// with the sides exchanged only the order of what both inserted at the same place differs.
    ///
    /// This is the three-way merge that diff3 does with lines (Sanjeev Khanna, Keshav Kunal, Benjamin C. Pierce, "A
    /// Formal Investigation of Diff3", 2007), done with words, and with both sides kept where diff3 reports a conflict.
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

    /// Puts local changes on top of the server's text: the same ``merge(base:theirs:mine:)`` that the server does, so
    /// that both come to the same text.
    ///
    /// - Parameters:
    ///   - local: the text on this device.
    ///   - base: the text that both the local and the server's text were made from: the last one known to the server
    ///     when the local changes began.
    ///   - server: the text that the server has now.
    public static func rebase(_ local: String, from base: String, onto server: String) -> Rebase {
        let merged = merge(base: base, theirs: server, mine: local)
        return Rebase(text: merged.text, change: merged.fromMine, unsent: merged.fromTheirs)
    }
}
