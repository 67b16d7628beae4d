/// The references of a note's text to attachments: `![alt](attachments/<id>.png)`.
///
/// A reference is `attachments/` followed by the 26 characters of an id, and by no further character of an id. It
/// counts anywhere in a body, in code too. `CleaningStatements` and the notes app have the same rule.
public enum AttachmentReferences {
    /// The limit on the number of different ids in one text.
    public static let maxPerNote = 1000
    /// The text before each id.
    public static let prefix = "attachments/"

    /// Returns the different ids that a text names, in the order of their first references.
    public static func ids(in text: String) -> [String] {
        // Safe because the span cannot leave the closure, during which the string keeps its storage.
        let ids = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in unsafe Self.ids(in: buffer.span) }
        return ids ?? Self.ids(in: Array(text.utf8).span)
    }

    /// - Parameter text: a text in UTF-8.
    private static func ids(in text: Span<UInt8>) -> [String] {
        var ids: [String] = []
        var found: Set<String> = []
        // A slash is rarer than any letter of the prefix.
        for slash in text.indices where text[slash] == UInt8(ascii: "/") {
            let start = slash + 1
            guard isPrefix(text, before: start) else { continue }
            var end = start
            while end < text.count, end <= start + idLength, isInID(text[end]) { end += 1 }
            guard end == start + idLength else { continue }
            let id = String(decoding: (start..<end).map { text[$0] }, as: UTF8.self)
            if found.insert(id).inserted { ids.append(id) }
        }
        return ids
    }

    private static let prefixBytes = Array(prefix.utf8)
    /// The length of an id: 128 random bits in base 32.
    private static let idLength = 26

    private static func isPrefix(_ text: Span<UInt8>, before end: Int) -> Bool {
        end >= prefixBytes.count
            && prefixBytes.indices.allSatisfy { text[end - prefixBytes.count + $0] == prefixBytes[$0] }
    }

    private static func isInID(_ byte: UInt8) -> Bool { (97...122).contains(byte) || (50...55).contains(byte) }
}
