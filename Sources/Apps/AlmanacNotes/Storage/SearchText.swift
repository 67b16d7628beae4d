internal import AlmanacSearching

/// A search in the language of SQLite's FTS5, and what the index of it has of a note.
struct SearchText {
    /// The tags that a note has to have, where no words are searched for; else none.
    let tags: [String]
    /// The notes that fit; empty without words.
    let match: String
    /// The queries that rank notes, in JSON: a note is worth as much as there are of these that it fits.
    let levels: String

    /// - Parameter tags: more tags that a note has to have.
    init(_ text: String, tags: [String] = []) throws {
        let query = SearchQuery(text, tags: tags)
        self.tags = NoteTags.sorted(query.tagsAlone ?? [])
        let alternatives = query.tagsAlone == nil ? query.alternatives : []
        match = alternatives.compactMap(Self.alternative).map { "(\($0))" }.joined(separator: " OR ")
        levels = try NoteTags.stored(alternatives.joined().flatMap(Self.levels))
    }

    /// Nothing is searched for.
    var isEmpty: Bool { tags.isEmpty && match.isEmpty }

    /// The condition that a note has all tags of a parameter, a JSON array.
    static func hasTags(_ parameter: String) -> String {
        """
        (\(parameter) = '[]' or not exists (
                select 1 from json_each(\(parameter)) w
                where w.value not in (select t.value from json_each(n.tags) t)))
        """
    }

    /// A common table expression with the worth of each note, of a parameter with the levels.
    static func worth(_ parameter: String) -> String {
        """
        worth as materialized (
            select s.rowid as number, count(*) as worth
            from json_each(\(parameter)) l cross join notes_search s where s.notes_search match l.value group by s.rowid
        )
        """
    }

    /// The order of what is found, with a note as `n` and its worth as `w`.
    static let bestFirst = "coalesce(w.worth, 0) desc, n.updated_at desc, n.number desc"

    /// The tags of a note in the index: their words, none in a row with those of another tag, and each as a whole.
    static func indexed(_ tags: [String]) -> String {
        tags.reduce(everyNote) { "\($0) \(SearchWords.of($1)) \(everyNote) \(whole($1))" }
    }

    /// A word that is among the tags of every note: FTS5 excludes notes only from others.
    private static let everyNote = "\u{E001}"

    private static func whole(_ tag: String) -> String {
        "\u{E002}" + tag.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    private static func alternative(_ terms: [SearchQuery.Term]) -> String? {
        let required = terms.filter { !$0.isExcluded }.compactMap(phrase)
        let excluded = terms.filter(\.isExcluded).compactMap(phrase)
        if required.isEmpty && excluded.isEmpty { return nil }
        var match = required.isEmpty ? "\"\(everyNote)\"" : "(\(required.joined(separator: " AND ")))"
        for phrase in excluded { match = "(\(match) NOT \(phrase))" }
        return match
    }

    /// - Returns: nil for a term without words.
    private static func phrase(_ term: SearchQuery.Term) -> String? {
        if term.isTag { return "tags : \"\(whole(term.text))\"" }
        let words = SearchWords.of(term.text)
        return words.isEmpty ? nil : "\"\(words)\"" + (term.isWhole ? "" : "*")
    }

    /// In the title rather than in tags, and there rather than in the body; whole rather than as a beginning.
    private static func levels(_ term: SearchQuery.Term) -> [String] {
        guard !term.isTag, !term.isExcluded, let any = phrase(term) else { return [] }
        let whole = "\"\(SearchWords.of(term.text))\""
        return [
            "title : \(whole)", "title : \(any)", "(title : \(any)) OR (tags : \(whole))", "{title tags} : \(any)",
            "({title tags} : \(any)) OR \(whole)", any,
        ]
    }
}
