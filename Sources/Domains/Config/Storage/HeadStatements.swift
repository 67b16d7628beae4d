internal import AlmanacEnvironments
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

enum HeadStatements {
    private static let columns = "lineage, \(positionColumns)"
    private static let positionColumns = """
        revision, updated_at, major, minor, patch, oldest_revision, rewritten_revision,
        has_own_second
        """

    static let read = Statement(
        """
        -- name: config_head_read
        select \(columns) from config_head
        """)

    /// The lock on the head, which prevents every other change of the config until the transaction ends.
    private static let lock = Statement(
        """
        -- name: config_head_lock
        select \(Lineage.unforked) as lineage, \(positionColumns) from config_head for update
        """)

    /// Locks the head for the rest of the transaction.
    ///
    /// - Throws: `HistoryForked` if the lineage must be renewed first.
    static func lockHead(on connection: Connection) throws -> Head {
        let row = try connection.run(lock).single("config_head")
        guard try row.optionalText("lineage") != nil else { throw HistoryForked() }
        return try Head(row)
    }

    /// Assigns the next revision and its time, which is later than all earlier times even if the clock went back.
    ///
    /// - Parameter rewritesRows: True if rows were changed or deleted without a new `updated_at`.
    static func advance(to version: SemanticVersion, rewritesRows: Bool) -> Call {
        Call(
            advance, .integer(Int32(version.major)), .integer(Int32(version.minor)), .integer(Int32(version.patch)),
            .boolean(rewritesRows))
    }

    /// The time of the next revision, equal in all places of a statement.
    private static let nextTime =
        "greatest(date_trunc('milliseconds', statement_timestamp()), updated_at + interval '1 millisecond')"

    private static let advance = Statement(
        """
        -- name: config_head_advance
        update config_head set
            revision = revision + 1,
            updated_at = \(nextTime),
            has_own_second = date_trunc('second', \(nextTime)) > date_trunc('second', updated_at),
            major = $1, minor = $2, patch = $3,
            rewritten_revision = case when $4 then revision + 1 else rewritten_revision end
        returning \(columns)
        """)
}

extension Head {
    init(_ row: Row) throws(PostgresFailure) {
        lineage = try row.text("lineage")
        revision = try row.bigint("revision")
        updatedAt = try row.timestamp("updated_at")
        version = try SemanticVersion(row)
        oldestRevision = try row.bigint("oldest_revision")
        rewrittenRevision = try row.bigint("rewritten_revision")
        hasOwnSecond = try row.boolean("has_own_second")
    }
}

extension SemanticVersion {
    init(_ row: Row) throws(PostgresFailure) {
        major = try row.integer("major")
        minor = try row.integer("minor")
        patch = try row.integer("patch")
    }
}
