public import AlmanacForms
public import AlmanacJSON
internal import AlmanacPostgreSQL
public import AlmanacTimestamps

/// A person who acts with the scopes of an operator, as stored in the database.
public struct Person: Sendable {
    /// The public name of the person: twelve letters and digits.
    public let id: String
    public let user: VerifiedUser
    /// The name for others; nil if the provider gives none, or if it was erased.
    public let name: String?
    public let source: Source
    /// The scopes at the last sign-in; those of the role for a person by invitation.
    public let scopes: [Scope]
    /// The role; nil if the scopes are those of no role.
    public let role: Role?
    public let firstSeenAt: Timestamp
    /// The last use of a session, an access token or an owned token; nil if there was none.
    public let lastSeenAt: Timestamp?
    /// The time when the person was removed; nil if the person is present.
    public let removedAt: Timestamp?
    public let passkeys: Int64

    /// The origin of a person's scopes.
    public enum Source: String, Sendable {
        /// A claim of the environment's identity provider.
        case claim
        case invitation
        /// A token that the person owns.
        case token
    }

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        user = VerifiedUser(issuer: try row.text("issuer"), subject: try row.text("subject"))
        name = try row.optionalText("name")
        source = Source(rawValue: try row.text("source")) ?? .claim
        scopes = try row.textArray("scopes").compactMap(Scope.init(rawValue:))
        role = try row.optionalText("role").flatMap(Role.init(rawValue:)) ?? Role(permitting: scopes)
        firstSeenAt = try row.timestamp("first_seen_at")
        lastSeenAt = try row.optionalTimestamp("last_seen_at")
        removedAt = try row.optionalTimestamp("removed_at")
        passkeys = try row.bigint("passkeys")
    }

    /// The members that identify the person.
    private var identity: [(String, JSONValue)] {
        [
            ("id", .string(id)), ("issuer", .string(user.issuer)), ("subject", .string(user.subject)),
            ("name", name.map { .string($0) } ?? .null), ("role", role.map { .string($0.rawValue) } ?? .null),
        ]
    }

    /// The person as a part of a session.
    var brief: JSONValue { .object(JSONObject(identity)) }

    /// Returns all about the person, with the valid ones among some tokens that the person owns.
    public func json(tokens: [TokenRecord], now: Timestamp) -> JSONValue {
        func text(_ time: Timestamp?) -> JSONValue { time.map { .string("\($0)") } ?? .null }
        let owned = tokens.filter { $0.owner?.user == user && $0.isValid(at: now) }
        return .object(
            JSONObject(
                identity + [
                    ("source", .string(source.rawValue)), ("scopes", .array(scopes.map { .string($0.rawValue) })),
                    ("first_seen_at", text(firstSeenAt)), ("last_seen_at", text(lastSeenAt)),
                    ("removed_at", text(removedAt)), ("passkeys", .number(JSONNumber(passkeys))),
                    (
                        "tokens",
                        .array(
                            owned.map { token in
                                .object(
                                    JSONObject([
                                        ("id", .string(token.id)), ("label", .string(token.label)),
                                        ("expires_at", text(token.expiresAt)),
                                        ("last_used_at", text(token.lastUsedAt)),
                                    ]))
                            })
                    ),
                ]))
    }
}

extension Role {
    /// Finds the role that permits the same as some scopes; nil if there is none.
    init?(permitting scopes: [Scope]) {
        let role = Role.allCases.first { role in
            let own = role.scopes.compactMap(Scope.init(rawValue:))
            return own.allSatisfy { needed in scopes.contains { $0.includes(needed) } }
                && scopes.allSatisfy { held in own.contains { $0.includes(held) } }
        }
        guard let role else { return nil }
        self = role
    }
}

enum PeopleStatements {
    private static let columns = """
        p.id, p.issuer, p.subject, p.name, p.role, p.source, p.scopes, p.first_seen_at, p.removed_at,
        greatest(p.last_seen_at, (
            select max(t.last_used_at) from api_tokens t
            where t.owner_issuer = p.issuer and t.owner_subject = p.subject)) as last_seen_at,
        (select count(*) from passkeys k where k.person_id = p.id) as passkeys
        """

    /// All people by name, removed people last.
    static let all = Statement(
        """
        -- name: people_all
        select \(columns) from people p
        order by p.removed_at is not null, lower(coalesce(p.name, p.subject)), p.id
        """)

    static let find = Statement(
        """
        -- name: people_find
        select \(columns) from people p where p.issuer = $1 and p.subject = $2
        """)

    static let findID = Statement(
        """
        -- name: people_find_id
        select \(columns) from people p where p.id = $1
        """)

    static let see = Statement(
        """
        -- name: people_see
        select see_people($1, $2, $3, $4, $5, $6)
        """)

    static let remove = Statement(
        """
        -- name: people_remove
        select \(columns) from remove_person($1, $2, $3, $4, $5) p
        """)

    static let admit = Statement(
        """
        -- name: people_admit
        select \(columns) from admit_person($1, $2, $3, $4) p
        """)

    static let change = Statement(
        """
        -- name: people_change
        select \(columns) from change_person($1, $2, $3, $4, $5, $6, $7) p
        """)
}
