internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals

enum HistoryStatements {
    /// Inserts a release, and a record of it in the audit log.
    static func insert(_ release: Release, _ intent: ReleaseWriter.Intent) -> Call {
        Call(
            insertRelease,
            with: [
                .bigint(release.revision), .integer(Int32(release.version.major)),
                .integer(Int32(release.version.minor)), .integer(Int32(release.version.patch)),
                .timestamp(release.releasedAt), .text(release.kind.rawValue), .text(release.message),
                .text(intent.subject),
            ] + AuditStatements.parameters(of: intent.author) + [
                .bigint(intent.proposal), .text(intent.exemption?.rawValue), .text(intent.bypassReason),
                .text(intent.alert),
            ])
    }

    private static let insertRelease = Statement(
        """
        -- name: config_release_insert
        with release as (
            insert into config_releases
                (revision, major, minor, patch, released_at, kind, message, author, proposal, exemption, bypass_reason)
            values ($1, $2, $3, $4, $5, $6, $7, $9, $12, $13, $14)
        )
        insert into audit_log (recorded_at, action, subject, \(AuditStatements.authorColumns), details)
        values ($5, 'config.' || $6, $8, $9, $10, $11,
            jsonb_build_object('revision', $1, 'version', $2 || '.' || $3 || '.' || $4)
                || jsonb_strip_nulls(jsonb_build_object(
                    'proposal', $12, 'exemption', $13, 'bypass', $14, 'alert', $15::text)))
        """)

    static func insertChanges(of plan: ReleasePlan, in revision: Int64) -> Call {
        func texts(_ value: (Change) -> JSONValue?) -> Parameter {
            .textArray(plan.changes.map { value($0).map { String(decoding: $0.serialized(), as: UTF8.self) } })
        }
        return Call(
            insertChanges, .bigint(revision), .textArray(plan.changes.map(\.key)), texts(\.before), texts(\.after),
            .textArray(plan.changes.map(\.description)),
            .textArray(plan.receivers.map { "{" + $0.map(\.text).joined(separator: ",") + "}" }),
            .textArray(plan.changes.map(\.kind.rawValue)), .textArray(plan.changes.map(\.kindBefore?.rawValue)))
    }

    private static let insertChanges = Statement(
        """
        -- name: config_changes_insert
        insert into config_changes (revision, key, before, after, description, from_major, majors, kind, kind_before)
        select $1, c.key, c.before::jsonb, c.after::jsonb, c.description, lower(c.majors::int4multirange),
            c.majors::int4multirange, c.kind, c.kind_before
        from unnest($2, $3, $4, $5, $6, $7, $8)
            as c (key, before, after, description, majors, kind, kind_before)
        """)

    /// Erases a key's values from the history.
    static func purge(key: String) -> Call { Call(purge, .text(key)) }

    private static let purge = Statement(
        """
        -- name: config_changes_purge
        update config_changes set before = null, after = null, description = '', purged = true where key = $1
        """)

    static func insertPurge(of key: String, in revision: Int64) -> Call {
        Call(insertPurge, .bigint(revision), .text(key))
    }

    private static let insertPurge = Statement(
        """
        -- name: config_changes_insert_purge
        insert into config_changes (revision, key, from_major, majors, purged, kind)
        values ($1, $2, 1, '{[1,)}', true, case
            when exists (select from config_changes where key = $2 and (kind = 'value' or kind_before = 'value'))
                then 'value'
            when $2 = '_flags' then 'flag-set'
            else 'flag' end)
        returning kind
        """)

    /// Deletes a batch of the history older than 180 days, by a function because workers may not delete from it.
    static let trim = Statement(
        """
        -- name: config_trim
        select trim_config_history() as rows
        """)

    /// Selects true if an entry of a key has ever existed.
    static func isKnown(key: String) -> Call { Call(isKnown, .text(key)) }

    private static let isKnown = Statement(
        """
        -- name: config_changes_is_known
        select exists (select from config_changes where key = $1) as is_known
        """)

    /// Selects the config of a major at a revision: the last change of each key up to that revision.
    ///
    /// - Parameter seesFlags: False hides the flags.
    static func state(at revision: Int64, major: Int, seesFlags: Bool) -> Call {
        Call(stateAt, .bigint(revision), .integer(Int32(clamping: major)), .boolean(seesFlags))
    }

    /// Returns SQL for a change as a caller sees it. Without flags, a value that became a flag appears as removed.
    private static func shown(_ seesFlags: String) -> String {
        "case when \(seesFlags) then c.kind else 'value' end as kind, "
            + "case when \(seesFlags) or c.kind = 'value' then c.after end::text as value"
    }

    /// SQL for the majors that see a change. Changes from before the column `majors` have only the first of them.
    private static let majors = "coalesce(c.majors, int4multirange(int4range(c.from_major, null)))"

    private static let stateAt = Statement(
        """
        -- name: config_state_at
        select distinct on (c.key) c.key, \(shown("$3")), c.description, c.revision, r.released_at as updated_at
        from config_changes c join config_releases r using (revision)
        where c.revision <= $1 and \(majors) @> $2
        order by c.key, c.revision desc
        """)

