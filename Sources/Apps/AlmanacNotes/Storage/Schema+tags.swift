internal import AlmanacSQLite

extension Schema {
    /// The fourth version: tags, in JSON, and pins of every text of a note, lists with the pinned notes first, and
    /// notes whose times come from elsewhere.
    static let tags =
        ["", "shadow_", "news_"].flatMap { [tags(of: "notes", $0), pin(of: "notes", $0)] }
        + [tags(of: "actions", ""), pin(of: "actions", ""), ownTimes, dropList, list]

    private static func tags(of table: String, _ prefix: String) -> SQLiteStatement {
        SQLiteStatement(
            """
            -- name: schema_tags
            alter table \(table) add column \(prefix)tags text
            """)
    }

    private static func pin(of table: String, _ prefix: String) -> SQLiteStatement {
        SQLiteStatement(
            """
            -- name: schema_pinned
            alter table \(table) add column \(prefix)pinned integer not null default 0
            """)
    }

    private static let ownTimes = SQLiteStatement(
        """
        -- name: schema_own_times
        alter table notes add column own_times integer not null default 0
        """)

    private static let dropList = SQLiteStatement(
        """
        -- name: schema_notes_list_dropped
        drop index notes_list
        """)

    /// All that a list shows, in its order, so that no body is read for it.
    private static let list = SQLiteStatement(
        """
        -- name: schema_notes_list_pinned
        create index notes_list on notes (
            in_trash, pinned desc, position is null, position, number, id, title, excerpt, tags, created_at, updated_at,
            shadow_revision, is_dirty, problem_type, problem_detail, wish_number, wish_after
        )
        """)
}
