/// The walk along the base text that merges two sides.
struct MergeWalk {
    private let base: Text
    private var theirs: MergeSide
    private var mine: MergeSide
    private var text = ""
    private var fromTheirs = Delta()
    private var fromMine = Delta()

    init(_ base: Text, _ theirs: MergeSide, _ mine: MergeSide) {
        self.base = base
        self.theirs = theirs
        self.mine = mine
    }

    consuming func merged() -> Merge {
        text.reserveCapacity(base.count)
        var offset = 0
        insert(at: offset)
        while offset < base.count {
            let end = min(
                theirs.change(after: offset, end: base.count), mine.change(after: offset, end: base.count))
            walk(offset..<end)
            offset = end
            insert(at: offset)
        }
        return Merge(text: text, fromTheirs: fromTheirs, fromMine: fromMine)
    }

    /// What they inserted, then what I inserted; once if it is the same.
    private mutating func insert(at offset: Int) {
        let inserted = theirs.step(to: offset)
        let insertedByMe = mine.step(to: offset)
        text += inserted
        fromTheirs.append(.retain(inserted.unitCount))
        if insertedByMe.isIdentical(to: inserted) {
            fromMine.append(.retain(inserted.unitCount))
            return
        }
        text += insertedByMe
        fromTheirs.append(.insert(insertedByMe))
        fromMine.append(.insert(inserted))
        fromMine.append(.retain(insertedByMe.unitCount))
    }

    /// A range of the base over which neither side changes its mind.
    private mutating func walk(_ range: Range<Int>) {
        let (keptByThem, keptByMe) = (theirs.keeps(range.lowerBound), mine.keeps(range.lowerBound))
        let length = base.unitCount(range)
        if keptByThem, keptByMe { text += base[range] }
        if keptByThem { fromTheirs.append(keptByMe ? .retain(length) : .delete(length)) }
        if keptByMe { fromMine.append(keptByThem ? .retain(length) : .delete(length)) }
    }
}
