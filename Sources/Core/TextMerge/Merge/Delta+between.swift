extension Delta {
    /// The delta that makes one text out of another, as near as can be told to the edit that was made.
    ///
    /// Exact and deterministic: applied to `old` it gives `new` to the last byte, and the same texts give the same
    /// delta on every machine, because the work is bounded in steps and not in time. Lines are compared first, then
    /// words; inside a changed word only what it begins and ends with is kept. It is not always a shortest one: letters
    /// that two different words happen to share were typed by nobody.
    ///
    /// ```swift
    /// let elements = Delta.between("The cat sat.", "The cow sat.").elements  // [5, -2, "ow", 5]
    /// ```
    public static func between(_ old: String, _ new: String) -> Delta {
        var differ = Differ(from: old, to: new)
        return Delta(&differ)
    }

    /// The delta between the texts that a search compares.
    package init(_ differ: inout Differ) {
        self.init(differ.hunks(), from: differ.old, to: differ.new)
    }

    /// The delta that changed words between two texts amount to.
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
