extension Delta {
    /// Which way a position leans when text is inserted exactly there.
    public enum Affinity: Sendable {
        /// Stays before what is inserted.
        case before
        /// Moves behind what is inserted.
        case after
    }

    /// Where a position in the base text, such as a caret, stands in the result; both count UTF-16 code units.
    ///
    /// A position inside text that was replaced goes to the beginning or the end of the replacement, as the affinity
    /// says; one at the edge of replaced text stays at that edge. A selection keeps its text when its start leans
    /// `after` and its end `before`.
    ///
    /// - Precondition: the position is in `0...baseLength`.
    public func map(position: Int, affinity: Affinity = .before) -> Int {
        precondition((0...baseLength).contains(position), "The position is not in the base text")
        var base = 0
        var result = 0
        var index = 0
        while index < operations.count {
            if case .retain(let length) = operations[index] {
                if position < base + length { return result + position - base }
                base += length
                result += length
                index += 1
                continue
            }
            let (deleted, inserted) = replacement(at: &index)
            if position < base + deleted {
                return position == base || affinity == .before ? result : result + inserted
            }
            if deleted == 0, position == base, affinity == .before { return result }
            base += deleted
            result += inserted
        }
        return result
    }

    /// The lengths of the deletion, the insertion, or both in a row at an index, which moves past them.
    private func replacement(at index: inout Int) -> (deleted: Int, inserted: Int) {
        var deleted = 0
        if case .delete(let length) = operations[index] {
            deleted = length
            index += 1
        }
        guard index < operations.count, case .insert(let text) = operations[index] else { return (deleted, 0) }
        index += 1
        return (deleted, text.unitCount)
    }
}
