internal import AlmanacSQLite

extension Schema {
    /// The migration to version 4: tags (in JSON) and pins for every text of a note, lists with pinned notes first, and
    /// notes with imported times.
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

    /// The columns of a list in its order, so that a list reads no bodies.
    private static let list = SQLiteStatement(
        """
        -- name: schema_notes_list_pinned
        create index notes_list on notes (
            in_trash, pinned desc, position is null, position, number, id, title, excerpt, tags, created_at, updated_at,
            shadow_revision, is_dirty, problem_type, problem_detail, wish_number, wish_after
        )
        """)
}
