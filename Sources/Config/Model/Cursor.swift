/// A place in one history: a revision, and the lineage that it counts in. Written `43.k3f9`.
struct Cursor: Hashable, Sendable, CustomStringConvertible {
    let revision: Int64
    /// Nil where a client gave a bare revision.
    let lineage: String?

    init(revision: Int64, lineage: String?) {
        self.revision = revision
        self.lineage = lineage
    }

    /// Reads `43` or `43.k3f9`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...18).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
            let revision = Int64(parts[0])
        else { return nil }
        self.revision = revision
        guard parts.count == 2 else {
            lineage = nil
            return
        }
        guard (4...16).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) })
        else { return nil }
        lineage = String(parts[1])
    }

    var description: String { lineage.map { "\(revision).\($0)" } ?? "\(revision)" }
}
