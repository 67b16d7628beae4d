extension Delta {
    /// The canonical array: a positive number keeps that many units, a negative one deletes, a text is inserted.
    public var elements: [DeltaElement] {
        operations.map { operation in
            switch operation {
            case .retain(let length): .integer(length)
            case .delete(let length): .integer(-length)
            case .insert(let text): .text(text)
            }
        }
    }

    /// diff-match-patch's delta string, such as `=12\t-3\t+new`.
    public var deltaString: String {
        operations.map { operation in
            switch operation {
            case .retain(let length): "=\(length)"
            case .delete(let length): "-\(length)"
            case .insert(let text): "+" + PercentEncoding.encode(text)
            }
        }.joined(separator: "\t")
    }

    /// diff-match-patch's diff list, which spells out the base text: pairs of 0 (kept), -1 (deleted) or 1 (inserted)
    /// and a text.
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
