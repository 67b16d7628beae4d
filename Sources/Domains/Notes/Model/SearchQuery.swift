internal import AlmanacPOSIX

/// The words of a search, in the two languages that PostgreSQL reads.
///
/// Words must all be there, `"quoted words"` in a row, `-word` must not, `or` stands between alternatives, and `word*`
/// finds words that begin so.
struct SearchQuery: Sendable {
    /// For `websearch_to_tsquery`, which takes any text.
    let words: String
    /// For `to_tsquery`: the words that end in a star, all quoted.
    let prefixes: String

    /// The longest text, in bytes.
    static let longest = 1000

    init(_ text: String) throws(NotesRefusal) {
        guard text.utf8.count <= Self.longest, !text.hasNUL else {
            throw .invalidSearch(mostBytes: Self.longest)
        }
        var words: [String] = []
        var prefixes: [String] = []
        // Every other part stands inside quotation marks.
        for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if !index.isMultiple(of: 2) {
                words.append("\"\(part)\"")
                continue
            }
            for word in part.split(whereSeparator: \.isWhitespace) {
                if let prefix = Self.prefix(word) { prefixes.append(prefix) } else { words.append(String(word)) }
            }
        }
        self.words = words.joined(separator: " ")
        self.prefixes = prefixes.joined(separator: " & ")
    }

    /// The query for a word with a star at its end; nil for any other.
    private static func prefix(_ word: Substring) -> String? {
        let isRefused = word.hasPrefix("-")
        let stem = (isRefused ? word.dropFirst() : word).dropLast()
        guard word.last == "*", stem.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        let quoted = stem.map { $0 == "'" || $0 == "\\" ? "\($0)\($0)" : "\($0)" }.joined()
        return (isRefused ? "!" : "") + "'\(quoted)':*"
    }
}
