extension Delta {
    /// The delta that differences between two texts amount to.
    init(_ hunks: [Hunk], from old: Text, to new: Text) {
        self.init()
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
