extension Delta {
    /// Applies the delta to its base text and returns the result.
    ///
    /// A base text of another length is refused, and so is a text in which an operation would split a surrogate pair.
    /// The delta is never matched approximately.
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

    /// Returns the byte offset in the base text at which each operation begins, followed by the length of the text.
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
