internal import AlmanacClient
internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac invite`, on the host's database or as an administrator of a server.
enum InviteCommand {
    static let all = [
        Command(
            name: "invite", summary: "Print a link by which a person joins an environment with a passkey.",
            operands: [.environment],
            options: [
                Option(name: "--name", value: "NAME", help: "the person's name, in 1 to 100 characters"),
                PeopleCommands.role,
                Option(
                    name: "--person", value: "USER",
                    help: "the subject of a person who gets a new passkey and is admitted again"),
                Option(
                    name: "--person-issuer", value: "URL",
                    help: "the issuer of --person, if several have the subject"),
                .json,
            ] + Option.host + Option.serverOfSeveral,
            details: """
                The link opens the console, works once, and ends after 24 hours. A ceremony that fails leaves it
                valid. For a person who has lost their passkey, give --person instead of --name.

                With --url or --profile, the server makes the invitation, which needs a token with the scope admin.
                Otherwise the command uses the database of the environments file, on the host.
                """,
            example: """
                $ almanac invite production --name Ada --role editor
                https://console.example.com/#/production/invitation/pQ3…
                $ almanac invite production --person xE4…
                $ almanac invite production --name Ada --role editor --url https://almanac.example.com
                """, run: invite)
    ]

    private static func invite(_ arguments: Arguments) throws -> ExitStatus {
        let isRemote = arguments.has("--url") || arguments.has("--profile")
        let made = try isRemote ? inviteByServer(arguments) : inviteOnHost(arguments)
        if arguments.wantsJSON {
            try Output.json(.object(JSONObject(members.map { ($0, made[$0] ?? .null) })))
        } else {
            try Process.output((made["link"]?.stringValue ?? "") + "\n")
        }
        return .success
    }

    /// The members of the printed JSON.
    private static let members = ["id", "name", "role", "link", "expires_at"]

    private static func inviteByServer(_ arguments: Arguments) throws -> JSONObject {
        let profile = try Settings.profile(named: arguments.operand("ENVIRONMENT"), arguments)
        let remote = try arguments.remote(profile, writes: true)
        let known = try arguments.option("--person").map { try person($0, of: remote, arguments) }
        let (name, role) = try nameAndRole(
            arguments, name: known?["name"]?.stringValue,
            role: known?["role"]?.stringValue.flatMap(Role.init(rawValue:)))
        var members: [(String, JSONValue)] = [("name", .string(name.text)), ("role", .string(role.rawValue))]
        if let id = known?["id"] { members.append(("person", id)) }
        return try remote.invite(JSONObject(members))
    }

    /// Returns the person whose subject `--person` gives, from the server.
    private static func person(
        _ subject: String, of remote: RemoteEnvironment, _ arguments: Arguments
    ) throws -> JSONObject {
        let issuer = arguments.option("--person-issuer")
        let found = try remote.people().filter { person in
            person["subject"] == .string(subject) && issuer.map { person["issuer"] == .string($0) } != false
        }
        guard let person = found.first else { throw CallFailure(noPerson: subject, in: remote.name) }
        guard found.count == 1 else {
            throw UsageFailure(severalIssuers: found.compactMap { $0["issuer"]?.stringValue }, of: subject)
        }
        return person
    }

    private static func nameAndRole(
        _ arguments: Arguments, name: String?, role: Role?
    ) throws(UsageFailure) -> (PersonName, Role) {
        guard let role = try arguments.role() ?? role else {
            throw UsageFailure("--role is missing; expected \(Role.names)")
        }
        guard let name = (arguments.option("--name") ?? name).flatMap({ PersonName($0) }) else {
            throw UsageFailure("--name must be the person's name, in 1 to 100 characters")
        }
        return (name, role)
    }

    private static func inviteOnHost(_ arguments: Arguments) throws -> JSONObject {
        let host = try PeopleHost(arguments)
        let environment = host.environment
        guard let origin = environment.consoleOrigin.map(ConsoleOrigin.init) else {
            throw CommandFailure(
                description: "environment '\(environment.name)' does not name the console's address; add "
                    + #""console": {"origin": "https://console.example.com"} to the environments file"#)
        }
        let person =
            arguments.option("--person") == nil
            ? nil : try host.person(arguments, option: "--person", issuer: "--person-issuer")
        let (name, role) = try nameAndRole(arguments, name: person?.name, role: person?.role)
        let made = try InvitationAdministration(host.connection, by: .hostUser).create(
            name: name, role: role, person: person?.id, origin: origin)
        guard let (secret, record) = made else {
            throw CommandFailure(
                description: "'\(TextTable.line(person?.user.subject ?? ""))' has no passkeys of \(origin.text), so a "
                    + "new one can't be added; invite with --name")
        }
        return JSONObject([
            ("id", .string(record.id)), ("name", .string(name.text)), ("role", .string(role.rawValue)),
            ("link", .string(origin.link(environment: environment.name.text, secret: secret))),
            ("expires_at", .string("\(record.expiresAt)")),
        ])
    }
}
