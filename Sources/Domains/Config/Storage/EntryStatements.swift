internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

enum EntryStatements {
    private static let columns = """
        id, key, kind, majors, value::text as value, description, revision, updated_at, value_ended_revision,
            value_ended_at
        """
    private static let withAuthor = "\(columns), h.author, h.author_kind, h.token_id"
    private static let entriesAndAuthors = """
        config_entries left join lateral (
            select r.author, a.author_kind, a.token_id from config_releases r \(HistoryStatements.auditLine)
            where r.revision = config_entries.revision
        ) h on true
        """
    /// The columns for writers, which do not need the author.
    private static let withoutAuthor =
        "\(columns), null::text as author, null::text as author_kind, null::text as token_id"

    static let all = Statement(
        """
        -- name: config_entries_all
        select \(withAuthor) from \(entriesAndAuthors) order by key, lower(majors)
        """)

    /// Selects the rows that changed after a time.
    ///
    /// The index on `updated_at` finds every such row, because `updated_at` rises in the order of commits.
    static func changed(after time: Timestamp) -> Call { Call(changedAfter, .timestamp(time)) }

    static let changedAfter = Statement(
        """
        -- name: config_entries_changed_since
        select \(withAuthor) from \(entriesAndAuthors) where updated_at > $1
        """)

    /// Selects the newest rows of some keys, tombstones included.
    static func newest(of keys: [String]) -> Call { Call(newest, .textArray(keys)) }

    private static let newest = Statement(
        """
        -- name: config_entries_newest
        select \(withoutAuthor) from config_entries where key = any ($1) and upper_inf(majors)
        """)

    /// Selects the rows of some keys, of every major, tombstones included.
    static func rows(of keys: [String]) -> Call { Call(rows, .textArray(keys)) }

    private static let rows = Statement(
        """
        -- name: config_entries_of_keys
        select \(withoutAuthor) from config_entries where key = any ($1)
        """)

    static let allLive = Statement(
        """
        -- name: config_entries_all_live
        select \(withoutAuthor) from config_entries where upper_inf(majors) and value is not null
        """)

    /// All rows of flags and shared settings, of every major.
    static let flags = Statement(
        """
        -- name: config_entries_flags
        select \(withoutAuthor) from config_entries where kind <> 'value' order by key, lower(majors)
        """)

    static let count = Statement(
        """
        -- name: config_entries_count
        select count(*) as entries from config_entries where upper_inf(majors) and value is not null
        """)

    /// Deletes some rows.
    static func delete(_ rows: [Int64]) -> Call { Call(delete, .bigintArray(rows)) }

    private static let delete = Statement(
        """
        -- name: config_entries_delete
        delete from config_entries where id = any ($1)
        """)

    /// Sets the majors of some rows.
    static func resize(_ rows: [(row: Int64, majors: MajorRange)]) -> Call {
        Call(resize, .bigintArray(rows.map(\.row)), .textArray(rows.map(\.majors.text)))
    }

    private static let resize = Statement(
        """
        -- name: config_entries_resize
        update config_entries e set majors = c.majors::int4range
        from unnest($1, $2) as c (id, majors)
        where e.id = c.id
        """)

    /// Copies some rows for other majors.
    static func copy(_ rows: [(row: Int64, majors: MajorRange)]) -> Call {
        Call(copy, .bigintArray(rows.map(\.row)), .textArray(rows.map(\.majors.text)))
    }

    private static let copy = Statement(
        """
        -- name: config_entries_copy
        insert into config_entries (key, majors, value, description, revision, updated_at, kind, value_ended_revision,
            value_ended_at)
        select e.key, c.majors::int4range, e.value, e.description, e.revision, e.updated_at, e.kind,
            e.value_ended_revision, e.value_ended_at
        from unnest($1, $2) as c (id, majors) join config_entries e using (id)
        """)

    /// Updates some rows.
    static func update(_ rows: [ReleasePlan.RowWrite], in head: Head) -> Call {
        Call(
            update, .bigintArray(rows.map(\.row)), .textArray(rows.map(\.text)), .textArray(rows.map(\.description)),
            .bigint(head.revision), .timestamp(head.updatedAt), .textArray(rows.map(\.kind.rawValue)))
    }

