internal import AlmanacClient
internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The commands that begin with `almanac people`.
enum PeopleCommands {
    private static let subject = Option(
        name: "--subject", value: "USER", help: "the person's subject, as 'people list' shows it")
    private static let issuer = Option(
        name: "--issuer", value: "URL", help: "the person's issuer; needed if several issuers have the subject")

    static let all = [
        Command(
            name: "people list", summary: "List the people of an environment, and what they may do.",
            operands: [.environment], options: [.json] + Option.host,
            details: """
                Shows who has signed in with the scopes of an operator, was invited, or owns a token. Removed people
                come last. Users of notes without a scope are in 'almanac account list'.
                """,
            example: """
                $ almanac people list production
                name  role    from        last seen                 tokens  subject  issuer
                Ada   admin   invitation  2026-01-02T09:00:00.000Z  2       xE4…     passkey:console.example.com
                Bert  viewer  claim       2026-01-01T09:00:00.000Z  0       bert     https://id.example.com/
                """, run: list),
        Command(
            name: "people remove", summary: "Remove a person from an environment, at once.",
            operands: [.environment],
            options: [
                subject, issuer, Option(name: "--erase", help: "also erase the person's name"), .yes, .json,
            ] + Option.host,
            details: """
                Ends the person's sessions and streams, and deletes their passkeys. Every call of the person is
                refused, whatever their provider says, until they are admitted again. The tokens that the person owns
                stay valid as service accounts; the command lists them. The history keeps the subject, and the name
                unless it is erased.
                """,
            example: """
                $ almanac people remove production --subject bert --yes
                Bert is removed
                a token of Bert stays valid: a1b2c3d4 (release job)
                """, run: remove),
        Command(
            name: "people admit", summary: "Admit a removed person again.", operands: [.environment],
            options: [subject, issuer, .json] + Option.host,
            details: """
                A person from an identity provider can sign in again. A person with passkeys needs a new invitation:
                'almanac invite ENVIRONMENT --person SUBJECT', which also admits.
                """,
            example: "$ almanac people admit production --subject bert\nBert is admitted", run: admit),
        Command(
            name: "people role", summary: "Change the role of a person by invitation.", operands: [.environment],
            options: [subject, issuer, role, .json] + Option.host,
            details: """
                Ends the person's sessions, so that the new role counts at once. The roles of people from an identity
                provider come from 'operators' in the environments file.
                """,
            example: "$ almanac people role production --subject xE4… --role editor\nAda is editor", run: setRole),
    ]

    static let role = Option(
        name: "--role", value: "ROLE", help: "viewer, editor, approver or admin",
        completion: .words(Role.allCases.map(\.rawValue)))

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let host = try PeopleHost(arguments)
        let people = try host.people.list()
        if arguments.wantsJSON {
            try Output.json(.array(people.map(host.json)))
            return .success
        }
        let style = OutputStyle.ofOutput
        let rows = people.map { person in
            let scopes = person.scopes.isEmpty ? "-" : person.scopes.map(\.rawValue).joined(separator: " ")
            return [
                TextTable.line(person.name ?? "-"),
                person.removedAt == nil ? person.role?.rawValue ?? scopes : "removed",
                person.source.rawValue, style.time(person.lastSeenAt?.description ?? "never"),
                "\(host.tokens(of: person).count)", TextTable.line(person.user.subject),
                TextTable.line(person.user.issuer),
            ]
        }
        try Process.output(
            TextTable.text(["name", "role", "from", "last seen", "tokens", "subject", "issuer"], rows, style))
        return .success
    }

    private static func remove(_ arguments: Arguments) throws -> ExitStatus {
        let confirmation = try Confirmation(arguments, "removes a person, and ends their sessions")
        let host = try PeopleHost(arguments)
        let person = try host.person(arguments)
        let name = person.shownName
        guard confirmation.isGiven("Remove \(name) from \(host.environment.name)?") else { return .failed }
        let tokens = host.tokens(of: person)
        try report(
            try host.people.remove(id: person.id, erasesName: arguments.has("--erase")), host, arguments,
            "\(name) is removed\n"
                + tokens.map { "a token of \(name) stays valid: \($0.id) (\(TextTable.line($0.label)))\n" }.joined())
        return .success
    }

    private static func admit(_ arguments: Arguments) throws -> ExitStatus {
        let host = try PeopleHost(arguments)
        let person = try host.person(arguments)
        try report(try host.people.admit(id: person.id), host, arguments, "\(person.shownName) is admitted\n")
        return .success
    }

    private static func setRole(_ arguments: Arguments) throws -> ExitStatus {
        guard let role = try arguments.role() else { throw UsageFailure("--role is missing; expected \(Role.names)") }
        let host = try PeopleHost(arguments)
        let person = try host.person(arguments)
        try report(
            try host.people.change(id: person.id, role: role), host, arguments,
            "\(person.shownName) is \(role.rawValue)\n")
        return .success
    }

    /// Prints a changed person as JSON, or a text.
    private static func report(
        _ person: Person?, _ host: PeopleHost, _ arguments: Arguments, _ text: String
    ) throws {
        guard arguments.wantsJSON, let person else { return try Process.output(text) }
        try Output.json(host.json(person))
    }
}

