extension Delta {
    /// Returns a delta that changes one text into another and resembles the edit that a person made.
    ///
    /// The delta is exact and deterministic: applied to `old`, it yields `new` to the last byte, and the same texts
    /// yield the same delta on every machine, because the work is bounded by steps and not by time. Lines are compared
    /// first, then words; inside a changed word, only a common prefix and suffix are kept. The delta is not always the
    /// shortest one, because letters that two different words share by chance are no part of an edit.
    ///
    /// ```swift
    /// let elements = Delta.between("The cat sat.", "The cow sat.").elements  // [5, -2, "ow", 5]
    /// ```
    public static func between(_ old: String, _ new: String) -> Delta {
        var differ = Differ(from: old, to: new)
        return Delta(&differ)
    }

    package init(_ differ: inout Differ) { self.init(differ.hunks(), from: differ.old, to: differ.new) }

    init(_ words: [Hunk], from old: Text, to new: Text) {
        self.init()
        var hunks = words
        old.withBytes { oldBytes in new.withBytes { newBytes in hunks.narrow(between: oldBytes, newBytes) } }
        var kept = 0
        for hunk in hunks {
            append(.retain(old.unitCount(kept..<hunk.old.lowerBound)))
            append(.delete(old.unitCount(hunk.old)))
            append(.insert(String(new[hunk.new])))
            kept = hunk.old.upperBound
        }
        append(.retain(old.unitCount(kept..<old.count)))
    }
}
