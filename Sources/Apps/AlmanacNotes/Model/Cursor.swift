/// A revision of the account, and the word that tells its history from others. Written `43.k3f9`.
struct Cursor: Sendable, Hashable, CustomStringConvertible {
    let revision: Int64
    let lineage: String

    init(revision: Int64, lineage: String) {
        self.revision = revision
        self.lineage = lineage
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 64, parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
            let revision = Int64(parts[0]), !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) })
        else { return nil }
        self.revision = revision
        lineage = String(parts[1])
    }

    var description: String { "\(revision).\(lineage)" }
}
