/// The last findings of an evaluation, which can have very many.
struct Notes {
    private var notes: [Note] = []
    /// The number of earlier findings that were dropped.
    private(set) var omitted = 0

    /// A finding that is not yet put into words.
    struct Note {
        let node: Int32
        let finding: Explanation.Finding
        /// The bucket that a split selected.
        let bucket: BucketPlace?
        let isDeciding: Bool
        let depth: Int
    }

    mutating func add(_ note: Note) {
        notes.append(note)
        if notes.count == 2 * RuleLimits.maxFindings { leaveOut(RuleLimits.maxFindings) }
    }

    mutating func close() { leaveOut(max(0, notes.count - RuleLimits.maxFindings)) }

    private mutating func leaveOut(_ count: Int) {
        notes.removeFirst(count)
        omitted += count
    }

    var kept: [Note] { notes }
}

/// The number of a caller's bucket in a split, from 1, and the bounds of its share, from 0 to 1.
struct BucketPlace {
    let number: Int
    let count: Int
    let begin: Double
    let end: Double
}
