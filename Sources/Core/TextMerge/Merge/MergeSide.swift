/// One side of a merge while the base is walked.
struct MergeSide {
    private let hunks: [Hunk]
    private let text: Text
    private var next = 0
    private var deletedUntil = 0

    init(_ hunks: [Hunk], of text: Text) {
        self.hunks = hunks
        self.text = text
    }

    /// Steps onto an offset of the base; returns what this side inserted there.
    mutating func step(to offset: Int) -> String {
        guard next < hunks.count, hunks[next].old.lowerBound == offset else { return "" }
        let hunk = hunks[next]
        next += 1
        deletedUntil = hunk.old.upperBound
        return String(text[hunk.new])
    }

    /// Whether this side kept the unit at the offset.
    func keeps(_ offset: Int) -> Bool {
        offset >= deletedUntil
    }

    /// The next offset after this one at which something changes for this side.
    func change(after offset: Int, end: Int) -> Int {
        if offset < deletedUntil { return deletedUntil }
        return next < hunks.count ? hunks[next].old.lowerBound : end
    }
}
