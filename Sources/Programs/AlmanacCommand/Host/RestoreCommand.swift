internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacMigrations
internal import AlmanacPOSIX

/// The command `almanac restore`.
enum RestoreCommand {
    static let all = [
        Command(
            name: "restore", summary: "Replace one environment's database with a backup.",
            operands: [.environment, Operand(name: "FILE", completion: .file)],
            options: [
                .yes,
                Option(name: Option.dryRun.name, help: "read the file, show what would be lost, and change nothing"),
                Option(
                    name: "--keep-lineage",
                    help: "keep clients' cursors valid; only for a move to another database, with a backup of "
                        + "every write"),
                Option(
                    name: "--other-environment",
                    help: "allow a backup of another environment, and the database of another environment as the target"
                ),
                Option(
                    name: "--erasures", value: "FILE",
                    help: "also erase again what this output of 'almanac audit --json' lists; for a new host; may be "
                        + "repeated", isRepeated: true, completion: .file),
                Option(name: "--revive-tokens", help: "make tokens that were revoked since the backup valid again"),
                .json,
            ] + Option.host,
            details: """
                The command reads the whole file, shows both revisions and what would be lost, and then asks. One
                transaction replaces all data, or none. Workers may keep running; they wait meanwhile. The database
                must exist, as sql/roles.sql creates it. Tokens are restored as they were in the backup. Tokens that
                were revoked since then are named, and stay revoked. Accounts, notes and keys that were erased since
                then are erased again; --dry-run lists them. On a new host, the database does not know what was
                erased since the backup. Give --erasures with a file that you have saved elsewhere:
                'almanac audit --action account.erase --limit 1000 --json', and likewise note.purge and config.purge.
                The lineage is renewed, so clients that have seen later revisions read everything again. Use
                --keep-lineage only to move to another server or database: stop all writes, make the backup, and
                restore it with --keep-lineage into the new database. Clients then continue where they were. With an
                older backup, such as last night's, --keep-lineage would make clients miss changes, because clients
                would take new changes for changes that they have already seen. If the database itself shows such a
                loss, the command refuses.
                Attachments that the store lacks are copied from the folder 'attachments' beside FILE. Hashes that
                are in neither are named, and the exit status is 1; clients may send those files again.
                """,
            example: """
                $ almanac restore production /var/backups/production.dump
                            the backup                now
                revision    43, version 2.3.1         57, version 2.4.0
                changed     2026-11-21T02:10:00.000Z  2026-11-22T09:00:00.000Z
                accounts    120                       123
                would be lost: 14 releases of the config, 112 changes of notes
                Replace everything in production with /var/backups/production.dump? [y/N] y
                production: 8421 rows, revision 43; the lineage is now 5f0c2b91
                """, run: run)
    ]

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let isTrial = arguments.has(Option.dryRun.name)
        let confirmation = try Confirmation(arguments, "replaces everything in '\(environment.name)'")
        var choices = Restore.Options()
        choices.keepsLineage = arguments.has("--keep-lineage")
        choices.allowsOtherEnvironment = arguments.has("--other-environment")
        choices.revalidatesTokens = arguments.has("--revive-tokens")
        choices.erasures = try arguments.all("--erasures").map { path in
            (path, String(decoding: try InputFile.read(path), as: UTF8.self))
        }
        let progress = Progress()
        let prepared: PreparedRestore
        do {
            defer { progress.end() }
            prepared = try Restore(environment, by: .hostUser, choices, progress: progress.show)
                .prepare(arguments.operand("FILE"))
        }
        for line in prepared.explanation { Process.report(line) }
        if isTrial {
            for line in prepared.erasures { Process.report(line) }
            if arguments.wantsJSON { try Output.json(.object(JSONObject(prepared.json))) }
            return .success
        }
        guard confirmation.isGiven("Replace everything in \(environment.name) with \(prepared.backup.path)?") else {
            return .failed
        }
        let outcome: PreparedRestore.Outcome
        do {
            defer { progress.end() }
            outcome = try prepared.run()
        }
        try report(outcome, of: prepared, environment, arguments, keepsLineage: choices.keepsLineage)
        for hash in outcome.missingBlobs {
            Process.report("attachment \(hash): the bytes are neither in the store nor beside the backup")
        }
        return outcome.missingBlobs.isEmpty ? .success : .failed
    }

    private static func report(
        _ outcome: PreparedRestore.Outcome, of prepared: PreparedRestore, _ environment: EnvironmentSettings,
        _ arguments: Arguments, keepsLineage: Bool
    ) throws {
        guard !arguments.wantsJSON else {
            let result: [(name: String, value: JSONValue)] = [
                ("environment", .string(environment.name.text)), ("rows", .number(JSONNumber(outcome.rows))),
                ("revision", .number(JSONNumber(outcome.revision))), ("lineage", .string(outcome.lineage)),
                ("needs_migration", .boolean(outcome.needsMigration)),
                ("missing_attachments", .array(outcome.missingBlobs.map { .string($0) })),
            ]
            return try Output.json(.object(JSONObject(result + prepared.json)))
        }
        try Process.output(
            "\(environment.name): \(outcome.rows) rows, revision \(outcome.revision); "
                + "the lineage is \(keepsLineage ? "still" : "now") \(outcome.lineage)\n"
                + (outcome.needsMigration
                    ? "The backup has an older schema; run almanac migrate \(environment.name)\n" : ""))
    }
}

