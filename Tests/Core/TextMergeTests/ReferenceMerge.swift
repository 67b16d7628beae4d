import TextMerge

/// The rules of the merge in so many words, unit by unit, from what each side's delta says.
struct ReferenceMerge {
    private(set) var text: [UInt16] = []
    /// Whether both sides inserted something at one place.
    private(set) var hasSharedPlace = false

    init(base: [UInt16], theirs: Delta, mine: Delta) {
        let (theirSide, mySide) = (Side(theirs), Side(mine))
        for offset in 0...base.count {
            let (theirText, myText) = (theirSide.inserted[offset] ?? [], mySide.inserted[offset] ?? [])
            text += theirText
            if myText != theirText { text += myText }
            if !theirText.isEmpty, !myText.isEmpty { hasSharedPlace = true }
            guard offset < base.count else { break }
            if !theirSide.deleted.contains(offset), !mySide.deleted.contains(offset) { text.append(base[offset]) }
        }
    }

    private struct Side {
        var inserted: [Int: [UInt16]] = [:]
        var deleted: Set<Int> = []

        init(_ delta: Delta) {
            var offset = 0
            var start = 0
            for operation in delta.operations {
                switch operation {
                case .retain(let length):
                    offset += length
                    start = offset
                case .delete(let length):
                    deleted.formUnion(offset..<offset + length)
                    start = offset
                    offset += length
                case .insert(let text):
                    // In normal form it stands behind the deletion that it belongs to.
                    inserted[start] = text.units
                }
            }
        }
    }
}
