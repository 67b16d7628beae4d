internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// A restore whose file has been checked. The database is still unchanged.
public struct PreparedRestore {
    public let backup: BackupFile
    /// The state to be replaced; nil if the database is empty.
    public let present: DatabaseState?
    public let losses: Losses
    let script: DraftFile
    let blobs: BlobRestore
    let connection: Connection
    let progress: @Sendable (String, Int) -> Void

    /// The state of the database after the restore.
    public struct Outcome: Sendable {
        public let rows: Int64
        public let revision: Int64
        public let lineage: String
        /// True if `almanac migrate` must run before workers can use the database.
        public let needsMigration: Bool
        /// The hashes of attachments whose bytes are neither in the store nor beside the backup.
        public let missingBlobs: [String]
    }

    /// Replaces the contents of the database in one transaction, and copies the attachments that the store lacks.
    public func run() throws -> Outcome {
        let lock = try blobs.lock()
        return try withExtendedLifetime(lock) { try replace() }
    }

    private func replace() throws -> Outcome {
        progress("copying attachments", 0)
        try blobs.copyListed()
        script.rewind()
        progress("writing", script.size)
        let (output, errors) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        let program = try PostgresProgram("psql", as: connection)
        // psql takes the service's name only as an argument.
        let child = try program.start(
            [
                "--no-psqlrc", "--quiet", "--no-password", "--single-transaction", "--set=ON_ERROR_STOP=1",
                PostgresProgram.database, "--file=-",
            ], input: script, output: output, errors: errors)
        try program.check(child.wait(), String(decoding: errors.contents(), as: UTF8.self))
        return try outcome()
    }

    private func outcome() throws -> Outcome {
        let contents = try connection.transaction(.snapshot) { try DatabaseContents($0) }
        // Workers write as soon as the restored tables exist, so there may be more rows than in the backup.
        if let table = contents.tables.first(where: {
            $0.name.hasPrefix("config_") && $0.rows < backup.rows(of: $0.name)
        }) {
            throw MaintenanceFailure("rows of \(table.name) are missing after the restore")
        }
        let needsMigration = (try? Schema.check(connection)) == nil
        return Outcome(
            rows: contents.rows, revision: contents.revision, lineage: contents.lineage, needsMigration: needsMigration,
            missingBlobs: try blobs.complete())
    }
}
