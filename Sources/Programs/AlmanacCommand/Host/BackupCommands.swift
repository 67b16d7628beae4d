internal import AlmanacEnvironments
internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The commands `almanac backup`, `backup inspect` and `backup rotate`.
enum BackupCommands {
    private static let scratch = Option(
        name: "--scratch", value: "CONNINFO",
        help: "test the backup with this login, which may create databases on any server: restore it into a new "
            + "database there, compare every row, and drop the database; put a password into libpq's password file; "
            + "default: $ALMANAC_SCRATCH")

    static let all = [
        Command(
            name: "backup", summary: "Back up one environment's database to a file, and verify the file.",
            operands: [.environment, Operand(name: "FILE", completion: .file)],
            options: [
                scratch, Option(name: "--replace", help: "replace an existing file"), .json,
            ] + Option.host,
            details: """
                Contains the config, notes and tokens at one moment, in the custom format of pg_dump. The server is
                not paused. Only you can read the file (0600). The file gets its name only when it is complete and
                verified: every row in it is counted. With --scratch, it is also restored into a new database, and
                every row compared. The bytes of attachments are copied into the folder 'attachments' beside FILE,
                once for all backups there, and FILE.hashes lists those that this backup needs.
                """,
            example: """
                $ almanac backup production /var/backups/production.dump --scratch 'host=/run/postgresql user=postgres'
                /var/backups/production.dump: 8421 rows, revision 43, 1203311 bytes; verified by a test restore
                """, run: backup),
        Command(
            name: "backup inspect", summary: "Show the contents of a backup.",
            operands: [Operand(name: "FILE", completion: .file)], options: [.json],
            details: """
                Shows the environment, the time of the backup, the revision, the tokens, and the number of rows of
                each table. Reads the whole file, so a truncated file is detected. No database is used.
                """,
            example: """
                $ almanac backup inspect /var/backups/production.dump
                environment  production
                made         2026-11-21 02:15:03 UTC
                revision     43, version 2.3.1
                """, run: inspect),
        Command(
            name: "backup rotate",
            summary: "Add a backup of each environment to a folder, and remove the oldest backups.",
            operands: [Operand(name: "FOLDER", completion: .file)],
            options: [
                Option(
                    name: "--only", value: "ENVIRONMENT", help: "back up only this environment; may be repeated",
                    isRepeated: true, completion: .environments),
                Option(
                    name: "--keep", value: "N", help: "the number of backups to keep of each environment; default: 14"),
                scratch, .json,
            ] + Option.host,
            details: """
                Meant to run every night, from systemd's timer or the backup container. FOLDER has a folder for each
                environment; the files are named after their time. Old backups are removed only after the new one
                was verified, and other files are left alone. Attachments that no backup lists any more are removed.
                If one environment fails, the others are backed up, and the exit status is 1.
                """,
            example: """
                $ almanac backup rotate /var/backups/almanac --keep 30
                /var/backups/almanac/production/production-20261122T021500Z.dump: 8421 rows, revision 43, 1203311 bytes
                """, run: rotate),
    ]

    private static func backup(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let path = arguments.operand("FILE")
        let scratch = try scratchLogin(arguments)
        let progress = Progress()
        let result: Backup.Result
        do {
            defer { progress.end() }
            result = try Backup(environment, scratch: scratch, progress: progress.show).write(
                path, replaces: arguments.has("--replace"))
        }
        if arguments.wantsJSON {
            try Output.json([
                "file": .string(path), "bytes": .number(JSONNumber(result.bytes)),
                "revision": .number(JSONNumber(result.contents.revision)), "verified": .string(result.proof.rawValue),
                "attachments": .number(JSONNumber(result.blobs)),
                "tables": .object(JSONObject(result.contents.tables.map { ($0.name, .number(JSONNumber($0.rows))) })),
            ])
        } else {
            let proof =
                result.proof == .restored
                ? "verified by a test restore" : "verified by counting its rows; --scratch adds a test restore"
            try Process.output("\(line(path, result)); \(proof)\n")
        }
        if let fault = result.fault { Process.report("almanac: \(fault)") }
        return result.fault == nil ? .success : .failed
    }

    private static func line(_ path: String, _ backup: Backup.Result) -> String {
        "\(path): \(backup.contents.rows) rows, revision \(backup.contents.revision), \(backup.bytes) bytes"
            + (backup.blobs == 0 ? "" : ", \(backup.blobs) attachments")
    }

