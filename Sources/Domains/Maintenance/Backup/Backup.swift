internal import AlmanacAttachments
internal import AlmanacCryptography
public import AlmanacEnvironments
internal import AlmanacMigrations
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// Writes one environment's database to a file, and verifies that the file can be read back.
public struct Backup: Sendable {
    /// The method by which the file was verified.
    public enum Verification: String, Sendable {
        /// Every row was read from the file and counted.
        case counted
        /// The file was restored into a scratch database, which has the same rows.
        case restored
    }

    /// A written backup.
    public struct Result: Sendable {
        public let contents: DatabaseContents
        /// The size of the file.
        public let bytes: Int
        public let proof: Verification
        /// The number of blobs of attachments that the backup needs.
        public let blobs: Int
        /// The reason why blobs are missing beside the backup; nil if none are.
        public let fault: String?
    }

    private let environment: EnvironmentSettings
    private let scratch: ConnectionSettings?
    private let random: @Sendable () -> UInt64
    private let progress: @Sendable (String, Int) -> Void

    /// - Parameters:
    ///   - scratch: a login that may create databases; nil only counts the rows in the file.
    ///   - random: returns an unpredictable number.
    ///   - progress: receives the current step and the size of the file in bytes.
    public init(
        _ environment: EnvironmentSettings, scratch: ConnectionSettings?,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        progress: @escaping @Sendable (String, Int) -> Void
    ) {
        self.environment = environment
        self.scratch = scratch
        self.random = random
        self.progress = progress
    }

    /// Writes the file in the custom format of `pg_dump`, and copies the blobs of attachments. The file gets its name
    /// only after its verification.
    ///
    /// - Parameter replaces: permits replacing an older file of that name.
    public func write(_ path: String, replaces: Bool) throws -> Result {
        let target = try Self.target(path, replaces: replaces)
        let (file, draft): (DraftFile, String)
        do throws(SystemFailure) { (file, draft) = try DraftFile.named("\(target).") } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        defer { File.remove(draft) }
        let (contents, moment, blobs) = try dump(to: file)
        let proof = try verify(draft, contents, file.size)
        // Another process may have created the file meanwhile.
        if !replaces, try File.exists(target) {
            throw MaintenanceFailure("\(path) was created by another process meanwhile; try again")
        }
        let files = BackupBlobs(besides: target)
        let lock = blobs.isEmpty ? nil : try files.lock()
        let fault = try withExtendedLifetime(lock) {
            let fault = try copy(blobs, to: files, listedIn: BackupBlobs.list(of: target))
            do throws(SystemFailure) { try file.publish(draft, as: target) } catch {
                throw MaintenanceFailure("\(path): \(error)")
            }
            return fault
        }
        try recordBackup(moment)
        return Result(contents: contents, bytes: file.size, proof: proof, blobs: blobs.count, fault: fault)
    }

    /// Copies blobs, and lists their hashes.
    ///
    /// - Returns: the reason why some could not be copied.
    private func copy(
        _ blobs: [BackupBlobs.Source], to files: BackupBlobs, listedIn list: String
    ) throws -> String? {
        guard !blobs.isEmpty else {
            File.remove(list)
            return nil
        }
        var fault: String?
        var missing: [BlobHash] = []
        do {
            missing = try files.add(
                blobs, from: BlobStores(environment)
            ) {
                progress("copying attachments", $0)
            }
        } catch BlobStoreFailure.away(let reason) {
            fault = "the attachments were not copied: \(reason)"
        }
        if !missing.isEmpty {
            // A blob that was removed since the snapshot is no longer needed by any note.
            let rows = try Connection(environment.owner).run(
                BackupStatements.blobsOf, .bytesArray(missing.map(\.bytes)))
            let hashes = try rows.map { Hex.encode(try $0.bytes("hash")) }.sorted()
            if !hashes.isEmpty {
                fault =
                    "the bytes of \(hashes.count) attachments are missing or wrong: "
                    + hashes.prefix(20).joined(separator: ", ") + (hashes.count > 20 ? ", …" : "")
            }
        }
        try files.write(blobs.map(\.hash).filter { !missing.contains($0) }, as: list)
        return fault
    }

