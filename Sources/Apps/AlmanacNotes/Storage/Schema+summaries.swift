internal import AlmanacSQLite

extension Schema {
    /// The migration to version 3: excerpts for lists, and search texts apart from the bodies.
    static let summaries = [
        excerpt, searchTitle, searchBody, dropped("inserted"), dropped("deleted"), dropped("updated"), inserted,
        deleted, updated, listIndex, refusedIndex,
    ]

    private static let excerpt = SQLiteStatement(
        """
        -- name: schema_excerpt
        alter table notes add column excerpt text not null default ''
        """)

    /// The title in its indexed form; null if it equals the title.
    private static let searchTitle = SQLiteStatement(
        """
        -- name: schema_search_title
        alter table notes add column search_title text
        """)

    private static let searchBody = SQLiteStatement(
        """
        -- name: schema_search_body
        alter table notes add column search_body text
        """)

    /// The columns of a list in its order, so that a list reads no bodies.
    private static let listIndex = SQLiteStatement(
        """
        -- name: schema_notes_list
        create index notes_list on notes (
            in_trash, position is null, position, number, id, title, excerpt, created_at, updated_at, shadow_revision,
            is_dirty, problem_type, problem_detail, wish_number, wish_after
        )
        """)

    private static let refusedIndex = SQLiteStatement(
        """
        -- name: schema_notes_refused
        create index notes_refused on notes (number) where problem_type is not null
        """)

    /// Drops the trigger that updated the search index after an event.
    static func dropped(_ event: String) -> SQLiteStatement {
        SQLiteStatement(
            """
            -- name: schema_search_dropped
            drop trigger notes_search_\(event)
            """)
    }

    private static let old = "coalesce(old.search_title, old.title), coalesce(old.search_body, old.body)"
    private static let new = "coalesce(new.search_title, new.title), coalesce(new.search_body, new.body)"

    private static let inserted = SQLiteStatement(
        """
        -- name: schema_words_inserted
        create trigger notes_search_inserted after insert on notes begin
            insert into notes_search (rowid, title, body) values (new.number, \(new));
        end
        """)

    private static let deleted = SQLiteStatement(
        """
        -- name: schema_words_deleted
        create trigger notes_search_deleted after delete on notes begin
            insert into notes_search (notes_search, rowid, title, body) values ('delete', old.number, \(old));
        end
        """)

    private static let updated = SQLiteStatement(
        """
        -- name: schema_words_updated
        create trigger notes_search_updated after update of title, body, search_title, search_body on notes
        when (\(old)) is not (\(new)) begin
            insert into notes_search (notes_search, rowid, title, body) values ('delete', old.number, \(old));
            insert into notes_search (rowid, title, body) values (new.number, \(new));
        end
        """)
}
