internal import AlmanacSearching

/// A search query in the language of SQLite's FTS5, and the index entries of a note's tags.
struct SearchText {
    /// The required tags of a query without words; otherwise empty.
    let tags: [String]
    /// The FTS5 query for matching notes; empty without words.
    let match: String
    /// The FTS5 queries for ranking, as a JSON array. A note's rank is the number of queries that it matches.
    let levels: String

    /// - Parameter tags: additional required tags.
    init(_ text: String, tags: [String] = []) throws {
        let query = SearchQuery(text, tags: tags)
        self.tags = NoteTags.sorted(query.tagsAlone ?? [])
        let alternatives = query.tagsAlone == nil ? query.alternatives : []
        match = alternatives.compactMap(Self.alternative).map { "(\($0))" }.joined(separator: " OR ")
        levels = try NoteTags.stored(alternatives.joined().flatMap(Self.levels))
    }

    var isEmpty: Bool { tags.isEmpty && match.isEmpty }

    /// Returns the SQL condition that a note has all tags of a parameter, a JSON array.
    static func hasTags(_ parameter: String) -> String {
        """
        (\(parameter) = '[]' or not exists (
                select 1 from json_each(\(parameter)) w
                where w.value not in (select t.value from json_each(n.tags) t)))
        """
    }

    /// Returns the common table expression for the rank of each note, from a parameter with the ranking queries.
    static func worth(_ parameter: String) -> String {
        """
        worth as materialized (
            select s.rowid as number, count(*) as worth
            from json_each(\(parameter)) l cross join notes_search s where s.notes_search match l.value group by s.rowid
        )
        """
    }

    /// The order of search results, with a note as `n` and its rank as `w`.
    static let bestFirst = "coalesce(w.worth, 0) desc, n.updated_at desc, n.number desc"

    /// Returns the index entries of tags: each tag's words and the whole tag, with separators between tags.
    static func indexed(_ tags: [String]) -> String {
        tags.reduce(markerWord) { "\($0) \(SearchWords.of($1)) \(markerWord) \(whole($1))" }
    }

    /// A word in the tags of every note, because FTS5's `NOT` needs a left operand even if all terms are excluded.
    private static let markerWord = "\u{E001}"

    private static func whole(_ tag: String) -> String {
        "\u{E002}" + tag.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    private static func alternative(_ terms: [SearchQuery.Term]) -> String? {
        let required = terms.filter { !$0.isExcluded }.compactMap(phrase)
        let excluded = terms.filter(\.isExcluded).compactMap(phrase)
        if required.isEmpty && excluded.isEmpty { return nil }
        var match = required.isEmpty ? "\"\(markerWord)\"" : "(\(required.joined(separator: " AND ")))"
        for phrase in excluded { match = "(\(match) NOT \(phrase))" }
        return match
    }

    /// Returns the FTS5 phrase of a term; nil for a term without words.
    private static func phrase(_ term: SearchQuery.Term) -> String? {
        if term.isTag { return "tags : \"\(whole(term.text))\"" }
        let words = SearchWords.of(term.text)
        return words.isEmpty ? nil : "\"\(words)\"" + (term.isWhole ? "" : "*")
    }

    /// Returns a term's ranking queries: title before tags before body, and a whole word before a prefix.
    private static func levels(_ term: SearchQuery.Term) -> [String] {
        guard !term.isTag, !term.isExcluded, let any = phrase(term) else { return [] }
        let whole = "\"\(SearchWords.of(term.text))\""
        return [
            "title : \(whole)", "title : \(any)", "(title : \(any)) OR (tags : \(whole))", "{title tags} : \(any)",
            "({title tags} : \(any)) OR \(whole)", any,
        ]
    }
}