    /// Resolves symbolic links, so that the backup replaces their target. Throws if the target is not a file.
    private static func target(_ path: String, replaces: Bool) throws -> String {
        do throws(SystemFailure) {
            let target = try File.target(of: path)
            guard try File.exists(target) else { return target }
            _ = try File.size(target)
            if replaces { return target }
        } catch {
            throw MaintenanceFailure("\(path): \(error)")
        }
        throw MaintenanceFailure("\(path) already exists; give --replace, or another name")
    }

    private func dump(
        to file: DraftFile
    ) throws -> (contents: DatabaseContents, moment: Timestamp, blobs: [BackupBlobs.Source]) {
        let connection = try Connection(environment.owner)
        if try mayWrite(connection) {
            // After a restore of this backup, a fork of the history could no longer be detected.
            try connection.renewForkedLineage()
            try connection.claimDatabase(for: environment.name)
        }
        let errors = try DraftFile.unnamed()
        return try connection.transaction(.snapshot) { connection in
            let row = try connection.run(BackupStatements.exportSnapshot).single("the snapshot")
            let (snapshot, moment) = (try row.text("snapshot"), try row.timestamp("moment"))
            let program = try PostgresProgram("pg_dump", as: connection)
            let child = try program.start(
                [
                    "--format=custom", "--no-password", "--no-unlogged-table-data", "--snapshot=\(snapshot)",
                    PostgresProgram.database,
                ],
                input: try DraftFile.unnamed(), output: file, errors: errors)
            let status = wait(for: child, "writing", file)
            try program.check(status, String(decoding: errors.contents(), as: UTF8.self))
            progress("counting", file.size)
            return (try DatabaseContents(connection), moment, try Self.blobs(connection))
        }
    }

    private static func blobs(_ connection: Connection) throws -> [BackupBlobs.Source] {
        // An older schema has no such table.
        guard try connection.run(BackupStatements.hasBlobs).single("the schema").boolean("has_blobs") else { return [] }
        return try connection.run(BackupStatements.blobs).compactMap { row in
            try BlobHash(bytes: row.bytes("hash")).map { ($0, try row.bigint("bytes"), try row.text("store")) }
        }
    }

    /// Records the backup in the database, so that its age can be monitored. A standby accepts no writes.
    private func recordBackup(_ moment: Timestamp) throws {
        let connection = try Connection(environment.owner)
        if try mayWrite(connection) { try connection.recordBackup(of: moment) }
    }

    /// Returns true if the database is no standby and has the schema of this release.
    private func mayWrite(_ connection: Connection) throws -> Bool {
        guard (try? Schema.check(connection)) != nil else { return false }
        return try connection.run(BackupStatements.isStandby).single("the server").boolean("is_standby") == false
    }

    /// Waits for a program, and reports the progress.
    private func wait(for child: ChildProcess, _ what: String, _ file: DraftFile) -> Int32 {
        let ended = Monitor<Int32?>(nil)
        _ = Thread(name: "wait") {
            let status = child.wait()
            ended.update { $0 = status }
        }
        while true {
            progress(what, file.size)
            if let status = ended.wait(upTo: .milliseconds(250), for: { $0 }) { return status }
        }
    }

    private func verify(_ draft: String, _ contents: DatabaseContents, _ size: Int) throws -> Verification {
        progress("verifying", size)
        guard let scratch else {
            let found = try CopiedRows(archive: draft, line: { _ in })
            if let table = contents.tables.first(where: { found.counts[$0.name] ?? 0 != $0.rows }) {
                throw MaintenanceFailure(
                    "the backup is broken: it has \(found.counts[table.name] ?? 0) rows of \(table.name) instead of "
                        + "\(table.rows)")
            }
            return .counted
        }
        let restored = try ScratchDatabase(scratch, number: random()).contents(ofRestored: draft)
        if let difference = contents.difference(from: restored) {
            throw MaintenanceFailure("the backup is broken: after a test restore, \(difference)")
        }
        return .restored
    }
}
