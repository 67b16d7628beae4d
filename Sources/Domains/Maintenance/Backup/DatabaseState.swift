public import AlmanacMigrations
internal import AlmanacPostgreSQL
public import AlmanacTimestamps

/// The state of an environment's database or of a backup, as shown to an operator before a restore.
public struct DatabaseState: Sendable, Equatable {
    /// An API token without its secret or hash.
    public struct Token: Sendable, Equatable {
        public let id: String
        public let label: String
        public let isRevoked: Bool
    }

    /// An erasure, or the removal of a person, in the audit log.
    public struct Erasure: Sendable, Hashable {
        /// The action, one of `actions`.
        public let action: String
        /// The word of the erased account or of the purged note's account, the purged key, or the person's id.
        public let subject: String
        /// The details as a JSON object; `note` is the id of the purged note.
        public let details: String
        public let recordedAt: Timestamp

        /// The actions that a restore repeats.
        static let actions = ["account.erase", "note.purge", "config.purge", "person.remove", "person.erase"]

        var isErasure: Bool { Self.actions.contains(action) }
    }

    /// The environment that the database belongs to; nil if none is recorded.
    public internal(set) var environment: String?
    /// The revision of the config.
    public internal(set) var revision: Int64 = 0
    public internal(set) var version = ""
    public internal(set) var lineage = ""
    /// The time of the last config change.
    public internal(set) var changedAt = ""
    /// The state of the schema, compared with this release.
    public internal(set) var schema = SchemaState()
    public internal(set) var accounts: Int64 = 0
    /// The number of changes of notes in all accounts.
    public internal(set) var noteChanges: Int64 = 0
    public internal(set) var tokens: [Token] = []
    /// The erasures, oldest first.
    public internal(set) var erasures: [Erasure] = []

    /// The tables that the state is read from.
    static let tables: Set = ["upkeep", "config_head", "almanac_migrations", "accounts", "api_tokens", "audit_log"]

    init() {}

    /// Reads a row of one of these tables.
    mutating func read(_ row: CopiedRow) {
        switch row.table {
        case "upkeep": environment = row["environment"]
        case "config_head":
            revision = row["revision"].flatMap { Int64($0) } ?? 0
            version = ["major", "minor", "patch"].compactMap { row[$0] }.joined(separator: ".")
            lineage = row["lineage"] ?? ""
            changedAt = row["updated_at"].map(Self.utc) ?? ""
        case "almanac_migrations":
            guard let number = row["number"].flatMap({ Int($0) }) else { return }
            schema.add(number, keeps: row["keeps"].flatMap { Int($0) })
        case "accounts":
            accounts += 1
            noteChanges += row["revision"].flatMap { Int64($0) } ?? 0
        case "audit_log":
            guard let action = row["action"], let subject = row["subject"], let details = row["details"],
                let time = row["recorded_at"].map(Self.utc).flatMap({ Timestamp($0) })
            else { return }
            let line = Erasure(action: action, subject: subject, details: details, recordedAt: time)
            if line.isErasure { erasures.append(line) }
        default:
            guard let id = row["id"], let label = row["label"] else { return }
            tokens.append(Token(id: id, label: label, isRevoked: row["revoked_at"] != nil))
        }
    }

    /// Converts PostgreSQL's text of a time to the usual form: a "T" before the time of day, and "Z" for the zone.
    private static func utc(_ time: String) -> String {
        let text = time.replacing(" ", with: "T")
        return text.hasSuffix("+00") ? text.dropLast(3) + "Z" : text
    }

    /// Reads the current state of a database; nil if it has no schema yet.
    init?(_ connection: Connection) throws {
        guard let head = try Self.rows(BackupStatements.presentHead, on: connection).first else { return nil }
        revision = try head.bigint("revision")
        version = try head.text("version")
        lineage = try head.text("lineage")
        changedAt = try head.text("changed_at")
        environment = try Self.rows(BackupStatements.presentEnvironment, on: connection).first?
            .optionalText("environment")
        if let row = try Self.rows(BackupStatements.presentAccounts, on: connection).first {
            accounts = try row.bigint("accounts")
            noteChanges = try row.bigint("changes")
        }
        tokens = try Self.rows(BackupStatements.presentTokens, on: connection).map { row in
            Token(id: try row.text("id"), label: try row.text("label"), isRevoked: try row.boolean("is_revoked"))
        }
        erasures = try Self.rows(BackupStatements.presentErasures, on: connection).map(Erasure.init)
    }

    /// Returns the rows of a statement, or none if an older schema lacks the table.
    private static func rows(_ statement: Statement, on connection: Connection) throws(PostgresFailure) -> [Row] {
        do { return Array(try connection.run(statement)) } catch {
            guard error.state == .undefinedTable else { throw error }
            return []
        }
    }
}

extension DatabaseState.Erasure {
    init(_ row: Row) throws(PostgresFailure) {
        self.init(
            action: try row.text("action"), subject: try row.text("subject"), details: try row.text("details"),
            recordedAt: try row.timestamp("recorded_at"))
    }
}
