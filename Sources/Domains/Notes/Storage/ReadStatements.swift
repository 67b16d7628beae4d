internal import AlmanacIdentity
internal import AlmanacPostgreSQL
internal import AlmanacSearching
internal import AlmanacTimestamps

/// The SQL that reads notes. Pages are cut by keys and sizes first, so that no text is read in vain.
enum ReadStatements {
    private static let size = "octet_length(title) + octet_length(body) + octet_length(tags::text)"

    private static let list = Statement(
        """
        -- name: notes_list
        select id, position, revision, false as gone, \(size) as size
        from notes where account_id = $1 and deleted_at is null and purged_at is null and position > $2
        order by position limit $3
        """)

    private static let newest = Statement(
        """
        -- name: notes_newest
        select id, position, revision, false as gone, \(size) as size
        from notes where account_id = $1 and deleted_at is null and purged_at is null and (revision, id) < ($2, $3)
        order by revision desc, id desc limit $4
        """)

    private static let trash = Statement(
        """
        -- name: notes_trash
        select id, (extract(epoch from deleted_at) * 1000)::bigint::text as position, revision, false as gone,
            \(size) as size
        from notes
        where account_id = $1 and deleted_at is not null and purged_at is null and (deleted_at, id) < ($2, $3)
        order by deleted_at desc, id desc limit $4
        """)

    private static let since = Statement(
        """
        -- name: notes_since
        select id, position, revision, deleted_at is not null or purged_at is not null as gone,
            \(size) as size
        from notes where account_id = $1 and (revision, id) > ($2, $3)
        order by revision, id limit $4
        """)

    private static let sinceTime = Statement(
        """
        -- name: notes_since_time
        select id, position, revision, deleted_at is not null or purged_at is not null as gone,
            \(size) as size
        from notes where account_id = $1 and updated_at > $2
        order by revision, id limit $3
        """)

    /// The rank of a note is the number of `levels` that it matches: for each term, one per place or fit that is better
    /// than a word prefix in the body. The lateral subquery detoasts each vector once for all levels.
    private static let search = Statement(
        """
        -- name: notes_search
        with terms as materialized (
            select *, case
                when is_tag then '''#' || replace(replace(text, '\\', '\\\\'), '''', '''''') || ''''
                else search_term(text, is_whole, 'ABC') end as query
            from unnest($2, $3, $4, $5, $6) as terms (alternative, text, is_tag, is_whole, is_excluded)
        ), wanted as materialized (
            select string_agg(query, ' | ')::tsquery as query
            from (
                select string_agg(case when is_excluded then '!' else '' end || '(' || query || ')', ' & ') as query
                from terms group by alternative) as alternatives
        ), levels as materialized (
            select array_agg(level::tsquery) as levels
            from terms, search_term(text, true, 'A') as title, search_term(text, is_whole, 'A') as title_begun,
                search_term(text, true, 'B') as tag, search_term(text, is_whole, 'AB') as tag_begun,
                search_term(text, true, 'C') as body,
                unnest(array[title, title_begun, concat_ws(' | ', title_begun, tag), tag_begun,
                    concat_ws(' | ', tag_begun, body), query]) as level
            where not is_tag and not is_excluded and query is not null
        )
        select n.id, n.position, n.revision, false as gone, \(size) as size
        from notes n join note_words w on w.account_id = n.account_id and w.note_id = n.id, wanted, levels,
            lateral (select w.words || '' as vector offset 0) as once
        where n.account_id = $1 and n.deleted_at is null and n.purged_at is null and w.words @@ wanted.query
        order by (select count(*) from unnest(levels) as level where vector @@ level) desc, n.revision desc limit $7
        """)

    /// Indexes the words of a megabyte of notes that changed since they were last indexed; returns a row per note.
    private static let indexWords = Statement(
        """
        -- name: notes_gather_words
        with changed as (
            select n.account_id, n.id,
                sum(octet_length(n.title) + octet_length(n.body)) over (order by n.id) - octet_length(n.body) as before
            from accounts a join notes n on n.account_id = a.id
                left join note_words w on w.account_id = n.account_id and w.note_id = n.id
            where a.issuer = $1 and a.subject = $2 and n.deleted_at is null and n.purged_at is null
                and w.revision is distinct from n.revision
        )
        insert into note_words as w (account_id, note_id, revision, words)
        select n.account_id, n.id, n.revision, search_vector(n.title, n.tags, n.body)
        from changed c join notes n on n.account_id = c.account_id and n.id = c.id where c.before < 1000000
        on conflict (account_id, note_id) do update set revision = excluded.revision, words = excluded.words
            where w.revision < excluded.revision
        returning note_id
        """)

    private static let texts = Statement(
        """
        -- name: notes_texts
        select \(Note.columns) from notes n where n.account_id = $1 and n.id = any ($2)
        """)

    private static let hashes = Statement(
        """
        -- name: notes_hashes
        select id, revision,
            encode(sha256(convert_to(title, 'UTF8') || '\\x00'::bytea || convert_to(body, 'UTF8')), 'hex') as hash
        from notes where account_id = $1 and id = any ($2)
        """)

    private static let historySizes = Statement(
        """
        -- name: note_history_sizes
        select revision, coalesce(octet_length(title), 0) + coalesce(octet_length(body), 0)
            + coalesce(octet_length(tags::text), 0) as size
        from note_revisions where account_id = $1 and note_id = $2 and revision < $3
        order by revision desc limit $4
        """)

