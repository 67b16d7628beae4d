extension Delta {
    /// The canonical array: a positive number keeps units, a negative number deletes units, a text is inserted.
    public var elements: [DeltaElement] {
        operations.map { operation in
            switch operation {
            case .retain(let length): .integer(length)
            case .delete(let length): .integer(-length)
            case .insert(let text): .text(text)
            }
        }
    }

    /// The delta as a delta string of diff-match-patch, such as `=12\t-3\t+new`.
    public var deltaString: String {
        operations.map { operation in
            switch operation {
            case .retain(let length): "=\(length)"
            case .delete(let length): "-\(length)"
            case .insert(let text): "+" + PercentEncoding.encode(text)
            }
        }.joined(separator: "\t")
    }

    /// Returns the delta as a diff list of diff-match-patch, which contains the base text: pairs of a code, 0 (kept),
    /// -1 (deleted) or 1 (inserted), and a text.
    public func diffList(of base: String) throws(DeltaFailure) -> [DeltaElement] {
        let text = Text(base)
        let cuts = try self.cuts(in: text)
        return operations.enumerated().map { index, operation in
            switch operation {
            case .retain: .pair(0, String(text[cuts[index]..<cuts[index + 1]]))
            case .delete: .pair(-1, String(text[cuts[index]..<cuts[index + 1]]))
            case .insert(let text): .pair(1, text)
            }
        }
    }
}
