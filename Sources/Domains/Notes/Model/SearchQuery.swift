internal import AlmanacPOSIX

/// The words of a search, in the two languages that PostgreSQL reads, and the tags.
///
/// Words must all be there, `"quoted words"` in a row, `-word` must not, `or` stands between alternatives, and `word*`
/// finds words that begin so. `tag:work` and `tag:"two words"` are tags, which a note must all have.
struct SearchQuery: Sendable {
    /// For `websearch_to_tsquery`, which takes any text.
    let words: String
    /// For `to_tsquery`: the words that end in a star, all quoted.
    let prefixes: String
    /// The tags, each once.
    let tags: [String]

    /// Whether anything is searched for besides tags.
    var hasWords: Bool { !words.isEmpty || !prefixes.isEmpty || tags.isEmpty }

    /// The longest text, in bytes.
    static let longest = 1000
    /// The most words, and the most of these that end in a star: the time that a search takes grows with their number,
    /// and with that of the words in the notes that each star finds.
    static let mostWords = (all: 32, starred: 4)

    /// - Parameter tags: others than those in the text.
    init(_ text: String, tags: [String] = []) throws(NotesRefusal) {
        guard text.utf8.count <= Self.longest, !text.hasNUL else {
            throw .invalidSearch(mostBytes: Self.longest)
        }
        var tags = tags
        let parts = Self.parts(of: text, &tags)
        guard tags.allSatisfy(Tag.isValid) else { throw .invalidSearchTag }
        self.tags = Tag.set(tags)
        guard self.tags.count <= Tags.most else { throw .tooManySearchTags }
        // A quotation mark parts words as well as a blank does.
        guard Self.wordCount(parts.map(\.text).joined(separator: "\"")) <= Self.mostWords.all else {
            throw .tooManySearchWords
        }
        var words: [String] = []
        var prefixes: [String] = []
        var starred = 0
        for (part, isQuoted) in parts {
            if isQuoted {
                words.append("\"\(part)\"")
                continue
            }
            for word in part.split(whereSeparator: \.isWhitespace) {
                guard let prefix = Self.prefix(word) else {
                    words.append(String(word))
                    continue
                }
                // To ask for the same twice finds nothing else.
                guard !prefixes.contains(prefix) else { continue }
                prefixes.append(prefix)
                starred += Self.wordCount(word)
            }
        }
        guard starred <= Self.mostWords.starred else { throw .tooManySearchWords }
        self.words = words.joined(separator: " ")
        self.prefixes = prefixes.joined(separator: " & ")
    }

    /// The text parted at quotation marks, without its tags.
    private static func parts(
        of text: String, _ tags: inout [String]
    ) -> [(text: String, isQuoted: Bool)] {
        var parts: [(text: String, isQuoted: Bool)] = []
        var isTag = false
        // Every other part stands inside quotation marks.
        let all = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in all.enumerated() {
            guard index.isMultiple(of: 2) else {
                if isTag { tags.append(String(part)) } else { parts.append((String(part), true)) }
                continue
            }
            let words = part.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
            isTag = words.last == "tag:" && index + 1 < all.count
            let others = (isTag ? words.dropLast() : words).filter { word in
                guard word.utf8.starts(with: "tag:".utf8), word.utf8.count > 4 else { return true }
                tags.append(String(decoding: word.utf8.dropFirst(4), as: UTF8.self))
                return false
            }
            parts.append((others.joined(separator: " "), false))
        }
        return parts
    }

    /// How many words PostgreSQL can find in a text at most, hyphenated ones aside: it may break one at a mark that no
    /// blank stands beside, as in `a,a,a*`.
    private static func wordCount(_ text: some StringProtocol) -> Int {
        var count = 0
        var last = Part.mark
        for scalar in text.unicodeScalars {
            let part = Part(scalar)
            if part != last, part != .mark { count += 1 }
            last = part
        }
        return count
    }

    /// What a scalar can be a part of.
    private enum Part {
        case mark
        case word
        /// A word or a mark, as the database's locale has it.
        case unknown

        init(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            if properties.isAlphabetic || properties.numericType != nil {
                self = .word
            } else {
                self = scalar.isASCII ? .mark : .unknown
            }
        }
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
