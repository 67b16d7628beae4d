/// A search among notes, as somebody typed it.
///
/// Words between blanks, `"words in a row"`, `-without`, `tag:work`, `tag:"two words"`, and `or` between alternatives.
/// Every word may be the beginning of one, unless quotation marks stand around it; one behind a minus is meant whole
/// unless a star stands behind it. A quotation mark that is still open ends with the text, and its last word may be a
/// beginning; `tag:` alone asks for nothing. The server, the library for apps and the notes page read it alike.
public struct SearchQuery: Sendable, Hashable {
    /// A part that a note must have, or must not have.
    public struct Term: Sendable, Hashable {
        /// Words as they were typed, or a tag.
        public var text: String
        /// True of a tag, which is compared as it is written.
        public var isTag = false
        /// True where the last word is meant whole, not as a beginning.
        public var isWhole = false
        /// True where no note may have it.
        public var isExcluded = false

        /// A term that a note must have.
        public init(_ text: String, isTag: Bool = false, isWhole: Bool = false, isExcluded: Bool = false) {
            self.text = text
            self.isTag = isTag
            self.isWhole = isWhole
            self.isExcluded = isExcluded
        }
    }

    /// A note fits when it fits all terms of one of them; none where nothing is looked for.
    public private(set) var alternatives: [[Term]]

    /// - Parameter tags: more tags that a note has to have.
    public init(_ text: String, tags: [String] = []) {
        var reader = Reader(rest: text.unicodeScalars[...])
        var written: [(term: Term, isOr: Bool)] = []
        while let next = reader.next() { written.append(next) }
        alternatives = written.isEmpty ? [] : [[]]
        for (index, (term, isOr)) in written.enumerated() {
            let isBetween = alternatives.last?.isEmpty == false && index + 1 < written.count
            if isOr && isBetween { alternatives.append([]) } else { alternatives[alternatives.count - 1].append(term) }
        }
        guard !tags.isEmpty else { return }
        if alternatives.isEmpty { alternatives = [[]] }
        for index in alternatives.indices { alternatives[index] += tags.map { Term($0, isTag: true) } }
    }

    /// The tags that a note has to have, where nothing else is looked for.
    public var tagsAlone: [String]? {
        guard alternatives.count <= 1 else { return nil }
        let terms = alternatives.first ?? []
        return terms.allSatisfy { $0.isTag && !$0.isExcluded } ? terms.map(\.text) : nil
    }
}

/// Reads one term after the other.
private struct Reader {
    var rest: Substring.UnicodeScalarView

    /// - Returns: a term with something in it, and whether it is the word that parts alternatives.
    mutating func next() -> (SearchQuery.Term, isOr: Bool)? {
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            if rest.isEmpty { return nil }
            var term = SearchQuery.Term("")
            term.isExcluded = take("-")
            term.isTag = take("tag:")
            let isQuoted = take("\"")
            let end = rest.firstIndex { isQuoted ? $0 == "\"" : $0.properties.isWhitespace } ?? rest.endIndex
            term.text = String(rest[..<end])
            rest = rest[end...]
            let isClosed = isQuoted && take("\"")
            if term.text.isEmpty { continue }
            if !term.isTag {
                term.isWhole =
                    isQuoted ? isClosed : term.isExcluded && !term.text.utf8.reversed().starts(with: "*".utf8)
            }
            let isOr = !isQuoted && !term.isExcluded && !term.isTag && ["or", "OR", "Or", "oR"].contains(term.text)
            return (term, isOr)
        }
    }

    /// Takes what the rest begins with, in any case.
    private mutating func take(_ beginning: String) -> Bool {
        let found = rest.prefix(beginning.unicodeScalars.count)
        guard found.elementsEqual(beginning.unicodeScalars, by: { $0.properties.lowercaseMapping == String($1) }) else {
            return false
        }
        rest = rest[found.endIndex...]
        return true
    }
}
