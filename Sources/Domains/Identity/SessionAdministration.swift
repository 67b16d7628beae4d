internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// Begins, lists and ends sessions on a connection. Run several calls inside one transaction.
struct SessionAdministration {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The owner of a session.
    enum Owner: Sendable {
        /// The owner of the API token with this id; the database knows its owner, scopes and expiry.
        case token(id: String)
        /// A user, with a name for others, scopes for the console and a latest end of the session.
        case user(VerifiedUser, name: String? = nil, scopes: [Scope], until: Timestamp?)
    }

    /// Begins a session; nil if the owner's token is no longer valid or has no owner, or if the person was removed.
    ///
    /// - Parameters:
    ///   - passkey: the id of the passkey that begins the session; nil for another method.
    ///   - replaced: the browser's previous session, which ends.
    func begin(
        _ secret: SessionSecret, of owner: Owner, at application: Application, _ method: SignInMethod,
        passkey: String? = nil, now: Timestamp, replacing replaced: String?
    ) throws(PostgresFailure) -> Session? {
        var end = now.advanced(bySeconds: application.maxSessionSeconds)
        var (personName, scopes) = (String?.none, [Scope]())
        if case .user(_, let name, let theirs, let until) = owner {
            end = min(end, until ?? end)
            (personName, scopes) = (name, theirs)
        }
        let rows = try connection.run(
            SessionStatements.begin,
            with: [.bytes(secret.digest), .text(application.rawValue), .text(method.rawValue)] + owner.parameters + [
                .text(personName), .textArray(scopes.map(\.rawValue)), .bigint(application.idleSeconds),
                .timestamp(end), .text(replaced), .text(passkey),
            ])
        return try rows.first.map { row throws(PostgresFailure) in try Session(row) }
    }

    /// The reason why a session ends.
    enum EndReason: String {
        case signedOut = "session.signed_out"
        case revoked = "session.revoked"
    }

    /// Ends a session and notifies every process. Returns false if there was none.
    func end(id: String, _ reason: EndReason, by author: Author) throws(PostgresFailure) -> Bool {
        try connection.run(
            SessionStatements.end, with: [.text(id), .text(reason.rawValue)] + AuditStatements.parameters(of: author)
        ).single("session").boolean("is_ended")
    }

    /// Returns all sessions, or those with the caller's token or user.
    func list(of caller: Caller, all: Bool) throws(PostgresFailure) -> [Session] {
        let user = caller.user ?? caller.session?.user
        var sessions: [Session] = []
        for row in try connection.run(
            SessionStatements.list, .boolean(all), .text(caller.tokenID), .text(user?.issuer), .text(user?.subject))
        {
            sessions.append(try Session(row))
        }
        return sessions
    }

    /// Stores a code that opens a session once.
    func storeCode(
        _ code: SessionSecret, of owner: Owner, at application: Application, until end: Timestamp
    ) throws(PostgresFailure) {
        var sessionEnd: Timestamp?
        if case .user(_, _, _, let until) = owner { sessionEnd = until }
        try connection.run(
            SessionStatements.storeCode,
            with: [.bytes(code.digest), .text(application.rawValue)] + owner.parameters + [
                .timestamp(sessionEnd), .timestamp(end),
            ])
    }

    /// Deletes a code and returns its owner; nil if it is unknown, used, expired or for another application.
    func redeemCode(_ code: SessionSecret, at application: Application) throws(PostgresFailure) -> Owner? {
        let rows = try connection.run(SessionStatements.redeemCode, .bytes(code.digest), .text(application.rawValue))
        guard let row = rows.first else { return nil }
        if let id = try row.optionalText("token_id") { return .token(id: id) }
        let user = VerifiedUser(issuer: try row.text("issuer"), subject: try row.text("subject"))
        return .user(user, scopes: [], until: try row.optionalTimestamp("session_ends_at"))
    }
}

extension SessionAdministration.Owner {
    /// The parameters for the API token's id, the issuer and the subject.
    fileprivate var parameters: [Parameter] {
        switch self {
        case .token(let id): [.text(id), .text(nil), .text(nil)]
        case .user(let user, _, _, _): [.text(nil), .text(user.issuer), .text(user.subject)]
        }
    }
}
