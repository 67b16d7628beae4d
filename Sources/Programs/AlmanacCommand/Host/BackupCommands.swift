internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// `almanac backup` and `restore`
enum BackupCommands {
    static let all = [
        Command(
            name: "backup", summary: "Write one environment's database to a file, and read it back.",
            operands: [.environment, Operand(name: "FILE", completion: .file)],
            options: [
                Option(
                    name: "--scratch", value: "CONNINFO",
                    help:
                        "a login that may make databases, on any server: "
                        + "the backup is restored into a new database there, compared row by row, "
                        + "and the database is dropped; a password belongs in libpq's password file; "
                        + "else $ALMANAC_SCRATCH"),
                Option(name: "--replace", help: "replace an older file of that name"), .json,
            ] + Option.host,
            details: """
                Config, notes and tokens as they are at one moment, without a pause for anybody, in the custom format of
                pg_dump. The file is for you alone (0600) and gets its name only when it is whole \
                and was read back: every
                row in it is counted; with --scratch it is restored for trial, and every row compared.
                """,
            example: """
                $ almanac backup production /var/backups/production.dump --scratch 'host=/run/postgresql user=postgres'
                /var/backups/production.dump: 8421 rows, revision 43, 1203311 bytes; restored for trial, and the same
                """, run: backup),
        Command(
            name: "restore", summary: "Put a backup in the place of one environment's database.",
            operands: [.environment, Operand(name: "FILE", completion: .file)],
            options: [
                Option(name: "--yes", help: "don't ask before everything in the database is replaced"),
                Option(
                    name: "--keep-lineage",
                    help: "for a move to another database alone: the backup has every write that was acknowledged"),
                .json,
            ] + Option.host,
            details: """
                Everything that is there now is replaced, in one transaction: all of it or nothing. \
                Workers may go on; they
                wait meanwhile. The database must be there, as sql/roles.sql makes it. Tokens come back as they were.

                The lineage is renewed, so clients that have seen later revisions read everything anew. Only a move to
                another server or database may do without: first nobody writes any more, then comes the backup, then
                'restore --keep-lineage' into the new database, and clients go on where they were. After anything else,
                such as last night's backup, clients would take new changes for those that they have seen, and miss
                them. A loss that the database itself shows is refused.
                """,
            example: """
                $ almanac restore production /var/backups/production.dump
                Replace everything in production by /var/backups/production.dump? [y/N] y
                production: 8421 rows, revision 43; the lineage is now 5f0c2b91
                """, run: restore),
    ]

    private static func backup(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let path = arguments.operand("FILE")
        var scratch: ConnectionSettings?
        if let conninfo = arguments.option("--scratch") ?? Process.variable("ALMANAC_SCRATCH") {
            scratch = ConnectionSettings(conninfo: conninfo)
            do { try scratch?.check() } catch { throw UsageFailure("--scratch: \(error)") }
            // Everyone on the host can see the command line of a process.
            if conninfo.contains(/password\s*=|:\/\/[^\/@]*:[^\/@]*@/) {
                throw UsageFailure("--scratch holds a password; put it into libpq's password file instead")
            }
        }
        let progress = Progress()
        let result: (contents: DatabaseContents, bytes: Int, proof: Backup.Proof)
        do {
            defer { progress.end() }
            result = try Backup(environment, scratch: scratch, progress: progress.show).write(
                path, replaces: arguments.has("--replace"))
        }
        if arguments.wantsJSON {
            try Output.json(
                [
                    "file": .string(path), "bytes": .number(JSONNumber(result.bytes)),
                    "revision": .number(JSONNumber(result.contents.revision)),
                    "verified": .string(result.proof.rawValue),
                    "tables": .object(
                        JSONObject(result.contents.tables.map { ($0.name, .number(JSONNumber($0.rows))) })),
                ])
        } else {
            let proof =
                result.proof == .restored
                ? "restored for trial, and the same" : "read back and counted; --scratch also restores it for trial"
            try Process.output(
                "\(path): \(result.contents.rows) rows, revision \(result.contents.revision), \(result.bytes) bytes; "
                    + "\(proof)\n"
            )
        }
        return .done
    }

    private static func restore(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let path = arguments.operand("FILE")
        if !arguments.has("--yes") {
            guard Terminal.isInput, Terminal.isErrors else {
                throw UsageFailure("this replaces everything in '\(environment.name)'; give --yes")
            }
            Terminal.show("Replace everything in \(environment.name) by \(path)? [y/N] ")
            guard ["y", "yes"].contains(readLine()?.lowercased()) else {
                Process.report("nothing was done")
                return .failed
            }
        }
        let progress = Progress()
        let keepsLineage = arguments.has("--keep-lineage")
        let outcome: Restore.Outcome
        do {
            defer { progress.end() }
            outcome = try Restore(environment, by: .atHost, progress: progress.show)
                .read(path, keepsLineage: keepsLineage)
        }
        if arguments.wantsJSON {
            try Output.json(
                [
                    "environment": .string(environment.name.text), "rows": .number(JSONNumber(outcome.rows)),
                    "revision": .number(JSONNumber(outcome.revision)), "lineage": .string(outcome.lineage),
                    "needs_migration": .boolean(outcome.needsMigration),
                ])
        } else {
            try Process.output(
                "\(environment.name): \(outcome.rows) rows, revision \(outcome.revision); "
                    + "the lineage is \(keepsLineage ? "still" : "now") \(outcome.lineage)\n"
                    + (outcome.needsMigration
                        ? "The backup is of an older schema: run almanac migrate \(environment.name)\n" : ""))
        }
        return .done
    }
}
