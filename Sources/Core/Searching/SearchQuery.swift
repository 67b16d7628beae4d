/// A parsed search query for notes.
///
/// The syntax has words separated by blanks, `"words in a row"`, `-without`, `tag:work`, `tag:"two words"`, and `or`
/// between alternatives. A word matches as a prefix, unless it is quoted. An excluded word matches whole words, unless
/// a star follows it. An open quotation mark ends with the text, and the last word in it matches as a prefix. A `tag:`
/// without a name is ignored. The server, the client library and the notes page parse queries alike.
public struct SearchQuery: Sendable, Hashable {
    /// A condition on a note, or its negation.
    public struct Term: Sendable, Hashable {
        /// The words, or the tag.
        public var text: String
        /// True for a tag, which is compared exactly.
        public var isTag = false
        /// True if the last word matches whole words, false if it matches as a prefix.
        public var isWhole = false
        /// True if a matching note must not satisfy the term.
        public var isExcluded = false

        public init(_ text: String, isTag: Bool = false, isWhole: Bool = false, isExcluded: Bool = false) {
            self.text = text
            self.isTag = isTag
            self.isWhole = isWhole
            self.isExcluded = isExcluded
        }
    }

    /// The alternatives: a note matches if it satisfies all terms of one alternative. Empty for an empty query.
    public private(set) var alternatives: [[Term]]

    /// - Parameter tags: Further tags that a note must have.
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

    /// The required tags, if the query contains nothing else; otherwise nil.
    public var tagsAlone: [String]? {
        guard alternatives.count <= 1 else { return nil }
        let terms = alternatives.first ?? []
        return terms.allSatisfy { $0.isTag && !$0.isExcluded } ? terms.map(\.text) : nil
    }
}

/// A reader of one term after another.
private struct Reader {
    var rest: Substring.UnicodeScalarView

    /// - Returns: The next term that is not empty, and true if the term is the word `or`.
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

    /// Consumes a prefix, ignoring case.
    private mutating func take(_ beginning: String) -> Bool {
        let found = rest.prefix(beginning.unicodeScalars.count)
        guard found.elementsEqual(beginning.unicodeScalars, by: { $0.properties.lowercaseMapping == String($1) }) else {
            return false
        }
        rest = rest[found.endIndex...]
        return true
    }
}
