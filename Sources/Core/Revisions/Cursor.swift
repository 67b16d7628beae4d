/// A place in one history: a revision, and the lineage that it counts in. Written `43.k3f9`.
public struct Cursor: Hashable, Sendable, CustomStringConvertible {
    public let revision: Int64
    /// Nil where a client gave a bare revision.
    public let lineage: String?

    public init(revision: Int64, lineage: String?) {
        self.revision = revision
        self.lineage = lineage
    }

    /// Reads `43` or `43.k3f9`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let revision = Self.revision(parts[0]) else { return nil }
        self.revision = revision
        guard parts.count == 2 else {
            lineage = nil
            return
        }
        guard Self.isLineage(parts[1]) else { return nil }
        lineage = String(parts[1])
    }

    /// Reads a whole number of at most 18 digits.
    public static func revision(_ text: some StringProtocol) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Whether a text can be a lineage: that of a database has up to 16 characters, that of an account 8 more.
    public static func isLineage(_ text: some StringProtocol) -> Bool {
        (4...24).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }

    public var description: String { lineage.map { "\(revision).\($0)" } ?? "\(revision)" }
}
