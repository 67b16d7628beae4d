/// The last findings of an evaluation, which may make very many.
struct Notes {
    private var notes: [Note] = []
    /// How many findings came before those that are kept.
    private(set) var omitted = 0

    /// A finding, before it is put into words.
    struct Note {
        let node: Int32
        let finding: Explanation.Finding
        /// Of a split.
        let bucket: BucketPlace?
        let isDeciding: Bool
        let depth: Int
    }

    mutating func add(_ note: Note) {
        notes.append(note)
        if notes.count == 2 * RuleLimits.findings { leaveOut(RuleLimits.findings) }
    }

    /// Ends taking notes.
    mutating func close() { leaveOut(max(0, notes.count - RuleLimits.findings)) }

    private mutating func leaveOut(_ count: Int) {
        notes.removeFirst(count)
        omitted += count
    }

    /// Those that are kept.
    var kept: [Note] { notes }
}

/// Which bucket of a split a caller is in, counted from 1, and where its share begins and ends, from 0 to 1.
struct BucketPlace {
    let number: Int
    let count: Int
    let begin: Double
    let end: Double
}
