internal import AlmanacPostgreSQL

enum StatusStatements {
    static let database = Statement(
        """
        -- name: status_database
        select current_setting('server_version') as server_version, pg_is_in_recovery() as is_standby,
            pg_database_size(current_database()) as bytes
        """)
}

/// The current status of an environment's database.
struct DatabaseStatus {
    let serverVersion: String
    let isStandby: Bool
    let bytes: Int64

    init(_ row: Row) throws(PostgresFailure) {
        serverVersion = try row.text("server_version")
        isStandby = try row.boolean("is_standby")
        bytes = try row.bigint("bytes")
    }
}