/// The people and the tokens of an environment, in its database.
struct PeopleHost {
    let environment: EnvironmentSettings
    let connection: Connection
    let people: PeopleAdministration
    private let records: [TokenRecord]
    private let now = Timestamp(milliseconds: WallClock.milliseconds)

    init(_ arguments: Arguments) throws {
        environment = try arguments.environment()
        connection = try environment.connectAsOwner()
        people = PeopleAdministration(connection, by: .hostUser)
        records = try TokenAdministration(connection, by: .hostUser).list()
    }

    func json(_ person: Person) -> JSONValue { person.json(tokens: records, now: now) }

    /// Returns the valid tokens that a person owns.
    func tokens(of person: Person) -> [TokenRecord] {
        records.filter { $0.owner?.user == person.user && $0.isValid(at: now) }
    }

    /// Returns the person whose subject and issuer two options give.
    func person(
        _ arguments: Arguments, option: String = "--subject", issuer: String = "--issuer"
    ) throws -> Person {
        guard let subject = arguments.option(option) else {
            throw UsageFailure("\(option) is missing; 'almanac people list \(environment.name)' shows the subjects")
        }
        guard let person = try people.find(subject: subject, issuer: arguments.option(issuer)) else {
            throw CallFailure(noPerson: subject, in: environment.name.text)
        }
        return person
    }
}

extension PeopleAdministration {
    /// Finds a person by the subject, and by the issuer if several issuers have the subject; nil if there is none.
    func find(subject: String, issuer: String?) throws -> Person? {
        if let issuer { return try find(VerifiedUser(issuer: issuer, subject: subject)) }
        let found = try list().filter { $0.user.subject.utf8.elementsEqual(subject.utf8) }
        guard found.count < 2 else {
            throw UsageFailure(severalIssuers: found.map(\.user.issuer), of: subject)
        }
        return found.first
    }
}

extension CallFailure {
    init(noPerson subject: String, in environment: String) {
        self.init(
            notFound: "environment '\(environment)' has no person '\(TextTable.line(subject))'; "
                + "'almanac people list \(environment)' shows the people")
    }
}

extension UsageFailure {
    init(severalIssuers issuers: [String], of subject: String) {
        let names = issuers.map { TextTable.line($0) }.joined(separator: ", ")
        self.init("several issuers have the subject '\(TextTable.line(subject))': \(names); name one")
    }
}

extension Person {
    /// The name for messages; the subject of a person without a name.
    fileprivate var shownName: String { TextTable.line(name ?? user.subject) }
}

extension Role {
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

extension Arguments {
    /// Returns the role given by `--role`; nil without the option.
    func role() throws(UsageFailure) -> Role? {
        guard let text = option("--role") else { return nil }
        guard let role = Role(rawValue: text) else { throw UsageFailure("--role must be one of \(Role.names)") }
        return role
    }
}
