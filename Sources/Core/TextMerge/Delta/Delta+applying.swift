extension Delta {
    /// The text that this delta makes of its base text.
    ///
    /// Exact: a text of another length, or one with a surrogate pair across a boundary, is refused, never matched
    /// approximately.
    ///
    /// ```swift
    /// let text = try Delta([.retain(4), .insert("\nbread")]).apply(to: "milk")  // "milk\nbread"
    /// ```
    public func apply(to base: String) throws(DeltaFailure) -> String {
        let text = Text(base)
        let cuts = try self.cuts(in: text)
        var result = ""
        result.reserveCapacity(text.count + max(0, resultLength - baseLength))
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .retain: result += text[cuts[index]..<cuts[index + 1]]
            case .delete: break
            case .insert(let text): result += text
            }
        }
        return result
    }

    /// Where in the bytes of its base text each operation begins, and at last where the text ends.
    func cuts(in base: Text) throws(DeltaFailure) -> [Int] {
        let length = base.unitCount(0..<base.count)
        guard length == baseLength else { throw DeltaFailure(.baseLength(expected: baseLength, found: length)) }
        var cuts = [0]
        cuts.reserveCapacity(operations.count + 1)
        var units = 0
        for (position, operation) in operations.enumerated() {
            guard let length = operation.baseLength else {
                cuts.append(cuts[position])
                continue
            }
            units += length
            guard let cut = base.withBytes({ $0.offset(cuts[position], advancedBy: length) }) else {
                throw DeltaFailure(.splitsSurrogatePair(offset: units), at: position)
            }
            cuts.append(cut)
        }
        return cuts
    }
}
