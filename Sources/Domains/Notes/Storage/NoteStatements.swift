internal import AlmanacPostgreSQL

/// The SQL that finds what an action is about.
enum NoteStatements {
    static let find = Statement(
        """
        -- name: note_find
        select id, title, body, position, created_at, updated_at, revision, text_revision, deleted_at, purged_at
        from notes where account_id = $1 and id = $2
        """)

    /// An action's note, and the action itself where it came before. A statement of its own after the account's lock: one
    /// statement would see the notes as they were before it waited for the lock.
    static let situation = Statement(
        """
        -- name: note_situation
        select n.id, n.title, n.body, n.position, n.created_at, n.updated_at, n.revision, n.text_revision, n.deleted_at,
            n.purged_at, d.note_id as acted_on, d.status as acted_status, d.revision as acted_revision,
            d.restored as acted_restored
        from accounts a
            left join notes n on n.account_id = a.id and n.id = $3
            left join note_actions d on d.account_id = a.id and d.action_id = $4
        where a.issuer = $1 and a.subject = $2
        """)

    /// A note's texts as they were at a revision; null where it had none yet.
    static let textAt = Statement(
        """
        -- name: note_text_at
        select
            (select title from note_revisions
                where account_id = $1 and note_id = $2 and revision <= $3 and title is not null
                order by revision desc limit 1) as title,
            (select body from note_revisions
                where account_id = $1 and note_id = $2 and revision <= $3 and body is not null
                order by revision desc limit 1) as body
        """)

    static let position = Statement(
        """
        -- name: note_position
        select position from notes where account_id = $1 and id = $2 and purged_at is null
        """)

    static let firstPosition = Statement(
        """
        -- name: note_first_position
        select position from notes where account_id = $1 and purged_at is null and id <> $2
        order by position limit 1
        """)

    static let lastPosition = Statement(
        """
        -- name: note_last_position
        select position from notes where account_id = $1 and purged_at is null and id <> $2
        order by position desc limit 1
        """)

    static let positionAfter = Statement(
        """
        -- name: note_position_after
        select position from notes where account_id = $1 and purged_at is null and id <> $2 and position > $3
        order by position limit 1
        """)

    static let order = Statement(
        """
        -- name: note_order
        select id from notes where account_id = $1 and purged_at is null order by position
        """)
}

extension Note {
    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        text = NoteText(title: try row.text("title"), body: try row.text("body"))
        position = try row.text("position")
        createdAt = try row.timestamp("created_at")
        updatedAt = try row.timestamp("updated_at")
        revision = try row.bigint("revision")
        textRevision = try row.bigint("text_revision")
        deletedAt = try row.optionalTimestamp("deleted_at")
        isPurged = try row.optionalTimestamp("purged_at") != nil
    }
}
