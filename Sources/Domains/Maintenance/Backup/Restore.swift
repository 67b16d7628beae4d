internal import AlmanacAttachments
public import AlmanacEnvironments
public import AlmanacIdentity
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// Replaces the contents of an environment's database with a backup.
public struct Restore: Sendable {
    /// The options of a restore.
    public struct Options: Sendable {
        /// Keeps the lineage, so that clients continue with their cursors; otherwise the lineage is renewed. The
        /// restore fails if the database has newer revisions than the backup.
        public var keepsLineage = false
        /// Permits a backup or a database of another environment.
        public var allowsOtherEnvironment = false
        /// Makes tokens valid again that were revoked since the backup.
        public var revalidatesTokens = false
        /// The files of erasures that neither the database nor the backup knows, as `almanac audit --json` prints them.
        public var erasures: [(path: String, text: String)] = []

        public init() {}
    }

    private let environment: EnvironmentSettings
    private let author: Author
    private let options: Options
    private let progress: @Sendable (String, Int) -> Void

    /// - Parameters:
    ///   - author: the author in the audit log.
    ///   - progress: receives the current step and the bytes done.
    public init(
        _ environment: EnvironmentSettings, by author: Author, _ options: Options = Options(),
        progress: @escaping @Sendable (String, Int) -> Void
    ) {
        self.author = author
        self.environment = environment
        self.options = options
        self.progress = progress
    }

    /// Reads the whole file and checks the database without changing anything.
    public func prepare(_ path: String) throws -> PreparedRestore {
        let script: DraftFile
        do throws(SystemFailure) { script = try DraftFile.unnamed() } catch {
            throw MaintenanceFailure(
                "cannot create a temporary file in \(Process.variable("TMPDIR") ?? "/tmp"): \(error)")
        }
        try script.write(BackupStatements.lockTables)
        try script.write(BackupStatements.copyUpkeep)
        try script.write(BackupStatements.copyAudit)
        if options.keepsLineage { try script.write(BackupStatements.copyRevisions) }
        try script.write(BackupStatements.clear)
        let backup = try copy(path, to: script)
        do { try backup.state.schema.refuseNewer() } catch {
            throw MaintenanceFailure("\(path): in this backup, \(error); the database was not changed")
        }
        let connection = try Connection(environment.owner)
        let present = try DatabaseState(connection)
        if !options.allowsOtherEnvironment { try refuseOtherEnvironment(backup, present, connection) }
        if options.keepsLineage { try script.write(BackupStatements.failOnLoss) }
        try script.write(BackupStatements.setLineage(isKept: options.keepsLineage))
        try script.write(BackupStatements.closePending(for: environment.name))
        if !options.revalidatesTokens { try script.write(BackupStatements.reapplyRevocations) }
        try script.write(BackupStatements.endSessions)
        try script.write(BackupStatements.renewUnused)
        try script.write(BackupStatements.claim(for: environment.name))
        let isOther = present?.environment.map { $0 != backup.state.environment ?? $0 } ?? false
        if isOther, let file = options.erasures.first {
            throw MaintenanceFailure(
                "\(file.path): erasures of one environment can't be repeated in the database of another; leave out "
                    + "--erasures; the database was not changed")
        }
        let listed = try options.erasures.flatMap { try erasures($0, on: connection) }
        for file in options.erasures { try script.write(BackupStatements.addErasures(file.text)) }
        if isOther {
            try script.write(BackupStatements.deletePasskeys)
        } else {
            try script.write(BackupStatements.repeatErasures)
        }
        try script.write(BackupStatements.removeAgain)
        try script.write(BackupStatements.restoreAudit(by: author))
        try script.write(BackupStatements.announce)
        return PreparedRestore(
            backup: backup, present: present,
            losses: try Losses(
                backup.state, present, revalidatesTokens: options.revalidatesTokens,
                repeating: isOther ? [] : (present?.erasures ?? []) + listed, on: connection), script: script,
            blobs: BlobRestore(
                backup: try File.target(of: path),
                stores: BlobStores(environment), connection: connection),
            connection: connection, progress: progress)
    }

    /// Reads the erasures in a file.
    private func erasures(
        _ file: (path: String, text: String), on connection: Connection
    ) throws -> [DatabaseState.Erasure] {
        do throws(PostgresFailure) {
            return try connection.run(BackupStatements.listedErasures, .text(file.text)).map(DatabaseState.Erasure.init)
                .filter(\.isErasure)
        } catch {
            throw MaintenanceFailure(
                "\(file.path): expected the array that 'almanac audit --json' prints; the database was not changed: "
                    + "\(error)")
        }
    }

    private func copy(_ path: String, to script: DraftFile) throws -> BackupFile {
        progress("reading", 0)
        var pending: [UInt8] = []
        var total = 0
        let backup = try BackupFile(path) { line in
            pending += line
            if pending.count > 1 << 20 {
                total += pending.count
                try script.write(pending)
                pending.removeAll(keepingCapacity: true)
                progress("reading", total)
            }
        }
        try script.write(pending)
        return backup
    }

    private func refuseOtherEnvironment(
        _ backup: BackupFile, _ present: DatabaseState?, _ connection: Connection
    ) throws {
        let advice = "check the names, or give --other-environment"
        let name = environment.name.text
        if let other = backup.state.environment, other != name {
            throw MaintenanceFailure("\(backup.path) is a backup of '\(other)', not of '\(name)': \(advice)")
        }
        if let other = present?.environment, other != name {
            throw MaintenanceFailure(
                "the database of '\(name)' in the environments file belongs to '\(other)': \(advice)")
        }
        guard backup.state.environment == nil else { return }
        let database = try connection.run(BackupStatements.databaseName).single("the database").text("name")
        if backup.database != database {
            throw MaintenanceFailure(
                "\(backup.path) names no environment, and its database \(backup.database) is not "
                    + "the database \(database) of '\(name)': \(advice)")
        }
    }
}

/// The data that a restore loses.
public struct Losses: Sendable {
    /// The number of config releases since the backup.
    public let releases: Int64
    /// The number of note changes since the backup.
    public let noteChanges: Int64
    /// The tokens created since the backup, which become invalid.
    public let tokens: [DatabaseState.Token]
    /// The tokens revoked since the backup, which stay revoked unless `revalidatesTokens` is true.
    public let revoked: [DatabaseState.Token]
    /// True if the revoked tokens become valid again.
    public let revalidatesTokens: Bool
    /// The accounts, notes and keys erased since the backup, which are erased again, oldest first. The erasures of
    /// another environment are not repeated.
    public let erasures: [DatabaseState.Erasure]

    init(
        _ backup: DatabaseState, _ present: DatabaseState?, revalidatesTokens: Bool,
        repeating repeated: [DatabaseState.Erasure], on connection: Connection
    ) throws {
        self.revalidatesTokens = revalidatesTokens
        releases =
            present == nil
            ? 0
            : try connection.run(BackupStatements.releasesSince, .text(backup.changedAt)).single("releases")
                .bigint("releases")
        noteChanges = max(0, (present?.noteChanges ?? 0) - backup.noteChanges)
        let valid = Set(backup.tokens.filter { !$0.isRevoked }.map(\.id))
        let known = Set(backup.tokens.map(\.id))
        tokens = (present?.tokens ?? []).filter { !$0.isRevoked && !known.contains($0.id) }
        revoked = (present?.tokens ?? []).filter { $0.isRevoked && valid.contains($0.id) }
        var contained = Set(backup.erasures)
        erasures = repeated.filter { contained.insert($0).inserted }
    }
}
