extension Delta {
    /// The side of an insertion on which a position at the same place ends up.
    public enum Affinity: Sendable {
        /// The position stays before the inserted text.
        case before
        /// The position moves behind the inserted text.
        case after
    }

    /// Returns the position in the result that corresponds to a position in the base text, such as a caret. Both count
    /// UTF-16 code units.
    ///
    /// A position inside replaced text moves to the beginning or the end of the replacement, depending on the affinity.
    /// A position at the edge of replaced text stays at that edge. A selection keeps its text if its start has the
    /// affinity `after` and its end `before`.
    ///
    /// - Precondition: The position is in `0...baseLength`.
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

    /// Returns the lengths of the deletion, the insertion, or both in a row at an index, and moves the index past them.
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
