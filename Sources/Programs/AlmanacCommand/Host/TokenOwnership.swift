internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// The options that give a token an owner and a purpose.
struct TokenOwnership {
    static let options = [
        Option(name: "--owner", value: "USER", help: "the subject of the person who owns the token"),
        Option(
            name: "--owner-issuer", value: "URL",
            help: "the owner's issuer; default: that of a known person, else the environment's, else 'host'"),
        Option(
            name: "--owner-name", value: "NAME", help: "the owner's name; records a person who has not signed in yet"),
        Option(name: "--purpose", value: "TEXT", help: "a note about the token's use, in at most 200 characters"),
    ]

    static let details = """
        A session that the token opens at the console is its owner's. A token without an owner is a service account: it
        opens no session.
        """

    private let subject: String?
    private let issuer: String?
    private let name: PersonName?
    let purpose: String?

    init(_ arguments: Arguments) throws(UsageFailure) {
        subject = arguments.option("--owner")
        issuer = arguments.option("--owner-issuer")
        name = arguments.option("--owner-name").flatMap { PersonName($0) }
        purpose = arguments.option("--purpose")
        guard name != nil || arguments.option("--owner-name") == nil else {
            throw UsageFailure("--owner-name must have 1 to 100 characters")
        }
        guard subject != nil || issuer == nil && name == nil else {
            throw UsageFailure("--owner is missing; it is the subject of the owner")
        }
        if let subject, !(1...1000).contains(subject.utf8.count) {
            throw UsageFailure("--owner must have 1 to 1000 bytes")
        }
        if let purpose, purpose.unicodeScalars.count > 200 {
            throw UsageFailure("--purpose must have at most 200 characters")
        }
    }

    var hasOwner: Bool { subject != nil }

    /// Returns the owner, and records a new person if the options name one; nil without the option `--owner`.
    func owner(in environment: EnvironmentSettings, on connection: Connection) throws -> VerifiedUser? {
        guard let subject else { return nil }
        let people = PeopleAdministration(connection, by: .hostUser)
        if let person = try people.find(subject: subject, issuer: issuer) {
            guard person.removedAt == nil else {
                throw CommandFailure(
                    description: "'\(TextTable.line(subject))' was removed from '\(environment.name)'; "
                        + "'almanac people admit' undoes it")
            }
            return person.user
        }
        guard let name else {
            throw CommandFailure(
                description: "environment '\(environment.name)' has no person '\(TextTable.line(subject))'; "
                    + "'almanac people list \(environment.name)' shows the people, and --owner-name records a new one")
        }
        let user = VerifiedUser(issuer: issuer ?? environment.ownerIssuer, subject: subject)
        try people.record(user, name: name.text)
        return user
    }
}

extension TokenRecord {
    /// The name of the owner for tables and messages.
    var ownerText: String {
        guard let owner else { return "service account" }
        return TextTable.line(owner.name ?? owner.user.subject) + (owner.removedAt == nil ? "" : " (removed)")
    }
}
