internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The command `almanac invite`.
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
                Option(name: "--issuer", value: "URL", help: "the issuer of --person, if several have the subject"),
                .json,
            ] + Option.host,
            details: """
                The link opens the console, works once, and ends after 24 hours. A ceremony that fails leaves it
                valid. For a person who has lost their passkey, give --person instead of --name.
                """,
            example: """
                $ almanac invite production --name Ada --role editor
                https://console.example.com/#/production/invitation/pQ3…
                $ almanac invite production --person xE4…
                """, run: invite)
    ]

    private static func invite(_ arguments: Arguments) throws -> ExitStatus {
        let host = try PeopleHost(arguments)
        let environment = host.environment
        guard let origin = environment.consoleOrigin.map(ConsoleOrigin.init) else {
            throw CommandFailure(
                description: "environment '\(environment.name)' does not name the console's address; add "
                    + #""console": {"origin": "https://console.example.com"} to the environments file"#)
        }
        let person = arguments.option("--person") == nil ? nil : try host.person(arguments, option: "--person")
        guard let role = try arguments.role() ?? person?.role else {
            throw UsageFailure("--role is missing; expected \(Role.names)")
        }
        guard let name = (arguments.option("--name") ?? person?.name).flatMap({ PersonName($0) }) else {
            throw UsageFailure("--name must be the person's name, in 1 to 100 characters")
        }
        let made = try InvitationAdministration(host.connection, by: .hostUser).create(
            name: name, role: role, person: person?.id, origin: origin)
        guard let (secret, record) = made else {
            throw CommandFailure(
                description: "'\(TextTable.line(person?.user.subject ?? ""))' has no passkeys of \(origin.text), so a "
                    + "new one can't be added; invite with --name")
        }
        let link = origin.link(environment: environment.name.text, secret: secret)
        if arguments.wantsJSON {
            try Output.json([
                "id": .string(record.id), "name": .string(name.text), "role": .string(role.rawValue),
                "link": .string(link), "expires_at": .string("\(record.expiresAt)"),
            ])
        } else {
            try Process.output(link + "\n")
        }
        return .success
    }
}
