internal import AlmanacSQLite

extension Schema {
    /// The fifth version: words of titles, tags and bodies as the server and the notes page compare them, written by
    /// the library instead of by triggers.
    static let words =
        ["inserted", "deleted", "updated"].map(dropped) + [searchDropped, search, forgotten]

    private static let searchDropped = SQLiteStatement(
        """
        -- name: schema_words_dropped
        drop table notes_search
        """)

    /// Everything but spaces and punctuation, which no word has, is a letter: words are found before they come here.
    private static let search = SQLiteStatement(
        """
        -- name: schema_words
        create virtual table notes_search using fts5 (
            title, tags, body, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* S* Co'", prefix = '2 3'
        )
        """)

    /// Empties the columns in which the third version had the texts for its index.
    private static let forgotten = SQLiteStatement(
        """
        -- name: schema_words_forgotten
        update notes set search_title = null, search_body = null
        """)
}