    /// Selects the last change of each key that changed after one revision and up to another.
    static func changed(after start: Int64, upTo end: Int64, major: Int, seesFlags: Bool) -> Call {
        Call(changedBetween, .bigint(start), .bigint(end), .integer(Int32(clamping: major)), .boolean(seesFlags))
    }

    private static let changedBetween = Statement(
        """
        -- name: config_changed_between
        select distinct on (c.key) c.key, \(shown("$4")), c.description, c.revision, c.from_major,
            r.released_at as updated_at
        from config_changes c join config_releases r using (revision)
        where c.revision > $1 and c.revision <= $2 and \(majors) @> $3
            and ($4 or c.kind = 'value' or c.kind_before = 'value')
        order by c.key, c.revision desc
        """)

    /// Selects a page of releases, newest first.
    ///
    /// - Parameter key: The key that the releases changed; nil for all releases.
    static func releases(_ query: HistoryQuery, of key: String?) -> Call {
        Call(releases, with: parameters(query) + [.text(key)])
    }

    private static func parameters(_ query: HistoryQuery) -> [Parameter] {
        [
            .bigint(query.before), .bigint(query.limit), .text(query.author), .timestamp(query.since),
            .timestamp(query.until),
        ]
    }

    /// The SQL condition for the filters of a query.
    private static let matchesFilter = """
        ($3::text is null or r.author = $3) and ($4::timestamptz is null or r.released_at >= $4)
            and ($5::timestamptz is null or r.released_at < $5)
        """

    /// SQL for the line of the audit log that was written with a release, and tells the kind of its author.
    static let auditLine = """
        left join lateral (
            select l.author_kind, l.token_id from audit_log l
            where l.recorded_at = r.released_at and l.action = 'config.' || r.kind
                and l.details ->> 'revision' = r.revision::text limit 1
        ) a on true
        """

    private static let releaseColumns = """
        r.revision, r.major, r.minor, r.patch, r.released_at, r.kind, r.author, r.message, r.bypass_reason,
            r.bypass_reason is not null and r.acknowledged_at is null as is_unreviewed, a.author_kind, a.token_id
        """

    private static let releases = Statement(
        """
        -- name: config_releases_page
        select \(releaseColumns),
            array(select c.key from config_changes c where c.revision = r.revision order by c.key) as keys
        from config_releases r \(auditLine)
        where r.revision < $1 and r.revision >= (select oldest_revision from config_head) and \(matchesFilter)
            and ($6::text is null or r.revision in (select c.revision from config_changes c where c.key = $6))
        order by r.revision desc limit $2
        """)

    static func release(_ revision: Int64) -> Call { Call(release, .bigint(revision)) }

    private static let release = Statement(
        """
        -- name: config_release_read
        select \(releaseColumns)
        from config_releases r \(auditLine)
        where r.revision = $1 and r.revision >= (select oldest_revision from config_head)
        """)

    static func authors(of revisions: [Int64]) -> Call { Call(authors, .bigintArray(revisions)) }

    private static let authors = Statement(
        """
        -- name: config_release_authors
        select r.revision, r.author, a.author_kind, a.token_id from config_releases r \(auditLine)
        where r.revision = any($1::bigint[])
        """)

    static func changes(of revision: Int64) -> Call { Call(changes, .bigint(revision)) }

    private static let changes = Statement(
        """
        -- name: config_changes_of_release
        select c.key, c.kind, c.kind_before, c.before::text as before, c.after::text as after, c.description, c.purged,
            case when c.before is not null then p.description end as description_before
        from config_changes c left join lateral (
            select b.description from config_changes b where b.key = c.key and b.revision < c.revision
            order by b.revision desc limit 1
        ) p on p.description <> c.description
        where c.revision = $1 order by c.key
        """)

    /// Selects a page of the values that a key has had, newest first.
    static func history(of key: String, _ query: HistoryQuery) -> Call {
        Call(keyHistory, with: parameters(query) + [.text(key)])
    }

    private static let keyHistory = Statement(
        """
        -- name: config_key_history
        select c.revision, c.kind, c.after::text as value, c.description, c.purged, r.major, r.minor, r.patch,
            r.released_at, r.author, r.message, a.author_kind, a.token_id
        from config_changes c join config_releases r using (revision) \(auditLine)
        where c.key = $6 and c.revision < $1 and \(matchesFilter)
        order by c.revision desc limit $2
        """)
}

extension Release {
    init(_ row: Row) throws(PostgresFailure) {
        revision = try row.bigint("revision")
        version = try SemanticVersion(row)
        releasedAt = try row.timestamp("released_at")
        kind = Kind(rawValue: try row.text("kind")) ?? .change
        author = try row.text("author")
        message = try row.text("message")
        bypassReason = try row.optionalText("bypass_reason")
        isUnreviewed = try row.boolean("is_unreviewed")
    }
}

extension ReleaseAuthor {
    init(_ row: Row) throws(PostgresFailure) {
        let text = try row.text("author")
        let kind = try row.optionalText("author_kind").flatMap(Author.Kind.init(rawValue:))
        let tokenID = try row.optionalText("token_id")
        self.init(text: text, author: kind.map { Author(text, $0, tokenID: tokenID) })
    }
}
