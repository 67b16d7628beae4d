internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacMaintenance
internal import AlmanacPOSIX

/// The commands `almanac environment add` and `remove`.
enum EnvironmentChanging {
    private static let superuser = Option(
        name: "--superuser", value: "CONNINFO",
        help: "the login of PostgreSQL's superuser, with its password in libpq's password file; "
            + "default: that of deploy/run, then the user postgres of this host")

    static let add = Command(
        name: "environment add",
        summary: "Create an environment: database, roles, schema and its member in the file; then reload.",
        operands: [Operand(name: "NAME")],
        options: [
            Option(
                name: "--like", value: "ENVIRONMENT",
                help: "use the server and the password files of this environment; default: the first",
                completion: .environments),
            Option(
                name: "--database", value: "NAME", help: "the database; default: almanac_ and the environment's name"),
            Option(name: "--existing-database", help: "use an existing database of that name unchanged"),
            Option(
                name: "--config-read", value: "WHO", help: "who may read the config: public or token; default: token",
                completion: .words(EnvironmentSettings.ConfigRead.allCases.map(\.rawValue))),
            Option(name: "--issuer", value: "URL", help: "the OpenID Connect provider of the users; default: no users"),
            Option(name: "--audience", value: "TEXT", help: "the audience that the users' tokens must contain"),
            Option(
                name: "--development-identity",
                help: "accept the tokens of 'almanac token user'; never for real users"),
            superuser, .dryRun, .json,
        ] + Option.host,
        details: """
            Checks everything first. With --dry-run, it then shows each step and ends. If a step fails, the
            earlier steps are undone. The rest of the environments file stays unchanged, byte for byte. For
            hosts set up by deploy/install, and for instances of deploy/run.
            """,
        example: """
            $ almanac environment add production --issuer https://login.example.com/ --audience notes
            $ almanac token create production --scope admin --label laptop --expires-in-days 90
            """
    ) { arguments in
        guard let name = EnvironmentName(arguments.operand("NAME")) else {
            throw UsageFailure(
                "'\(arguments.operand("NAME"))' is not a valid environment name; expected \(EnvironmentName.form)")
        }
        if let reason = name.reservation { throw UsageFailure(reason) }
        var request = EnvironmentAddition.Request(
            name: name, file: arguments.environmentsFile, sql: arguments.sqlFolder)
        request.template = arguments.option("--like")
        request.database = arguments.option("--database")
        request.superuser = arguments.option("--superuser")
        request.usesExistingDatabase = arguments.has("--existing-database")
        request.identity = try identity(arguments)
        if let text = arguments.option("--config-read") {
            guard let configRead = EnvironmentSettings.ConfigRead(rawValue: text) else {
                throw UsageFailure("--config-read must be public or token")
            }
            request.configRead = configRead
        }
        return try make(try EnvironmentAddition(request, by: .hostUser), arguments)
    }

    static let remove = Command(
        name: "environment remove", summary: "Remove an environment from the file, and reload; the database stays.",
        operands: [.environment],
        options: [
            Option(name: "--drop-database", help: "also drop the database with all of its data, and its login"),
            .yes, superuser, .dryRun, .json,
        ] + Option.host,
        details: """
            Checks everything first. With --dry-run, it then shows each step and ends. Without --drop-database,
            no data is lost: 'environment add --existing-database' restores the environment.
            """,
        example: "$ almanac environment remove trial --dry-run"
    ) { arguments in
        let name = try arguments.environment().name.text
        let drops = arguments.has("--drop-database")
        let removal = try EnvironmentRemoval(
            name, in: arguments.environmentsFile, dropsDatabase: drops, superuser: arguments.option("--superuser"),
            by: .hostUser)
        if drops {
            let confirmation = try Confirmation(arguments, "drops the database of '\(name)' with all of its data")
            let question = "Drop the database of \(name) with all of its data? Type the environment's name"
            guard confirmation.isGiven(question, typing: name) else { return .failed }
        }
        return try make(removal, arguments)
    }

    private static func make(_ change: some EnvironmentChange, _ arguments: Arguments) throws -> ExitStatus {
        let isDry = arguments.has(Option.dryRun.name)
        let isText = !arguments.wantsJSON
        if isDry, isText { try Process.output("steps that would run:\n" + change.steps.map { "  \($0)\n" }.joined()) }
        let left = isDry ? [] : try change.run { if isText { try Process.output("done: \($0)\n") } }
        if isText {
            try Process.output(left.map { "still to do: \($0)\n" }.joined())
        } else {
            try Output.json([
                "done": .boolean(!isDry), "steps": .array(change.steps.map { .string($0) }),
                "left": .array(left.map { .string($0) }),
            ])
        }
        return .success
    }

    private static func identity(_ arguments: Arguments) throws(UsageFailure) -> JSONValue? {
        switch (arguments.option("--issuer"), arguments.option("--audience"), arguments.has("--development-identity")) {
        case (nil, nil, false): return nil
        case (nil, nil, true): return ["development": true]
        case (let issuer?, let audience?, false): return ["issuer": .string(issuer), "audience": .string(audience)]
        default:
            throw UsageFailure(
                "expected --issuer with --audience, or only --development-identity, or none of these options")
        }
    }
}
