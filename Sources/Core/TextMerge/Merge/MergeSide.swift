/// One side of a merge while the base is walked.
struct MergeSide {
    let text: Text
    private let hunks: [Hunk]
    private var next = 0
    /// Up to where in the base this side deleted what it replaced.
    private(set) var deletedUntil = 0
    /// How far behind the base this side's text is, or before it, after the last hunk.
    private var shift = 0
    /// What of this side's text came into the merged text, and where.
    private(set) var matches: [Match] = []

    /// Tells of each hunk whether it is one of the other side's edits instead.
    private let carried: [Bool]
    /// The other side's edits of the lines that this side moved.
    private let edits: [CarriedEdits.Edit]

    init(_ hunks: [Hunk], of text: Text, carried: [Bool], taking edits: [CarriedEdits.Edit]) {
        self.hunks = hunks
        self.text = text
        self.carried = carried
        self.edits = edits
    }

    /// Tells whether the next hunk comes out where the other side put the lines that it is in.
    var isCarried: Bool { next < hunks.count && carried[next] }

    /// The other side's edits of a range of this side's text.
    func edits(in range: Range<Int>) -> ArraySlice<CarriedEdits.Edit> {
        let first = edits.partitioningIndex { $0.place.lowerBound < range.lowerBound }
        return edits[first...].prefix { $0.place.upperBound <= range.upperBound }
    }

    /// The next hunk, if there is one more.
    var hunk: Hunk? { next < hunks.count ? hunks[next] : nil }

    /// Steps past the next hunk.
    mutating func step() {
        deletedUntil = hunks[next].old.upperBound
        shift = hunks[next].new.upperBound - deletedUntil
        next += 1
    }

    /// Whether this side kept what stands at an offset of the base.
    func keeps(_ offset: Int) -> Bool { offset >= deletedUntil }

    /// Where text of the base that this side kept stands in its own text.
    func own(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }

    /// Notes that a range of this side's text stands at an offset of the merged text.
    mutating func join(_ range: Range<Int>, at offset: Int) {
        matches.join(Match(old: range.lowerBound, new: offset, length: range.count))
    }

    /// Whether a range of this side's text goes on where the merged text ends.
    func goesOn(at range: Range<Int>, _ offset: Int) -> Bool {
        guard let last = matches.last else { return range.lowerBound == 0 && offset == 0 }
        return last.old + last.length == range.lowerBound && last.new + last.length == offset
    }
}
