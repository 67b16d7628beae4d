public import AlmanacForms
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// Lists, changes, removes and admits people. Each change is recorded in the audit log, and the workers are notified.
public struct PeopleAdministration {
    private let connection: Connection
    private let author: Author

    public init(_ connection: Connection, by author: Author) {
        self.connection = connection
        self.author = author
    }

    /// Returns all people by name, removed people last.
    public func list() throws(PostgresFailure) -> [Person] {
        var people: [Person] = []
        for row in try connection.run(PeopleStatements.all) { people.append(try Person(row)) }
        return people
    }

    public func find(_ user: VerifiedUser) throws(PostgresFailure) -> Person? {
        try person(PeopleStatements.find, [.text(user.issuer), .text(user.subject)])
    }

    public func find(id: String) throws(PostgresFailure) -> Person? {
        try person(PeopleStatements.findID, [.text(id)])
    }

    /// Records a person who has not signed in yet, or the name of a known person.
    public func record(_ user: VerifiedUser, name: String?) throws(PostgresFailure) {
        try connection.run(
            PeopleStatements.see, .textArray([user.issuer]), .textArray([user.subject]), .textArray([name]),
            .textArray([""]), .textArray([Person.Source.token.rawValue]), .timestampArray([nil]))
    }

    /// Removes a person; nil if no person has the id. Removing the person again changes nothing.
    ///
    /// - Parameter erasesName: erases the person's name as well.
    public func remove(id: String, erasesName: Bool = false) throws(PostgresFailure) -> Person? {
        try changed(PeopleStatements.remove, [.text(id), .boolean(erasesName)])
    }

    /// Undoes a removal; nil if no person has the id.
    public func admit(id: String) throws(PostgresFailure) -> Person? {
        try changed(PeopleStatements.admit, [.text(id)])
    }

    /// Changes the name or the role of a person; nil if no person has the id.
    ///
    /// Throws `roleFromProvider` if a role is given for a person who has none by invitation.
    public func change(id: String, name: PersonName? = nil, role: Role? = nil) throws -> Person? {
        guard let person = try find(id: id) else { return nil }
        guard role == nil || person.source == .invitation else { throw PeopleFailure.roleFromProvider }
        return try changed(
            PeopleStatements.change,
            [.text(id), .text(name?.text), .text(role?.rawValue), .textArray(role?.scopes ?? [])])
    }

    /// Runs a change, and notifies the workers of new owners and sessions too.
    private func changed(_ statement: Statement, _ parameters: [Parameter]) throws(PostgresFailure) -> Person? {
        let person = try person(statement, parameters + AuditStatements.parameters(of: author))
        if person != nil { try connection.run(TokenStatements.announce) }
        return person
    }

    private func person(_ statement: Statement, _ parameters: [Parameter]) throws(PostgresFailure) -> Person? {
        try connection.run(statement, with: parameters).first.map { row throws(PostgresFailure) in try Person(row) }
    }
}

/// The reason why people or their tokens are not changed.
public enum PeopleFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The owner of a token is not a person of the environment, or was removed.
    case unknownOwner
    /// The owner is another person than the author.
    case otherOwner
    /// The token belongs to another person than the author.
    case otherToken
    /// The token would have a scope for approvals that the author lacks.
    case approvalScope
    /// The role comes from a claim of the provider, or there is none.
    case roleFromProvider

    public var description: String {
        switch self {
        case .unknownOwner:
            "the owner must be a person of the environment who was not removed; GET people lists them"
        case .otherOwner:
            "nobody makes a token for another person; expected your own person as the owner, or null for a service "
                + "account; 'almanac token' on the host sets any owner"
        case .otherToken:
            "the token belongs to another person, who alone may change or rotate it; set 'owner' to null first, which "
                + "makes it a service account, or revoke the token"
        case .approvalScope:
            "nobody makes or takes over a token with a scope for approvals that they lack; leave out config:approve, "
                + "config:bypass and flags:disable, or use 'almanac token' on the host"
        case .roleFromProvider:
            "only a person by invitation has a role to change; the roles of others come from the identity provider's "
                + "claims by 'operators' in the environments file"
        }
    }
}
