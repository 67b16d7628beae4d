internal import TextMerge

/// What a search is for, and texts as the index of words takes them.
///
/// `tag:work` and `tag:"two words"` are tags that a note has to have, everything else are words. SQLite's tokenizer
/// finds words between spaces and punctuation. In scripts without spaces, and among emoji, each character counts as a
/// word here, so that a search finds any run of them.
struct SearchText {
    let tags: [String]
    /// A query of the index; empty without words.
    let words: String

    /// - Parameter tags: more tags that a note has to have.
    init(_ text: String, tags: [String] = []) {
        var (found, words) = (tags, "")
        var rest = text[...]
        while let begin = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[begin...]
            guard rest.hasPrefix(Self.mark) else {
                let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
                words += " \(rest[..<end])"
                rest = rest[end...]
                continue
            }
            rest = rest.dropFirst(Self.mark.count)
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            // A quotation mark that nobody has closed yet is closed by the end.
            let end = rest.firstIndex(where: { isQuoted ? $0 == "\"" : $0.isWhitespace }) ?? rest.endIndex
            if end > rest.startIndex { found.append(String(rest[..<end])) }
            rest = rest[end...].dropFirst()
        }
        self.tags = NoteTags.sorted(found)
        self.words = Self.query(words)
    }

    private static let mark = "tag:"

    /// Nothing is searched for.
    var isEmpty: Bool { tags.isEmpty && words.isEmpty }

    /// The condition that a note has all tags of a parameter, a JSON array.
    static func hasTags(_ parameter: String) -> String {
        """
        (\(parameter) = '[]' or not exists (
                select 1 from json_each(\(parameter)) w
                where w.value not in (select t.value from json_each(n.tags) t)))
        """
    }

    /// - Returns: nil for a text whose words SQLite finds by itself.
    static func indexed(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 >= 0x80 }), text.unicodeScalars.contains(where: \.isOwnWord) else {
            return nil
        }
        return separated(text)
    }

    /// A query for the notes in which every word of a text begins some word; empty without words.
    ///
    /// Each is quoted, so that nothing typed has a meaning of its own.
    private static func query(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber && !$0.unicodeScalars.contains(where: \.isSymbol) }
        let terms = words.map { separated(String($0)) }.filter { $0.contains { $0 != " " } }
        return terms.prefix(32).map { "\"\($0)\"*" }.joined(separator: " ")
    }

    private static func separated(_ text: String) -> String {
        var separated = String.UnicodeScalarView()
        for character in text {
            let scalars = character.unicodeScalars
            guard scalars.contains(where: \.isOwnWord) else {
                separated += scalars
                continue
            }
            separated.append(" ")
            for scalar in scalars {
                // Each of the emoji that are drawn as one; a vowel or tone goes with its consonant.
                if !scalar.isMark { separated.append(" ") }
                if let letter = scalar.searchLetter { separated.append(letter) }
            }
            separated.append(" ")
        }
        return String(separated)
    }
}

extension Unicode.Scalar {
    /// Whether a search finds it by itself.
    fileprivate var isOwnWord: Bool { standsAlone || value > 0xFF && properties.isEmoji }

    /// Whether it is one of those that are no letters, such as emoji.
    fileprivate var isSymbol: Bool { isOwnWord && searchLetter != nil }

    fileprivate var isMark: Bool { [.nonspacingMark, .spacingMark].contains(properties.generalCategory) }

    /// What stands for it in the index, as something that SQLite takes for a letter; nil for what separates words.
    fileprivate var searchLetter: Unicode.Scalar? {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            // SQLite's table of letters ends there.
            return value < 0x30000 ? self : privateUse
        case .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol, .mathSymbol: return privateUse
        default: return nil
        }
    }

    /// One of the private use area, whose characters SQLite takes for letters. The few that share one are found
    /// together.
    private var privateUse: Unicode.Scalar? {
        // Says only that an emoji is to be drawn as such, and is left out at will.
        if (0xFE00...0xFE0F).contains(value) { return nil }
        return Unicode.Scalar(0xF0000 + value & 0xFFFF)
    }
}
