extension [Hunk] {
    /// Narrows changes of whole words to the characters that were typed or deleted. Only two kinds of change are
    /// narrowed: a change within one word, and a single insertion or deletion, which may join or split words.
    ///
    /// Only the common prefix and suffix are kept. Equal characters in between are a coincidence, not part of an edit.
    mutating func narrow(between old: Span<UInt8>, _ new: Span<UInt8>) {
        for index in indices where !self[index].old.isEmpty && !self[index].new.isEmpty {
            let hunk = self[index]
            let inner = old.trimmed(hunk, against: new) { $0.isCharacterBreak($1) }
            guard inner != hunk else { continue }
            let isOneEdit = inner.old.isEmpty || inner.new.isEmpty
            guard isOneEdit || old.isOneWord(hunk.old) && new.isOneWord(hunk.new) else { continue }
            self[index] = isOneEdit ? inner.slid(within: hunk, old, new) : inner
        }
    }
}

extension Hunk {
    /// Returns an insertion or deletion at the place where a person would see it, within the words that it changes.
    fileprivate func slid(within words: Hunk, _ old: Span<UInt8>, _ new: Span<UInt8>) -> Hunk {
        let before = self.old.lowerBound - words.old.lowerBound
        let after = words.old.upperBound - self.old.upperBound
        let shift =
            self.old.isEmpty
            ? new.bestShift(of: self.new, before: before, after: after) { $0.isCharacterBreak($1) }
            : old.bestShift(of: self.old, before: before, after: after) { $0.isCharacterBreak($1) }
        return Hunk(
            old: self.old.lowerBound + shift..<self.old.upperBound + shift,
            new: self.new.lowerBound + shift..<self.new.upperBound + shift)
    }
}
