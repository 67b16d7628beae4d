internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

enum MajorStatements {
    static let all = Statement(
        """
        -- name: config_majors_all
        select major, minor, patch, released_revision, last_asked_at, retired_at from config_majors order by major
        """)

    /// Stores the newest version of a major. A new major begins at the given revision.
    static func upsert(_ version: SemanticVersion, releasedAt revision: Int64) -> Call {
        Call(
            upsert, .integer(Int32(version.major)), .integer(Int32(version.minor)), .integer(Int32(version.patch)),
            .bigint(revision))
    }

    private static let upsert = Statement(
        """
        -- name: config_majors_upsert
        insert into config_majors (major, minor, patch, released_revision) values ($1, $2, $3, $4)
        on conflict (major) do update set minor = excluded.minor, patch = excluded.patch
        """)

    static func retire(major: Int) -> Call { Call(retire, .integer(Int32(major))) }

    private static let retire = Statement(
        """
        -- name: config_majors_retire
        update config_majors set retired_at = date_trunc('milliseconds', clock_timestamp())
        where major = $1 and retired_at is null
        """)

    static func recordUses(_ times: [Int: Timestamp]) -> Call {
        Call(recordUses, .integerArray(times.keys.map { Int32($0) }), .timestampArray(Array(times.values)))
    }

    private static let recordUses = Statement(
        """
        -- name: config_majors_asked
        update config_majors m set last_asked_at = greatest(m.last_asked_at, a.asked_at)
        from unnest($1, $2) as a (major, asked_at) where m.major = a.major
        """)
}

extension Major {
    init(_ row: Row) throws(PostgresFailure) {
        newest = try SemanticVersion(row)
        releasedRevision = try row.bigint("released_revision")
        lastAskedAt = try row.optionalTimestamp("last_asked_at")
        retiredAt = try row.optionalTimestamp("retired_at")
    }
}
