internal import AlmanacPostgreSQL

/// The row counts and checksums of an environment's database, for comparison with another one.
public struct DatabaseContents: Sendable, Equatable {
    /// A table's rows, regardless of their order.
    public struct Table: Sendable, Equatable {
        public let name: String
        public let rows: Int64
        /// The sum of a hash of every row, which doesn't depend on their order.
        let digest: String
    }

    public let tables: [Table]
    /// The revision of the config; -1 without a config.
    public let revision: Int64
    let lineage: String

    public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }

    /// Reads every row in the snapshot of the connection's transaction.
    init(_ connection: Connection) throws {
        // These settings give equal values the same text in both databases.
        try connection.execute(script: "set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1")
        var tables: [Table] = []
        for (index, row) in try connection.run(BackupStatements.tables).enumerated() {
            let statement = BackupStatements.contents(of: try row.text("quoted"), number: index)
            let contents = try connection.run(statement).single("a table")
            tables.append(
                Table(
                    name: try row.text("name"), rows: try contents.bigint("rows"), digest: try contents.text("digest")))
        }
        self.tables = tables
        guard tables.contains(where: { $0.name == "config_head" }) else {
            throw MaintenanceFailure(
                "the database has no Almanac schema; check that it is the right database, or run almanac migrate")
        }
        let head = try connection.run(BackupStatements.head).first
        revision = try head?.bigint("revision") ?? -1
        lineage = try head?.text("lineage") ?? ""
    }

    /// Describes the first table that differs; nil if none does.
    func difference(from other: DatabaseContents) -> String? {
        if tables.map(\.name) != other.tables.map(\.name) { return "the tables differ" }
        guard let pair = zip(tables, other.tables).first(where: { $0 != $1 }) else { return nil }
        return pair.0.rows == pair.1.rows
            ? "rows of \(pair.0.name) have other values"
            : "\(pair.0.name) has \(pair.1.rows) rows instead of \(pair.0.rows)"
    }
}