extension PreparedRestore {
    /// The lines that compare the backup with the database and name the losses.
    fileprivate var explanation: [String] {
        func state(_ state: DatabaseState?) -> [String] {
            guard let state else { return ["nothing", "", ""] }
            return ["\(state.revision), version \(state.version)", state.changedAt, "\(state.accounts)"]
        }
        let columns = [
            ["", "revision", "changed", "accounts"], ["the backup"] + state(backup.state), ["now"] + state(present),
        ]
        let rows = columns[0].indices.map { row in columns.map { $0[row] } }
        var lines = TextTable.text(rows).split(separator: "\n").map(String.init)
        if let warning = backup.state.schema.warning { lines.append("warning: in the backup, \(warning)") }
        let lost = [
            count(losses.releases, "release", " of the config"), count(losses.noteChanges, "change", " of notes"),
        ].compactMap(\.self)
        lines.append(lost.isEmpty ? "nothing would be lost" : "would be lost: " + lost.joined(separator: ", "))
        if !losses.tokens.isEmpty {
            lines.append("tokens created since the backup, which become invalid: \(names(losses.tokens))")
        }
        if !losses.revoked.isEmpty {
            lines.append(
                losses.revalidatesTokens
                    ? "tokens revoked since the backup, which become valid again: \(names(losses.revoked))"
                    : "tokens revoked since the backup, which stay revoked: \(names(losses.revoked))")
        }
        func number(_ action: String) -> Int { losses.erasures.count { $0.action == action } }
        if number("person.remove") > 0 {
            lines.append("people removed since the backup, who stay removed: \(number("person.remove"))")
        }
        let nouns = [
            ("account.erase", "account"), ("note.purge", "note"), ("config.purge", "key"), ("person.erase", "name"),
        ]
        let erased = nouns.compactMap { (action, noun) in count(Int64(number(action)), noun) }
        if !erased.isEmpty {
            lines.append("erased since the backup, and erased again: \(erased.joined(separator: ", "))")
        }
        return lines
    }

    /// A line for each erasure that is repeated.
    fileprivate var erasures: [String] {
        let rows = losses.erasures.map { ["  \($0.recordedAt)", $0.action, $0.subject, $0.details] }
        return TextTable.text(rows).split(separator: "\n").map(String.init)
    }

    private func count(_ number: Int64, _ noun: String, _ rest: String = "") -> String? {
        number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")\(rest)"
    }

    private func names(_ tokens: [DatabaseState.Token]) -> String {
        tokens.map { "\($0.id) (\(TextTable.line($0.label)))" }.joined(separator: ", ")
    }

    fileprivate var json: [(name: String, value: JSONValue)] {
        func ids(_ tokens: [DatabaseState.Token]) -> JSONValue { .array(tokens.map { .string($0.id) }) }
        let before: JSONValue? = present.map {
            ["revision": .number(JSONNumber($0.revision)), "version": .string($0.version)]
        }
        let lost: JSONValue = [
            "releases": .number(JSONNumber(losses.releases)), "note_changes": .number(JSONNumber(losses.noteChanges)),
            "tokens": ids(losses.tokens),
        ]
        let erased = losses.erasures.map { one -> JSONValue in
            [
                "action": .string(one.action), "subject": .string(one.subject),
                "details": (try? JSONValue(parsing: Array(one.details.utf8))) ?? .null,
                "recorded_at": .string("\(one.recordedAt)"),
            ]
        }
        return [
            ("before", before ?? .null), ("lost", lost), ("revoked_since", ids(losses.revoked)),
            ("erased_again", .array(erased)),
        ]
    }
}
