internal import AlmanacSQLite

extension Schema {
    /// The migration to version 5: a search index of titles, tags and bodies with the word rules of the server and the
    /// notes page, written by the library instead of by triggers.
    static let words = ["inserted", "deleted", "updated"].map(dropped) + [searchDropped, search, forgotten]

    private static let searchDropped = SQLiteStatement(
        """
        -- name: schema_words_dropped
        drop table notes_search
        """)

    /// The tokenizer accepts everything except spaces and punctuation, because the words are already separated.
    private static let search = SQLiteStatement(
        """
        -- name: schema_words
        create virtual table notes_search using fts5 (
            title, tags, body, tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* S* Co'", prefix = '2 3'
        )
        """)

    /// Empties the columns that version 3 used for its search index.
    private static let forgotten = SQLiteStatement(
        """
        -- name: schema_words_forgotten
        update notes set search_title = null, search_body = null
        """)
}
