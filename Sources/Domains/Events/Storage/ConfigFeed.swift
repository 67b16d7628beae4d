internal import AlmanacEnvironments
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The newest state of the config's history.
struct ConfigHead: Sendable, Equatable {
    let lineage: String
    let revision: Int64
    /// The oldest revision from which all later changes are stored.
    let oldestRevision: Int64
    let version: String

    var cursor: Cursor { Cursor(revision: revision, lineage: lineage) }
}

extension ConfigHead {
    init(_ row: Row) throws(PostgresFailure) {
        lineage = try row.text("lineage")
        revision = try row.bigint("revision")
        oldestRevision = try row.bigint("oldest_revision")
        version = "\(try row.integer("major")).\(try row.integer("minor")).\(try row.integer("patch"))"
    }
}

/// The queries for the releases of the config.
enum ConfigFeed {
    /// The maximum number of releases per read.
    static let limit = 200

    static let head = Statement(
        """
        -- name: events_config_head
        select lineage, revision, oldest_revision, major, minor, patch from config_head
        """)

    private static let releases = Statement(
        """
        -- name: events_releases
        select r.revision, r.major, r.minor, r.patch, r.released_at,
            array(select c.key from config_changes c where c.revision = r.revision order by c.key limit $3) as keys,
            array(select c.key from config_changes c where c.revision = r.revision
                and (c.kind = 'value' or c.kind_before = 'value') order by c.key limit $3) as value_keys,
            not exists (select from config_changes c where c.revision = r.revision)
                or exists (select from config_changes c where c.revision = r.revision
                    and (c.kind <> 'value' or c.kind_before <> 'value')) as changes_flags
        from config_releases r where r.revision > $1 order by r.revision limit $2
        """)

    static func head(on connection: Connection) throws(PostgresFailure) -> ConfigHead {
        try ConfigHead(connection.run(head).single("config_head"))
    }

    /// Returns the releases after a revision, oldest first, and the history's head in the same transaction.
    static func read(
        after revision: Int64, on connection: Connection
    ) throws -> (head: ConfigHead, releases: [ReleaseChange]) {
        try connection.view { connection in
            let head = try head(on: connection)
            let rows = try connection.run(
                releases, .bigint(revision), .integer(Int32(limit)), .integer(Int32(ReleaseChange.maxKeys + 1)))
            return (head, try rows.map { try ReleaseChange($0) })
        }
    }
}

extension ReleaseChange {
    init(_ row: Row) throws(PostgresFailure) {
        revision = try row.bigint("revision")
        version = "\(try row.integer("major")).\(try row.integer("minor")).\(try row.integer("patch"))"
        releasedAt = try row.timestamp("released_at")
        let keys = try row.textArray("keys")
        self.keys = keys.count > Self.maxKeys ? nil : keys
        let valueKeys = try row.textArray("value_keys")
        self.valueKeys = valueKeys.count > Self.maxKeys ? nil : valueKeys
        changesFlags = try row.boolean("changes_flags")
    }
}
