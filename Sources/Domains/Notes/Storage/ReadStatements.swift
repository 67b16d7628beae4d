internal import AlmanacPostgreSQL

/// The SQL that reads notes. Pages are cut by their keys and sizes first, so that no text is read in vain.
enum ReadStatements {
    static let list = Statement(
        """
        -- name: notes_list
        select id, position, revision, false as gone, octet_length(title) + octet_length(body) as size
        from notes where account_id = $1 and deleted_at is null and purged_at is null and position > $2
        order by position limit $3
        """)

    static let newest = Statement(
        """
        -- name: notes_newest
        select id, position, revision, false as gone, octet_length(title) + octet_length(body) as size
        from notes where account_id = $1 and deleted_at is null and purged_at is null and (revision, id) < ($2, $3)
        order by revision desc, id desc limit $4
        """)

    /// The position is the time of the deletion, in milliseconds since 1970.
    static let trash = Statement(
        """
        -- name: notes_trash
        select id, (extract(epoch from deleted_at) * 1000)::bigint::text as position, revision, false as gone,
            octet_length(title) + octet_length(body) as size
        from notes
        where account_id = $1 and deleted_at is not null and purged_at is null and (deleted_at, id) < ($2, $3)
        order by deleted_at desc, id desc limit $4
        """)

    static let since = Statement(
        """
        -- name: notes_since
        select id, position, revision, deleted_at is not null or purged_at is not null as gone,
            octet_length(title) + octet_length(body) as size
        from notes where account_id = $1 and (revision, id) > ($2, $3)
        order by revision, id limit $4
        """)

    /// Complete because `updated_at` rises with the revision.
    static let sinceTime = Statement(
        """
        -- name: notes_since_time
        select id, position, revision, deleted_at is not null or purged_at is not null as gone,
            octet_length(title) + octet_length(body) as size
        from notes where account_id = $1 and updated_at > $2
        order by revision, id limit $3
        """)

    static let search = Statement(
        """
        -- name: notes_search
        select n.id, n.position, n.revision, false as gone, octet_length(n.title) + octet_length(n.body) as size
        from notes n, to_tsquery('simple', $3) as prefixes,
            lateral (select websearch_to_tsquery('simple', $2) && prefixes as wanted) as query
        where n.account_id = $1 and n.deleted_at is null and n.purged_at is null and n.search @@ wanted
        order by ts_rank_cd(n.search, wanted) desc, n.revision desc limit $4
        """)

    static let texts = Statement(
        """
        -- name: notes_texts
        select id, title, body, position, created_at, updated_at, revision, text_revision, deleted_at, purged_at
        from notes where account_id = $1 and id = any ($2)
        """)

    /// The hash is that of the title, a zero byte, and the body.
    static let hashes = Statement(
        """
        -- name: notes_hashes
        select id, revision,
            encode(sha256(convert_to(title, 'UTF8') || '\\x00'::bytea || convert_to(body, 'UTF8')), 'hex') as hash
        from notes where account_id = $1 and id = any ($2)
        """)

    static let historySizes = Statement(
        """
        -- name: note_history_sizes
        select revision, coalesce(octet_length(title), 0) + coalesce(octet_length(body), 0) as size
        from note_revisions where account_id = $1 and note_id = $2 and revision < $3
        order by revision desc limit $4
        """)

    static let history = Statement(
        """
        -- name: note_history
        select revision, action, action_id, title, body, recorded_at
        from note_revisions where account_id = $1 and note_id = $2 and revision >= $3 and revision < $4
        order by revision desc
        """)

    static let allIDs = Statement(
        """
        -- name: notes_all_ids
        select id from notes where account_id = $1 order by position, id
        """)

    static let allActions = Statement(
        """
        -- name: notes_all_actions
        select action_id, note_id, status, revision, restored, recorded_at
        from note_actions where account_id = $1 order by recorded_at, action_id
        """)
}