    private static let history = Statement(
        """
        -- name: note_history
        select revision, action, action_id, title, body, tags, pinned, tags_thinned,
            title_thinned or body_thinned or tags_thinned as thinned, recorded_at
        from note_revisions where account_id = $1 and note_id = $2 and revision >= $3 and revision < $4
        order by revision desc
        """)

    private static let ids = Statement(
        """
        -- name: notes_all_ids
        select id from notes where account_id = $1 order by position, id
        """)

    private static let actions = Statement(
        """
        -- name: notes_all_actions
        select action_id, note_id, status, revision, restored, recorded_at
        from note_actions
        where account_id = $1 and ($2 is null or (recorded_at, action_id) > (
            select recorded_at, action_id from note_actions where account_id = $1 and action_id = $2))
        order by recorded_at, action_id limit $3
        """)

    /// Reads the keys of the list after a position. If more follow, all queries of pages return `limit` + 1 rows.
    static func list(of account: Account, after position: String, limit: Int) -> Call {
        Call(list, .bigint(account.id), .text(position), .bigint(Int64(limit) + 1))
    }

    /// Reads the keys before a place, the latest change first.
    static func newest(of account: Account, before revision: Int64, id: String, limit: Int) -> Call {
        Call(newest, .bigint(account.id), .bigint(revision), .text(id), .bigint(Int64(limit) + 1))
    }

    /// Reads the keys of the trash, the latest deletion first. The position is its time in milliseconds since 1970.
    static func trash(of account: Account, before time: Timestamp, id: String, limit: Int) -> Call {
        Call(trash, .bigint(account.id), .timestamp(time), .text(id), .bigint(Int64(limit) + 1))
    }

    /// Reads the keys of the notes that changed after a place.
    static func changes(of account: Account, after revision: Int64, id: String, limit: Int) -> Call {
        Call(since, .bigint(account.id), .bigint(revision), .text(id), .bigint(Int64(limit) + 1))
    }

    /// Reads the keys of the notes that changed after a time; complete because `updated_at` rises with the revision.
    static func changes(of account: Account, after time: Timestamp, limit: Int) -> Call {
        Call(sinceTime, .bigint(account.id), .timestamp(time), .bigint(Int64(limit) + 1))
    }

    /// Reads the keys of the notes that match a search, the best match first.
    static func notes(_ search: NotesSearch, in account: Account, limit: Int) -> Call {
        let terms = search.terms
        return Call(
            Self.search, .bigint(account.id), .integerArray(terms.map { Int32($0.alternative) }),
            .textArray(terms.map(\.term.text)), .booleanArray(terms.map(\.term.isTag)),
            .booleanArray(terms.map(\.term.isWhole)), .booleanArray(terms.map(\.term.isExcluded)),
            .bigint(Int64(limit) + 1))
    }

    /// Indexes the words of some notes; returns no rows if the index is complete.
    static func indexWords(of user: VerifiedUser) -> Call { Call(indexWords, .text(user.issuer), .text(user.subject)) }

    static func notes(_ ids: [String], of account: Account) -> Call {
        Call(texts, .bigint(account.id), .textArray(ids.map(\.self)))
    }

    /// Reads each note's revision and the SHA-256 of its title, a zero byte, and its body.
    static func hashes(of ids: [String], in account: Account) -> Call {
        Call(hashes, .bigint(account.id), .textArray(ids.map(\.self)))
    }

    /// Reads the revisions of a note before one, the newest first, with the bytes of the texts that each wrote.
    static func historySizes(of noteID: String, in account: Account, before revision: Int64, limit: Int) -> Call {
        Call(historySizes, .bigint(account.id), .text(noteID), .bigint(revision), .bigint(Int64(limit) + 1))
    }

    /// Reads the actions on a note in a range of revisions, the newest first.
    static func history(of noteID: String, in account: Account, _ revisions: Range<Int64>) -> Call {
        Call(history, .bigint(account.id), .text(noteID), .bigint(revisions.lowerBound), .bigint(revisions.upperBound))
    }

    /// Reads the ids of all notes, tombstones included.
    static func ids(of account: Account) -> Call { Call(ids, .bigint(account.id)) }

    /// Reads the stored actions after one, sorted by time.
    ///
    /// - Parameter id: the id of the previous action; nil starts with the first.
    static func actions(of account: Account, after id: String?, limit: Int) -> Call {
        Call(actions, .bigint(account.id), .text(id), .bigint(Int64(limit)))
    }
}

extension NoteRevision {
    /// - Parameter metadata: the metadata after the action; nil if it was thinned out.
    init(_ row: Row, _ metadata: NoteMetadata?) throws(PostgresFailure) {
        self.metadata = metadata
        revision = try row.bigint("revision")
        action = try row.text("action")
        actionID = try row.optionalText("action_id")
        recordedAt = try row.timestamp("recorded_at")
        title = try row.optionalText("title")
        body = try row.optionalText("body")
        isThinned = try row.boolean("thinned")
    }
}

extension RecordedAction {
    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("action_id")
        let first = ActionResult.OriginalEffect(
            status: try row.text("status"), revision: try row.bigint("revision"),
            isRestored: try row.boolean("restored"))
        effect = AppliedAction(noteID: try row.text("note_id"), originalEffect: first)
        recordedAt = try row.timestamp("recorded_at")
    }
}
