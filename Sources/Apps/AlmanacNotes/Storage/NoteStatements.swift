internal import AlmanacSQLite

/// The SQL of notes and of what is on its way to the server.
enum NoteStatements {
    static let find = SQLiteStatement(
        """
        -- name: note_find
        select n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish
        from notes n left join actions a on a.note_id = n.id where n.id = ?1
        """)

    static let list = SQLiteStatement(
        """
        -- name: notes_list
        select n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish
        from notes n left join actions a on a.note_id = n.id where n.in_trash = ?1
        order by n.position is null, n.position, n.number
        """)

    static let all = SQLiteStatement(
        """
        -- name: notes_all
        select n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish
        from notes n left join actions a on a.note_id = n.id order by n.number
        """)

    static let dirty = SQLiteStatement(
        """
        -- name: notes_dirty
        select n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish
        from notes n left join actions a on a.note_id = n.id where n.is_dirty
        order by a.number is null, a.number, n.number limit ?1
        """)

    static let search = SQLiteStatement(
        """
        -- name: notes_search
        select n.*, a.action_id, a.kind, a.title as sent_title, a.body as sent_body, a.after, a.wish_number as sent_wish
        from notes_search s join notes n on n.number = s.rowid left join actions a on a.note_id = n.id
        where notes_search match ?1 and not n.in_trash order by bm25(notes_search, 4.0, 1.0), n.number desc limit ?2
        """)

    static let save = SQLiteStatement(
        """
        -- name: note_save
        insert into notes (
            id, title, body, in_trash, position, created_at, updated_at, shadow_title, shadow_body, shadow_revision,
            shadow_lineage, in_servers_trash, heard, spells_base, news_revision, news_lineage, news_title, news_body,
            news_position, wish_number, wish_after, wish_acknowledged, problem_type, problem_detail, is_dirty, version
        ) values (
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23,
            ?24, ?25, ?26
        ) on conflict (id) do update set
            title = ?2, body = ?3, in_trash = ?4, position = ?5, created_at = ?6, updated_at = ?7, shadow_title = ?8,
            shadow_body = ?9, shadow_revision = ?10, shadow_lineage = ?11, in_servers_trash = ?12, heard = ?13,
            spells_base = ?14, news_revision = ?15, news_lineage = ?16, news_title = ?17, news_body = ?18,
            news_position = ?19, wish_number = ?20, wish_after = ?21, wish_acknowledged = ?22, problem_type = ?23,
            problem_detail = ?24, is_dirty = ?25, version = ?26
        """)

    static let remove = SQLiteStatement(
        """
        -- name: note_remove
        delete from notes where id = ?1
        """)

    static let markRemoved = SQLiteStatement(
        """
        -- name: note_mark_removed
        insert into removed (id, version) values (?1, ?2)
        """)

    /// The version of the last change; null before the first.
    static let version = SQLiteStatement(
        """
        -- name: notes_version
        select max(version) as last
        from (select max(version) as version from notes union all select max(version) from removed)
        """)

    /// The notes that have changed after a version.
    static let changed = SQLiteStatement(
        """
        -- name: notes_changed
        select id from notes where version > ?1 union select id from removed where version > ?1
        """)

    static let beginFlight = SQLiteStatement(
        """
        -- name: action_begin
        insert into actions (note_id, action_id, kind, title, body, after, wish_number)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7) on conflict do nothing
        """)

    /// Ends what is on its way for a note, unless it is the action named.
    static let endFlight = SQLiteStatement(
        """
        -- name: action_end
        delete from actions where note_id = ?1 and action_id <> ?2
        """)

    static let lastWish = SQLiteStatement(
        """
        -- name: wish_last
        select max(number) as last
        from (select wish_number as number from notes union all select wish_number from actions)
        """)
}
