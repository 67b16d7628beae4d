public import AlmanacEnvironments
public import AlmanacIdentity
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// Putting a backup in the place of what is in an environment's database.
public struct Restore: Sendable {
    /// The state of the database afterwards.
    public struct Outcome: Sendable {
        public let rows: Int64
        public let revision: Int64
        public let lineage: String
        /// Whether `almanac migrate` is to be run before workers can use the database.
        public let needsMigration: Bool
    }

    private let environment: EnvironmentSettings
    private let author: Author
    private let progress: @Sendable (String, Int) -> Void

    /// - Parameters:
    ///   - author: who restores, for the audit log.
    ///   - progress: is given the step that is being done, and how many bytes of it are.
    public init(
        _ environment: EnvironmentSettings, by author: Author, progress: @escaping @Sendable (String, Int) -> Void
    ) {
        self.environment = environment
        self.author = author
        self.progress = progress
    }

    /// Replaces everything in the database, all at once or not at all.
    ///
    /// - Parameter keepsLineage: the backup has every revision that a client has seen, so they may go on as if nothing
    ///   had been. Where the database itself knows better it is refused. Otherwise the lineage is renewed.
    public func read(_ path: String, keepsLineage: Bool) throws -> Outcome {
        guard try File.exists(path) else { throw MaintenanceFailure("there is no file \(path)") }
        let script = try DraftFile.unnamed()
        try script.write(BackupStatements.seize)
        try script.write(BackupStatements.rememberAudit)
        if keepsLineage { try script.write(BackupStatements.remember) }
        try script.write(BackupStatements.clear)
        progress("reading", 0)
        var pending: [UInt8] = []
        var total = 0
        let found = try CopiedRows(archive: path) { line in
            pending += line
            if pending.count > 1 << 20 {
                total += pending.count
                try script.write(pending)
                pending.removeAll(keepingCapacity: true)
                progress("reading", total)
            }
        }
        guard found.counts["config_head"] == 1 else {
            throw MaintenanceFailure("\(path) is a backup, but not of an environment of Almanac")
        }
        try script.write(pending)
        if keepsLineage { try script.write(BackupStatements.refuseLoss) }
        try script.write(BackupStatements.setLineage(isKept: keepsLineage))
        try script.write(BackupStatements.keepAudit(by: author))
        try script.write(BackupStatements.announce)
        script.rewind()
        let connection = try Connection(environment.owner)
        try run(script, as: connection)
        return try outcome(connection, found)
    }

    private func run(_ script: DraftFile, as connection: Connection) throws {
        progress("writing", script.size)
        let (output, errors) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        let program = try PostgresProgram("psql", as: connection)
        // psql takes the login as a word, and would read the service's name from nothing else.
        let child = try program.start(
            [
                "--no-psqlrc", "--quiet", "--no-password", "--single-transaction", "--set=ON_ERROR_STOP=1",
                PostgresProgram.database, "--file=-",
            ], input: script, output: output, errors: errors)
        try program.check(child.wait(), String(decoding: errors.contents(), as: UTF8.self))
    }

    private func outcome(_ connection: Connection, _ found: CopiedRows) throws -> Outcome {
        let contents = try connection.transaction(.snapshot) { try DatabaseContents($0) }
        // Workers write as soon as the restored tables are there, so there may be more rows than in the backup.
        if let table = contents.tables.first(where: {
            $0.name.hasPrefix("config_") && $0.rows < found.counts[$0.name] ?? 0
        }) {
            throw MaintenanceFailure("rows of \(table.name) are missing after the restore")
        }
        let needsMigration = (try? Schema.check(connection)) == nil
        return Outcome(
            rows: contents.rows, revision: contents.revision, lineage: contents.lineage, needsMigration: needsMigration)
    }
}
