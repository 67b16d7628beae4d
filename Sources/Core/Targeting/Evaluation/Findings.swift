/// The last findings of an evaluation, which can have very many.
struct Findings {
    private var findings: [RecordedFinding] = []
    /// The number of earlier findings that were dropped.
    private(set) var omitted = 0

    /// A finding that is not yet put into words.
    struct RecordedFinding {
        let node: Int32
        let finding: Explanation.Finding
        /// The bucket that a split selected.
        let bucket: BucketPlace?
        let isDeciding: Bool
        let depth: Int
    }

    mutating func add(_ recorded: RecordedFinding) {
        findings.append(recorded)
        if findings.count == 2 * RuleLimits.maxFindings { leaveOut(RuleLimits.maxFindings) }
    }

    mutating func close() { leaveOut(max(0, findings.count - RuleLimits.maxFindings)) }

    private mutating func leaveOut(_ count: Int) {
        findings.removeFirst(count)
        omitted += count
    }

    var kept: [RecordedFinding] { findings }
}

/// The number of a caller's bucket in a split, from 1, and the bounds of its share, from 0 to 1.
struct BucketPlace {
    let number: Int
    let count: Int
    let begin: Double
    let end: Double
}
