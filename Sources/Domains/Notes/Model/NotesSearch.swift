internal import AlmanacForms
internal import AlmanacPOSIX
internal import AlmanacSearching

/// A search in the notes of an account.
struct NotesSearch: Sendable {
    let (text, tags): (String, [String])
    /// Each term, with the number of the alternative that contains it.
    let terms: [(alternative: Int, term: SearchQuery.Term)]

    /// The maximum length of the text, in bytes.
    static let maxBytes = 1000
    /// The maximum number of words; the time of a search grows with it.
    static let maxWords = 32

    /// - Parameter tags: tags to search for besides those in the text.
    init(_ text: String, tags: [String] = []) throws(NotesRefusal) {
        guard text.utf8.count <= Self.maxBytes, !text.hasNUL else {
            throw .invalidSearch(maxBytes: Self.maxBytes)
        }
        (self.text, self.tags) = (text, tags)
        let query = SearchQuery(text, tags: tags)
        let all = query.alternatives.joined()
        let searchedTags = all.filter(\.isTag).map(\.text)
        guard searchedTags.allSatisfy(NoteTag.isValid) else { throw .invalidSearchTag }
        let tagCounts = query.alternatives.map { NoteTag.set($0.filter(\.isTag).map(\.text)).count }
        guard tagCounts.allSatisfy({ $0 <= NoteTag.maxPerNote }) else { throw .tooManySearchTags }
        let words = all.lazy.filter { !$0.isTag }.reduce(0) { $0 + Self.wordCount($1.text) }
        guard words <= Self.maxWords else { throw .tooManySearchWords }
        terms = query.alternatives.enumerated().flatMap { number, terms in terms.map { (number, $0) } }
    }

    /// Returns the number of words. A run of a script without spaces counts as one word.
    private static func wordCount(_ text: String) -> Int {
        var (count, isInside) = (0, false)
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isOfWord = properties.isAlphabetic || properties.numericType != nil || !scalar.isASCII
            if isOfWord && !isInside { count += 1 }
            isInside = isOfWord
        }
        return count
    }
}
