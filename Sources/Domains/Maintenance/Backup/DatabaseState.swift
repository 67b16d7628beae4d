internal import AlmanacPostgreSQL

/// How far an environment's database has come, in a backup or now, as far as somebody has to know who replaces it.
public struct DatabaseState: Sendable, Equatable {
    /// An API token, without anything that would open a door.
    public struct Token: Sendable, Equatable {
        public let id: String
        public let label: String
        public let isRevoked: Bool
    }

    /// The environment that it is of; nil where nobody has noted it.
    public internal(set) var environment: String?
    /// That of the config.
    public internal(set) var revision: Int64 = 0
    public internal(set) var version = ""
    public internal(set) var lineage = ""
    /// When the config was last changed.
    public internal(set) var changedAt = ""
    /// The number of the newest migration.
    public internal(set) var migration = 0
    public internal(set) var accounts: Int64 = 0
    /// How often notes were changed, in all accounts together.
    public internal(set) var noteChanges: Int64 = 0
    public internal(set) var tokens: [Token] = []

    /// The tables whose rows tell it.
    static let tables: Set = ["upkeep", "config_head", "almanac_migrations", "accounts", "api_tokens"]

    init() {}

    /// Takes a row of one of these tables.
    mutating func take(_ row: CopiedRow) {
        switch row.table {
        case "upkeep": environment = row["environment"]
        case "config_head":
            revision = row["revision"].flatMap { Int64($0) } ?? 0
            version = ["major", "minor", "patch"].compactMap { row[$0] }.joined(separator: ".")
            lineage = row["lineage"] ?? ""
            changedAt = row["updated_at"].map(Self.utc) ?? ""
        case "almanac_migrations": migration = max(migration, row["number"].flatMap { Int($0) } ?? 0)
        case "accounts":
            accounts += 1
            noteChanges += row["revision"].flatMap { Int64($0) } ?? 0
        default:
            guard let id = row["id"], let label = row["label"] else { return }
            tokens.append(Token(id: id, label: label, isRevoked: row["revoked_at"] != nil))
        }
    }

    /// The written form that all times have: PostgreSQL puts a blank between day and time, and the zone's hours behind.
    private static func utc(_ time: String) -> String {
        let text = time.replacing(" ", with: "T")
        return text.hasSuffix("+00") ? text.dropLast(3) + "Z" : text
    }

    /// The present state of a database; nil where it has no schema yet.
    init?(_ connection: Connection) throws {
        guard let head = try Self.rows(BackupStatements.presentHead, on: connection).first else { return nil }
        revision = try head.bigint("revision")
        version = try head.text("version")
        lineage = try head.text("lineage")
        changedAt = try head.text("changed_at")
        migration = try Self.rows(BackupStatements.presentMigration, on: connection).first?.integer("number") ?? 0
        environment = try Self.rows(BackupStatements.presentEnvironment, on: connection).first?
            .optionalText("environment")
        if let row = try Self.rows(BackupStatements.presentAccounts, on: connection).first {
            accounts = try row.bigint("accounts")
            noteChanges = try row.bigint("changes")
        }
        tokens = try Self.rows(BackupStatements.presentTokens, on: connection).map { row in
            Token(id: try row.text("id"), label: try row.text("label"), isRevoked: try row.boolean("is_revoked"))
        }
    }

    /// The rows of a statement; none where an older schema lacks its table.
    private static func rows(_ statement: Statement, on connection: Connection) throws(PostgresFailure) -> [Row] {
        do { return Array(try connection.run(statement)) } catch {
            guard error.state == .undefinedTable else { throw error }
            return []
        }
    }
}