    private static let update = Statement(
        """
        -- name: config_entries_update
        update config_entries e
        set value = c.value::jsonb, description = c.description, revision = $4, updated_at = $5, kind = c.kind,
            value_ended_revision = case when c.kind <> 'value' then \(valueEnd("revision", now: "$4")) end,
            value_ended_at = case when c.kind <> 'value' then \(valueEnd("updated_at", now: "$5")) end
        from unnest($1, $2, $3, $6) as c (id, value, description, kind)
        where e.id = c.id
        """)

    static func insert(_ rows: [ReleasePlan.RowWrite], in head: Head) -> Call {
        Call(
            insert, .textArray(rows.map(\.key)), .textArray(rows.map(\.majors.text)), .textArray(rows.map(\.text)),
            .textArray(rows.map(\.description)), .bigint(head.revision), .timestamp(head.updatedAt),
            .textArray(rows.map(\.kind.rawValue)), .bigintArray(rows.map(\.row)))
    }

    /// Returns SQL for the moment at which a key stopped being a plain value; `e` is the row from before the release.
    private static func valueEnd(_ column: String, now: String) -> String {
        let kept = column == "revision" ? "e.value_ended_revision" : "e.value_ended_at"
        return "case when e.kind <> 'value' then \(kept) when e.value is null then e.\(column) else \(now) end"
    }

    private static let insert = Statement(
        """
        -- name: config_entries_insert
        insert into config_entries (key, majors, value, description, revision, updated_at, kind, value_ended_revision,
            value_ended_at)
        select c.key, c.majors::int4range, c.value::jsonb, c.description, $5, $6, c.kind,
            case when c.kind <> 'value' and e.id is not null then \(valueEnd("revision", now: "$5")) end,
            case when c.kind <> 'value' and e.id is not null then \(valueEnd("updated_at", now: "$6")) end
        from unnest($1, $2, $3, $4, $7, $8) as c (key, majors, value, description, kind, id)
        left join config_entries e on c.kind <> 'value' and e.id = c.id
        """)

    static func delete(key: String) -> Call { Call(deleteKey, .text(key)) }

    private static let deleteKey = Statement(
        """
        -- name: config_entries_delete_key
        delete from config_entries where key = $1
        """)

    /// Deletes the rows that only retired majors see.
    static let deleteUnseen = Statement(
        """
        -- name: config_entries_delete_unseen
        delete from config_entries e
        where not upper_inf(e.majors)
            and not exists (select from config_majors m where m.retired_at is null and e.majors @> m.major)
        """)

    /// Formats JSON as PostgreSQL stores it, including the digits of numbers.
    static func canonical(json: String) -> Call { Call(canonical, .text(json)) }

    private static let canonical = Statement(
        """
        -- name: config_value_canonical
        select ($1::jsonb)::text as value
        """)
}

extension Entry {
    convenience init(_ row: Row) throws(PostgresFailure) {
        let majors = try row.integerRange("majors")
        self.init(
            id: try row.bigint("id"), key: try row.text("key"), kind: try row.entryKind("kind"),
            majors: MajorRange(first: majors.lower, end: majors.upper), value: try row.optionalBytes("value"),
            description: try row.text("description"), revision: try row.bigint("revision"),
            updatedAt: try row.timestamp("updated_at"),
            author: try row.optionalText("author") == nil ? nil : ReleaseAuthor(row),
            plainValueEnd: try row.plainValueEnd())
    }
}

extension Row {
    /// Returns the kind in a column. A kind from a later release counts as a flag, which not everyone may read.
    func entryKind(_ column: String) throws(PostgresFailure) -> EntryKind {
        EntryKind(rawValue: try text(column)) ?? .flag
    }

    fileprivate func plainValueEnd() throws(PostgresFailure) -> Entry.PlainValueEnd? {
        guard let at = try optionalTimestamp("value_ended_at") else { return nil }
        return Entry.PlainValueEnd(revision: try bigint("value_ended_revision"), at: at)
    }
}
