/// A position in a history: a revision and its lineage. The text form is `43.k3f9`.
public struct Cursor: Hashable, Sendable, CustomStringConvertible {
    public let revision: Int64
    /// The lineage, or nil if a client sent only a revision.
    public let lineage: String?

    public init(revision: Int64, lineage: String?) {
        self.revision = revision
        self.lineage = lineage
    }

    /// Parses `43` or `43.k3f9`.
    public init?(_ text: Substring) {
        let dot = text.utf8.firstIndex(of: UInt8(ascii: "."))
        guard let revision = Self.revision(text[..<(dot ?? text.endIndex)]) else { return nil }
        self.revision = revision
        guard let dot else {
            lineage = nil
            return
        }
        let lineage = text[text.utf8.index(after: dot)...]
        guard Self.isLineage(lineage) else { return nil }
        self.lineage = String(lineage)
    }

    /// Parses `43` or `43.k3f9`.
    public init?(_ text: String) { self.init(text[...]) }

    /// Parses an integer of at most 18 digits.
    public static func revision(_ text: Substring) -> Int64? {
        guard (1...18).contains(text.utf8.count) else { return nil }
        var revision: Int64 = 0
        for digit in text.utf8 {
            guard (48...57).contains(digit) else { return nil }
            revision = revision * 10 + Int64(digit - 48)
        }
        return revision
    }

    /// Returns true if a text can be a lineage. A database's lineage has 4 to 16 characters, an account's has 8 more.
    public static func isLineage(_ text: Substring) -> Bool {
        (4...24).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }

    public var description: String { lineage.map { "\(revision).\($0)" } ?? "\(revision)" }
}