    private static func scratchLogin(_ arguments: Arguments) throws -> ConnectionSettings? {
        guard let conninfo = arguments.option(scratch.name) ?? Process.variable("ALMANAC_SCRATCH") else { return nil }
        let login = ConnectionSettings(conninfo: conninfo)
        do { try login.check() } catch { throw UsageFailure("--scratch: \(error)") }
        // Every user of the host can see a process's command line.
        if conninfo.contains(/password\s*=|:\/\/[^\/@]*:[^\/@]*@/) {
            throw UsageFailure("--scratch contains a password; put the password into libpq's password file instead")
        }
        return login
    }

    private static func inspect(_ arguments: Arguments) throws -> ExitStatus {
        let file = try BackupFile(arguments.operand("FILE"))
        if arguments.wantsJSON {
            try Output.json(file.json)
            return .success
        }
        var rows = [
            ["environment", file.state.environment ?? "unknown"], ["database", file.database], ["made", file.madeAt],
            ["revision", "\(file.state.revision), version \(file.state.version)"], ["changed", file.state.changedAt],
            ["lineage", file.state.lineage], ["migration", "\(file.state.schema.newest)"], ["bytes", "\(file.bytes)"],
        ]
        rows += file.state.tokens.map { ["token", "\($0.id)  \($0.label)\($0.isRevoked ? " (revoked)" : "")"] }
        rows += file.tables.map { ["rows", "\($0.rows)  \($0.name)"] }
        try Process.output(TextTable.text(rows))
        return .success
    }

    private static func rotate(_ arguments: Arguments) throws -> ExitStatus {
        let count = try arguments.number("--keep", in: 1...10_000).flatMap { Int($0) } ?? 14
        let names = arguments.all("--only")
        let environments = try names.isEmpty ? arguments.environments() : names.map { try arguments.environment($0) }
        let scratch = try scratchLogin(arguments)
        var done: [JSONValue] = []
        var status = ExitStatus.success
        for environment in environments {
            let progress = Progress()
            do {
                defer { progress.end() }
                let now = Timestamp(milliseconds: WallClock.milliseconds)
                let result = try BackupFolder(arguments.operand("FOLDER"), of: environment).add(
                    at: now, keeping: count, scratch: scratch, progress: progress.show)
                done.append([
                    "environment": .string(environment.name.text), "file": .string(result.path),
                    "bytes": .number(JSONNumber(result.backup.bytes)),
                    "revision": .number(JSONNumber(result.backup.contents.revision)),
                    "attachments": .number(JSONNumber(result.backup.blobs)),
                    "removed": .array(result.removed.map { .string($0) }),
                ])
                if !arguments.wantsJSON {
                    try Process.output(
                        line(result.path, result.backup) + "\n"
                            + result.removed.map { "\($0) removed\n" }.joined())
                }
                for fault in faults(of: result.backup, keeping: count, in: environment) {
                    Process.report("almanac: environment '\(environment.name)': \(fault)")
                    status = .failed
                }
            } catch {
                Process.report("almanac: environment '\(environment.name)': \(error)")
                status = .failed
            }
        }
        if arguments.wantsJSON { try Output.json(.array(done)) }
        return status
    }

    /// Returns what is wrong with the attachments of a backup that was made.
    private static func faults(
        of backup: Backup.Result, keeping count: Int, in environment: EnvironmentSettings
    ) -> [String] {
        let days = environment.limits.attachmentUnusedDays
        guard backup.blobs > 0, count > days else { return backup.fault.map { [$0] } ?? [] }
        return (backup.fault.map { [$0] } ?? []) + [
            "\(count) nightly backups are kept, but unused attachments only \(days) days; "
                + "set 'attachment_unused_days' to \(count) or more in the environments file, or keep fewer backups"
        ]
    }
}

extension BackupFile {
    fileprivate var json: JSONValue {
        let tokens = state.tokens.map { token -> JSONValue in
            ["id": .string(token.id), "label": .string(token.label), "revoked": .boolean(token.isRevoked)]
        }
        return .object(
            JSONObject([
                ("file", .string(path)), ("bytes", .number(JSONNumber(bytes))), ("made", .string(madeAt)),
                ("database", .string(database)), ("environment", state.environment.map { .string($0) } ?? .null),
                ("revision", .number(JSONNumber(state.revision))), ("version", .string(state.version)),
                ("changed_at", .string(state.changedAt)), ("lineage", .string(state.lineage)),
                ("migration", .number(JSONNumber(state.schema.newest))), ("tokens", .array(tokens)),
                ("tables", .object(JSONObject(tables.map { ($0.name, .number(JSONNumber($0.rows))) }))),
            ]))
    }
}
