public import AlmanacHTTP
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// A signed-in browser as stored in the database.
public struct Session: Sendable {
    /// The public name of the session: twelve letters and digits.
    public let id: String
    let digest: [UInt8]
    /// The application that the session is for; it is refused at every other host.
    public let application: Application
    let method: SignInMethod
    /// The user's subject, or the label of the session's API token.
    let name: String
    let scopes: [Scope]
    /// The API token that the session was created from. The session ends with the token.
    let tokenID: String?
    /// The signed-in user, or the owner of the API token; nil for a session from a token without an owner, which
    /// earlier releases began.
    let user: VerifiedUser?
    /// True if the session has ended because its person was removed.
    let isOfRemovedPerson: Bool
    let signedInAt: Timestamp
    private(set) var lastUsedAt: Timestamp
    /// The idle limit, in milliseconds.
    private let idle: Int64
    /// The time when the session expires if it stays idle.
    private(set) var expiresAt: Timestamp
    /// The time when the session expires in any case.
    let endsAt: Timestamp

    /// The time after sign-in during which every action is permitted, in minutes.
    static let freshMinutes: Int64 = 10

    /// The time until which every action is permitted.
    var freshUntil: Timestamp { signedInAt.advanced(bySeconds: Self.freshMinutes * 60) }

    /// Records a use, which postpones the session's expiry.
    mutating func use(at now: Timestamp) {
        guard now > lastUsedAt else { return }
        lastUsedAt = now
        expiresAt = min(endsAt, max(expiresAt, Timestamp(milliseconds: now.milliseconds + idle)))
    }

    init(_ row: Row) throws(PostgresFailure) {
        id = try row.text("id")
        digest = try row.bytes("digest")
        application = try row.text("application") == Application.notes.rawValue ? .notes : .console
        method = SignInMethod(rawValue: try row.text("how")) ?? .token
        name = try row.text("name")
        scopes = try row.textArray("scopes").compactMap(Scope.init(rawValue:))
        tokenID = try row.optionalText("token_id")
        if let issuer = try row.optionalText("issuer"), let subject = try row.optionalText("subject") {
            user = VerifiedUser(issuer: issuer, subject: subject)
        } else {
            user = nil
        }
        isOfRemovedPerson = try row.boolean("is_of_removed_person")
        signedInAt = try row.timestamp("signed_in_at")
        lastUsedAt = try row.timestamp("last_used_at")
        idle = try row.bigint("idle_milliseconds")
        expiresAt = try row.timestamp("expires_at")
        endsAt = try row.timestamp("ends_at")
    }
}

/// The credential that a session was created from.
public enum SignInMethod: String, Sendable, CaseIterable {
    /// A pasted token.
    case token
    /// The code of a sign-in link.
    case code
    /// The environment's identity provider.
    case provider
    case passkey
}

extension Application {
    /// The idle limit of a session, in seconds.
    var idleSeconds: Int64 { self == .console ? 2 * 3600 : 14 * 86_400 }

    /// The maximum lifetime of a session, in seconds.
    var maxSessionSeconds: Int64 { self == .console ? 12 * 3600 : 30 * 86_400 }
}

enum SessionStatements {
    private static let columns = """
        s.id, s.digest, s.application, s.how, s.name, s.scopes, s.token_id, s.issuer, s.subject, s.signed_in_at,
        s.last_used_at, (extract(epoch from s.idle) * 1000)::bigint as idle_milliseconds, s.expires_at, s.ends_at
        """

    /// A session that has not ended, or that ended because its person was removed.
    static let find = Statement(
        """
        -- name: session_find
        select \(columns), p.removed_at is not null as is_of_removed_person
        from sessions s left join people p
            on p.issuer = s.issuer and p.subject = s.subject and p.removed_at is not null
        where s.digest = $1 and (s.expires_at > clock_timestamp() or p.removed_at is not null)
        """)

    static let present = Statement(
        """
        -- name: session_present
        select id from sessions where id = any($1) and expires_at > clock_timestamp()
        """)

    /// The newest sessions of all owners, or of one API token or user. Sessions of invalid tokens are omitted.
    static let list = Statement(
        """
        -- name: session_list
        select \(columns), false as is_of_removed_person from sessions s
        where expires_at > clock_timestamp()
            and ($1 or token_id = $2 or issuer = $3 and subject = $4)
            and (token_id is null or exists (
                select from api_tokens t where t.id = s.token_id and t.revoked_at is null
                    and (t.expires_at is null or t.expires_at > clock_timestamp())))
        order by signed_in_at desc, id limit 1000
        """)

    static let begin = Statement(
        """
        -- name: session_begin
        select \(columns), false as is_of_removed_person from begin_session(
            $1, $2, $3, $4, $5, $6, $7, $8, make_interval(secs => $9), $10, $11, $12) s
        """)

    static let end = Statement(
        """
        -- name: session_end
        select end_session($1, $2, $3, $4, $5) as is_ended
        """)

    static let used = Statement(
        """
        -- name: session_used
        update sessions s set last_used_at = greatest(s.last_used_at, u.used_at),
            expires_at = least(s.ends_at, greatest(s.expires_at, u.used_at + s.idle))
        from unnest($1, $2) as u (id, used_at) where s.id = u.id
        """)

    static let removeEnded = Statement(
        """
        -- name: session_remove_ended
        select remove_ended_sessions($1) as removed
        """)

    static let storeCode = Statement(
        """
        -- name: session_make_code
        select make_session_code($1, $2, $3, $4, $5, $6, $7)
        """)

    /// The first use deletes the code, so concurrent uses can't succeed twice.
    static let redeemCode = Statement(
        """
        -- name: session_take_code
        delete from session_codes where digest = $1 and application = $2 and expires_at > clock_timestamp()
        returning token_id, issuer, subject, session_ends_at
        """)

    static let beginLogin = Statement(
        """
        -- name: login_begin
        insert into login_attempts (digest, application, return_to, is_fresh, replaces, expires_at)
        values ($1, $2, $3, $4, $5, $6)
        """)

    /// The first callback deletes the attempt, so concurrent callbacks can't succeed twice.
    static let endLogin = Statement(
        """
        -- name: login_end
        delete from login_attempts where digest = $1 and application = $2 and expires_at > clock_timestamp()
        returning return_to, is_fresh, replaces, began_at
        """)
}

/// The SQL that ends all sessions of a user. Run it in the transaction that erases the account.
public enum SessionErasure {
    public static func call(for user: VerifiedUser) -> Call { Call(erase, .text(user.issuer), .text(user.subject)) }

    private static let erase = Statement(
        """
        -- name: session_erase
        select erase_sessions($1, $2)
        """)
}
