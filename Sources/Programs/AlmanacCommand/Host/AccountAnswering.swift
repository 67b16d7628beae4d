internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacNotesDomain
internal import AlmanacPOSIX

/// The commands `almanac account list`, `export` and `erase`, by which an operator answers users' requests.
enum AccountAnswering {
    private static let issuer = Option(
        name: "--issuer", value: "URL", help: "the user's issuer, as 'account list' shows it")
    private static let subject = Option(
        name: "--subject", value: "USER", help: "the user's subject, as 'account list' shows it")

    static let all = [
        Command(
            name: "account list", summary: "List the users with notes in an environment, and the quotas that they use.",
            operands: [.environment], options: [issuer, subject, .json] + Option.host,
            details: """
                Shows each user's number of notes, with the trash, and the bytes of present and of past texts. The
                limits are the environment's.
                """,
            example: """
                $ almanac account list production --subject alice
                issuer           subject  notes        bytes              past bytes       changed
                https://id.test  alice    12 of 10000  3204 of 268435456  90 of 268435456  2026-01-02T09:00:00.000Z
                """, run: list),
        Command(
            name: "account export", summary: "Write everything that an environment has of one user's notes, as JSON.",
            operands: [.environment],
            options: [
                issuer, subject,
                Option(
                    name: "--output", value: "FILE", help: "write to this new file, which only you can read",
                    completion: .file), .json,
            ] + Option.host,
            details: """
                For a user who can't sign in any more. Writes what GET /account returns to the user: all notes with
                their history, from one moment. The audit log gets a line without the user's name. The file gets its
                name only when it is complete.
                """,
            example: """
                $ almanac account export production --issuer https://id.example.com/ --subject alice --output alice.json
                """, run: export),
        Command(
            name: "account erase", summary: "Erase one user's account and notes, at once and for good.",
            operands: [.environment], options: [issuer, subject, .yes, .json] + Option.host,
            details: """
                For a user who can't sign in any more. Erases what DELETE /account erases: the notes, their history,
                the actions and the account. It also ends the user's sessions. The audit log gets a line without the
                user's name, by which 'almanac restore' repeats the erasure. Erase the user at the identity provider
                first: a user who still signs in begins a new account. Asks you to type the subject.
                """,
            example: """
                $ almanac account erase production --issuer https://id.example.com/ --subject alice --yes
                the account alice is erased
                """, run: erase),
    ]

    private static func administration(_ environment: EnvironmentSettings) throws -> AccountAdministration {
        AccountAdministration(try environment.connectAsOwner(), by: .hostUser)
    }

    private static func user(_ arguments: Arguments) throws(UsageFailure) -> VerifiedUser {
        guard let issuer = arguments.option(issuer.name), let subject = arguments.option(subject.name) else {
            throw UsageFailure("give --issuer and --subject; 'almanac account list' shows both")
        }
        return VerifiedUser(issuer: issuer, subject: subject)
    }

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let environment = try arguments.environment()
        let limits = environment.limits
        let accounts = try administration(environment).list(
            issuer: arguments.option(issuer.name), subject: arguments.option(subject.name))
        if arguments.wantsJSON {
            try Output.json([
                "accounts": .array(accounts.map(\.json)),
                "limits": [
                    "notes": .number(JSONNumber(limits.notes)),
                    "account_bytes": .number(JSONNumber(limits.accountBytes)),
                    "history_bytes": .number(JSONNumber(limits.historyBytes)),
                ],
            ])
            return .success
        }
        let style = OutputStyle.ofOutput
        let rows = accounts.map { account in
            [
                TextTable.line(account.user.issuer), TextTable.line(account.user.subject),
                "\(account.notes) of \(limits.notes)", "\(account.bytes) of \(limits.accountBytes)",
                "\(account.historyBytes.map(String.init) ?? "?") of \(limits.historyBytes)",
                style.time("\(account.updatedAt)"),
            ]
        }
        try Process.output(
            TextTable.text(["issuer", "subject", "notes", "bytes", "past bytes", "changed"], rows, style))
        return .success
    }

    private static func export(_ arguments: Arguments) throws -> ExitStatus {
        let (environment, user) = (try arguments.environment(), try user(arguments))
        let administration = try administration(environment)
        guard let path = arguments.option("--output") else {
            guard try administration.export(user, { try Process.output($0) }) else { return unknown(user, environment) }
            try Process.output("\n")
            return .success
        }
        guard try !exists(path) else {
            throw CommandFailure(description: "\(path) already exists; give another name")
        }
        let (file, draft) = try draft(path)
        defer { File.remove(draft) }
        guard try administration.export(user, { try file.write($0) }) else { return unknown(user, environment) }
        do throws(SystemFailure) {
            try file.write("\n")
            try file.publish(draft, as: path)
        } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        if arguments.wantsJSON {
            try Output.json(["file": .string(path), "bytes": .number(JSONNumber(file.size))])
        }
        return .success
    }

    private static func exists(_ path: String) throws(CommandFailure) -> Bool {
        do throws(SystemFailure) { return try File.exists(path) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
    }

    private static func draft(_ path: String) throws(CommandFailure) -> (file: DraftFile, path: String) {
        do throws(SystemFailure) { return try DraftFile.named("\(path).") } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
    }

    private static func erase(_ arguments: Arguments) throws -> ExitStatus {
        let (environment, user) = (try arguments.environment(), try user(arguments))
        let confirmation = try Confirmation(arguments, "erases a user's account and all of its notes")
        let subject = TextTable.line(user.subject)
        guard
            confirmation.isGiven(
                "Erase everything of \(subject) in \(environment.name)? Type the subject", typing: user.subject)
        else { return .failed }
        guard try administration(environment).erase(user) else { return unknown(user, environment) }
        if arguments.wantsJSON {
            try Output.json(["issuer": .string(user.issuer), "subject": .string(user.subject), "erased": true])
        } else {
            try Process.output("the account \(subject) is erased\n")
        }
        return .success
    }

    /// Reports that a user has no account.
    private static func unknown(_ user: VerifiedUser, _ environment: EnvironmentSettings) -> ExitStatus {
        Process.report(
            "almanac: environment '\(environment.name)' has no account of '\(TextTable.line(user.subject))' from "
                + "'\(TextTable.line(user.issuer))'; 'almanac account list \(environment.name)' shows the accounts")
        return .notFound
    }
}

extension AccountAdministration.Usage {
    fileprivate var json: JSONValue {
        [
            "issuer": .string(user.issuer), "subject": .string(user.subject), "created_at": .string("\(createdAt)"),
            "updated_at": .string("\(updatedAt)"), "notes": .number(JSONNumber(notes)),
            "bytes": .number(JSONNumber(bytes)),
            "history_bytes": historyBytes.map { .number(JSONNumber($0)) } ?? .null,
        ]
    }
}
