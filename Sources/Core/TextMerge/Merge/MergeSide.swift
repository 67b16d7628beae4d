/// The state of one side during a merge.
struct MergeSide {
    let text: Text
    private let hunks: [Hunk]
    private var next = 0
    /// The end of the last deletion of this side, as an offset of the base.
    private(set) var deletedUntil = 0
    /// The distance from an offset of the base to its place in this side's text, after the last hunk.
    private var shift = 0
    /// The parts of this side's text in the merged text.
    private(set) var matches: [Match] = []

    /// True for each hunk that is carried to the other side, by index.
    private let carried: [Bool]
    /// The other side's edits of the lines that this side moved.
    private let edits: [CarriedEdits.Edit]

    init(_ hunks: [Hunk], of text: Text, carried: [Bool], taking edits: [CarriedEdits.Edit]) {
        self.hunks = hunks
        self.text = text
        self.carried = carried
        self.edits = edits
    }

    /// True if the next hunk is carried to where the other side moved its lines.
    var isCarried: Bool { next < hunks.count && carried[next] }

    /// Returns the other side's edits within a range of this side's text.
    func edits(in range: Range<Int>) -> ArraySlice<CarriedEdits.Edit> {
        let first = edits.partitioningIndex { $0.place.lowerBound < range.lowerBound }
        return edits[first...].prefix { $0.place.upperBound <= range.upperBound }
    }

    var hunk: Hunk? { next < hunks.count ? hunks[next] : nil }

    mutating func step() {
        deletedUntil = hunks[next].old.upperBound
        shift = hunks[next].new.upperBound - deletedUntil
        next += 1
    }

    /// Returns true if this side kept the text at an offset of the base.
    func keeps(_ offset: Int) -> Bool { offset >= deletedUntil }

    /// Converts a range of the base that this side kept to a range of this side's text.
    func own(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }

    /// Records a range of this side's text at an offset of the merged text.
    mutating func join(_ range: Range<Int>, at offset: Int) {
        matches.join(Match(old: range.lowerBound, new: offset, length: range.count))
    }

    /// Returns true if a range of this side's text directly continues the end of the merged text.
    func goesOn(at range: Range<Int>, _ offset: Int) -> Bool {
        guard let last = matches.last else { return range.lowerBound == 0 && offset == 0 }
        return last.old + last.length == range.lowerBound && last.new + last.length == offset
    }
}
