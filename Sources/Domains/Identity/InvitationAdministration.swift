internal import AlmanacCryptography
public import AlmanacForms
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// Creates, lists and revokes invitations. Each change is recorded in the audit log.
public struct InvitationAdministration {
    private let connection: Connection
    private let author: Author
    private let inviter: VerifiedUser?

    /// The lifetime of an invitation, in hours.
    public static let lifetimeHours: Int64 = 24

    /// - Parameter inviter: The person who invites; nil for the bearer of a token without an owner, and on the host. An
    ///   invitation ends when the inviter is no administrator any more.
    public init(_ connection: Connection, by author: Author, inviter: VerifiedUser? = nil) {
        self.connection = connection
        self.author = author
        self.inviter = inviter
    }

    /// Creates an invitation.
    ///
    /// - Parameters:
    ///   - person: The id of a person who gets another passkey; nil for a new person.
    ///   - origin: The origin of the console, whose host the passkey is for.
    /// - Returns: The secret of the link, which is stored nowhere else, with the record; nil if no person with passkeys
    ///   for that host has the id.
    public func create(
        name: PersonName, role: Role, person: String? = nil, origin: ConsoleOrigin
    ) throws(PostgresFailure) -> (secret: String, record: InvitationRecord)? {
        let secret = SessionSecret(RandomBytes.make(count: 32))
        let rows = try connection.run(
            InvitationStatements.make,
            with: [
                .bytes(secret.digest), .text(name.text), .text(role.rawValue), .textArray(role.scopes), .text(person),
                .text(origin.issuer), .text(Base64URL.encode(RandomBytes.make(count: 32))),
                .bigint(Self.lifetimeHours), .text(inviter?.issuer), .text(inviter?.subject),
            ] + AuditStatements.parameters(of: author))
        return try rows.first.map { row throws(PostgresFailure) in (secret.text, try InvitationRecord(row)) }
    }

    /// Returns the open invitations, newest first.
    public func list() throws(PostgresFailure) -> [InvitationRecord] {
        try connection.run(InvitationStatements.open).map { row throws(PostgresFailure) in try InvitationRecord(row) }
    }

    /// Deletes an invitation. Returns false if none that is open has the id.
    public func revoke(id: String) throws(PostgresFailure) -> Bool {
        try connection.run(
            InvitationStatements.revoke, with: [.text(id)] + AuditStatements.parameters(of: author)
        ).single("invitation").boolean("is_revoked")
    }
}

/// An invitation as stored, without its secret.
public struct InvitationRecord: Sendable {
    public let id: String
    /// The name of the invited person; nil once the invitation was accepted.
    public let name: String?
    public let role: String
    /// The id of the person who gets another passkey; nil for a new person.
    public let person: String?
    /// The user handle of the passkey, which is the subject of its person.
    let subject: String
    /// The name of the inviter, or the label of the token or the login name that invited.
    public let createdBy: String
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    let state: State

    enum State {
        case open
        case accepted
        case expired
        /// The inviter is no administrator any more.
        case void
    }

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        name = try row.optionalText("name")
        role = try row.text("role")
        person = try row.optionalText("person_id")
        subject = try row.text("subject")
        createdBy = try row.text("created_by")
        createdAt = try row.timestamp("created_at")
        expiresAt = try row.timestamp("expires_at")
        state =
            if try row.optionalTimestamp("accepted_at") != nil {
                .accepted
            } else if try row.boolean("is_expired") {
                .expired
            } else {
                try row.boolean("has_inviter") ? .open : .void
            }
    }
}

/// The address of the console's pages, without a path, where alone passkeys work.
public struct ConsoleOrigin: Sendable {
    /// The origin: `https://console.example.com:8443`.
    public let text: String
    /// The host without a port, the id of the relying party.
    let host: String

    /// - Parameter text: An origin that starts with `https://`.
    public init(_ text: String) {
        self.text = text
        host = String(text.dropFirst("https://".count).prefix { $0 != ":" })
    }

    /// The issuer of the people who sign in with passkeys.
    public var issuer: String { "passkey:\(host)" }

    /// Returns the link of an invitation. Its secret is in the fragment, which browsers send to no server.
    public func link(environment: String, secret: String) -> String {
        "\(text)/#/\(environment)/invitation/\(secret)"
    }
}

enum InvitationStatements {
    private static let columns = """
        i.id, i.name, i.role, i.person_id, i.subject, i.created_at, i.expires_at, i.accepted_at,
        i.expires_at <= clock_timestamp() as is_expired, has_inviter(i) as has_inviter,
        coalesce((select p.name from people p where p.issuer = i.inviter_issuer and p.subject = i.inviter_subject),
            i.author) as created_by
        """

    static let make = Statement(
        """
        -- name: invitation_make
        select \(columns) from make_invitation(
            $1, $2, $3, $4, $5, $6, $7, make_interval(hours => $8::integer), $9, $10, $11, $12, $13) i
        """)

    static let open = Statement(
        """
        -- name: invitation_open
        select \(columns) from invitations i where i.accepted_at is null and i.expires_at > clock_timestamp()
        order by i.created_at desc, i.id limit 1000
        """)

    static let find = Statement(
        """
        -- name: invitation_find
        select \(columns) from invitations i where i.digest = $1
        """)

    static let revoke = Statement(
        """
        -- name: invitation_revoke
        select revoke_invitation($1, $2, $3, $4) as is_revoked
        """)

    static let accept = Statement(
        """
        -- name: invitation_accept
        select id, issuer, subject, name, scopes from accept_invitation($1, $2, $3)
        """)
}
