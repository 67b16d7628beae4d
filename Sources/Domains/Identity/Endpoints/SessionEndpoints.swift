internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The endpoints of sessions, except the sign-in at the identity provider.
enum SessionEndpoints {
    /// `GET /{environment}/session`: the caller's name, scopes and expiry.
    static func show(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        guard let caller = try context.authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try request.target.query.allow()
        try request.accepts("application/json")
        return .uncached(JSONWriter.object { $0.members(of: caller, context.person(of: caller)) })
    }

    /// `POST /{environment}/session`: signs the browser in with a token, or with the code of a sign-in link.
    static func begin(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let application = try ownPage(request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        let object = try request.json(limits).members(["token", "code", "replaces"])
        if object.members.count == 1, let token = object["token"]?.stringValue {
            return try context.signIns.counting(.token) {
                let owner = try owner(try context.caller(pasted: token), at: application, context)
                return try begin(request, application, .token, context, mayReplace: true) { _ in owner }
            }
        }
        guard object["token"] == nil, let text = object["code"]?.stringValue,
            let mayReplace = (object["replaces"] ?? false).boolValue
        else {
            throw Problem(
                .invalidValue,
                "expected either 'token' or the 'code' of a link as a text; 'replaces': true ends another session")
        }
        return try context.signIns.counting(.code) {
            guard let code = SessionSecret(text) else { throw codeRefused }
            return try begin(request, application, .code, context, mayReplace: mayReplace) { sessions in
                guard let owner = try sessions.redeemCode(code, at: application) else { throw codeRefused }
                return owner
            }
        }
    }

    /// The limits of the request body, whose longest value is a token.
    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.bytes = 16 << 10
        limits.depth = 2
        return limits
    }()

    private static var codeRefused: Problem {
        Problem(
            .signInExpired,
            "the code belongs to other pages, was used before, or is older than \(codeMinutes) minutes; "
                + "request another code")
    }

    /// The lifetime of a code, in minutes.
    private static let codeMinutes: Int64 = 10

    /// Returns the application whose page sends a request. Throws if another site may have caused the request.
    static func ownPage(_ request: Request) throws(Problem) -> Application {
        guard let application = request.application else {
            throw Problem(.notFound, "sessions can be created only at the hosts of the console and of the notes pages")
        }
        guard request.isFromOwnPage, request.headers["Almanac-Session"] == "1" else {
            throw Problem(
                .invalidHeader,
                "only the pages themselves may sign in; send Sec-Fetch-Site: same-origin and Almanac-Session: 1")
        }
        return application
    }

    /// Returns the owner of a new session: an operator at the console, a user at the notes pages.
    private static func owner(
        _ caller: Caller, at application: Application, _ context: IdentityContext
    ) throws(Problem) -> SessionAdministration.Owner {
        switch (application, caller.tokenID) {
        case (.console, let id?):
            // A token that only evaluates flags is embedded in apps, and must not open the console.
            guard caller.scopes.contains(where: { $0.includes(.configRead) }) else {
                throw Problem(.scopeTooSmall, "a session at the console needs a token with the scope config:read")
            }
            try checkOwner(ofTokenID: id, context)
            return .token(id: id)
        case (.console, nil):
            throw Problem(
                .scopeTooSmall, "a user's access token cannot open a session at the console; send an API token")
        case (.notes, nil):
            return .user(try context.authenticator.user(of: caller), scopes: [], until: caller.expiresAt)
        case (.notes, _?):
            throw Problem(.scopeTooSmall, "an API token cannot open a session at the notes pages; send a user's token")
        }
    }

    /// Throws if a token has no present owner, because a session acts as a person.
    private static func checkOwner(ofTokenID id: String, _ context: IdentityContext) throws(Problem) {
        guard context.tokens.presentOwner(ofTokenID: id) == nil else { return }
        let owner = context.tokens.owner(ofTokenID: id) == nil ? "has no owner" : "has an owner who was removed"
        throw Problem(
            .ownerNeeded,
            "this token \(owner), so it opens no session; on the host, run: almanac token set "
                + "\(context.settings.name) \(id) --owner NAME --owner-name 'Full name'")
    }

    /// Begins a session that replaces the browser's current one.
    ///
    /// - Parameter mayReplace: allows ending another user's session. Anyone can send a link, so the user must agree.
    private static func begin(
        _ request: Request, _ application: Application, _ method: SignInMethod, _ context: IdentityContext,
        mayReplace: Bool, _ owner: (SessionAdministration) throws -> SessionAdministration.Owner
    ) throws -> Response {
        let before = try context.sessions.presented(by: request)
        let replaced = before?.id
        let secret = SessionSecret(context.random(32))
        // A lookup may read the token from the database, so it precedes the use of a connection.
        let present = before.flatMap { context.sessions.caller($0) == nil ? nil : $0 }
        let session: Session
        do {
            session = try context.pool.withConnection { connection in
                try connection.transaction { connection in
                    let sessions = SessionAdministration(connection)
                    let owner = try owner(sessions)
                    let session = try sessions.begin(
                        secret, of: owner, at: application, method, now: context.sessions.now, replacing: replaced)
                    // An error rolls the transaction back, so that a code stays valid.
                    guard let session else { throw RefusedOwner(owner: owner) }
                    if !mayReplace, let present, present.application == application,
                        !session.isOfSameOwner(as: present)
                    {
                        throw sessionWouldEnd(present, by: session)
                    }
                    return session
                }
            }
        } catch let refused as RefusedOwner {
            // A code may be older than the removal of the owner.
            if case .token(let id) = refused.owner { try checkOwner(ofTokenID: id, context) }
            throw Problem.tokenRefused("the token has expired or has been revoked")
        }
        if let replaced { context.sessions.forget([replaced]) }
        guard let caller = context.caller(of: session) else {
            throw Problem.tokenRefused("the token has expired or has been revoked")
        }
        var response = Response.uncached(
            status: 201, JSONWriter.object { $0.members(of: caller, context.person(of: caller)) })
        response.headers.append(context.cookie(secret, of: caller))
        return response
    }

    /// The owner of a session that the database refused to begin.
    private struct RefusedOwner: Error {
        let owner: SessionAdministration.Owner
    }

    private static func sessionWouldEnd(_ before: Session, by session: Session) -> Problem {
        Problem(
            .sessionWouldEnd,
            "\(before.name) is signed in, and the code would sign in \(session.name); "
                + "ask the user, then send 'replaces': true",
            members: [("signed_in", before.owner), ("would_be", session.owner)])
    }

    /// `DELETE /{environment}/session`: signs the browser out.
    static func end(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let cookie = SessionCookie(sessionOf: context.settings.name)
        guard request.takesCookies else { throw notSignedIn }
        if case .nothing = cookie.find(in: request) { throw notSignedIn }
        try request.target.query.allow()
        if let session = try context.sessions.presented(by: request), session.application == request.application {
            let author = Author(session.name, session.kind, tokenID: session.tokenID)
            _ = try context.pool.withConnection { connection in
                try SessionAdministration(connection).end(id: session.id, .signedOut, by: author)
            }
            context.sessions.forget([session.id])
        }
        return Response(status: 204, headers: [("Cache-Control", "no-store"), clearCache, cookie.clearing])
    }

    /// The header that removes cached immutable responses before another user signs in (W3C Clear Site Data).
    private static let clearCache = ("Clear-Site-Data", "\"cache\"")

    private static var notSignedIn: Problem {
        Problem(
            .tokenNeeded,
            "nobody is signed in; the cookie is accepted only with Almanac-Session: 1, from the pages' own host",
            headers: [("WWW-Authenticate", "Bearer realm=\"almanac\"")])
    }

    /// `POST /{environment}/session/link`: creates a code that signs a browser in once, with the caller's token.
    static func link(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        // Requires a token, because a session must not create another one that outlives it.
        guard let authorization = request.headers["Authorization"] else { throw Authenticator.tokenNeeded }
        let caller = try context.authenticator.caller(authorization: authorization)
        try request.target.query.allow()
        try request.accepts("application/json")
        let application: Application = caller.tokenID == nil ? .notes : .console
        let owner = try owner(caller, at: application, context)
        let code = SessionSecret(context.random(32))
        let end = context.sessions.now.advanced(bySeconds: codeMinutes * 60)
        try context.pool.withConnection { connection in
            try SessionAdministration(connection).storeCode(code, of: owner, at: application, until: end)
        }
        return .uncached(
            status: 201,
            JSONWriter.object { writer in
                writer.member("code", code.text)
                writer.member("application", application.rawValue)
                writer.member("expires_at", "\(end)")
            })
    }

    /// `GET /{environment}/sessions`: the caller's own sessions, or all of them for an administrator.
    static func list(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        guard let caller = try context.authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try request.target.query.allow()
        try request.accepts("application/json")
        try context.sessions.recordUses()
        let sessions = try context.pool.withConnection { connection in
            try SessionAdministration(connection).list(of: caller, all: caller.isAdministrator)
        }
        var writer = JSONWriter()
        writer.array { writer in
            for session in sessions {
                writer.object { writer in
                    writer.member("id", session.id)
                    writer.member("name", session.name)
                    writer.member("kind", session.kind.rawValue)
                    writer.member("how", session.method.rawValue)
                    writer.member("application", session.application.rawValue)
                    writer.member("scopes", session.scopes.map(\.rawValue))
                    writer.member("signed_in_at", "\(session.signedInAt)")
                    writer.member("last_used_at", "\(session.lastUsedAt)")
                    writer.member("expires_at", "\(session.expiresAt)")
                    writer.member("current", session.id == caller.session?.id)
                    let person = session.application == .console ? session.user : nil
                    writer.member("person", value: person.flatMap(context.sessions.people.cachedPerson)?.brief ?? .null)
                }
            }
        }
        return .uncached(writer.bytes)
    }

    /// `DELETE /{environment}/sessions/{id}`: ends a session that `list` shows.
    static func revoke(_ request: Request, _ captures: Captures, _ context: IdentityContext) throws -> Response {
        guard let caller = try context.authenticator.caller(of: request) else { throw Authenticator.tokenNeeded }
        try request.target.query.allow()
        let id = captures["id"]
        let isEnded = try context.pool.withConnection { connection in
            let sessions = SessionAdministration(connection)
            guard try caller.isAdministrator || sessions.list(of: caller, all: false).contains(where: { $0.id == id })
            else { return false }
            return try sessions.end(id: id, .revoked, by: caller.author)
        }
        guard isEnded else {
            throw Problem(.sessionNotFound, "you have no session with this id; GET sessions lists them")
        }
        context.sessions.forget([id])
        var response = Response(status: 204, headers: [("Cache-Control", "no-store")])
        if id == caller.session?.id {
            response.headers += [clearCache, SessionCookie(sessionOf: context.settings.name).clearing]
        }
        return response
    }
}

extension Session {
    fileprivate var kind: Author.Kind { user == nil ? .token : .user }

    /// The owner, in the form of `GET /{environment}/session`.
    fileprivate var owner: JSONValue {
        var members = [("name", JSONValue.string(name)), ("kind", .string(kind.rawValue))]
        if let tokenID { members.append(("token_id", .string(tokenID))) }
        return .object(JSONObject(members))
    }

    fileprivate func isOfSameOwner(as other: Session) -> Bool {
        guard let user, let theirs = other.user else { return tokenID != nil && tokenID == other.tokenID }
        return user.issuer.hasSameBytes(as: theirs.issuer) && user.subject.hasSameBytes(as: theirs.subject)
    }
}

extension Caller {
    fileprivate var isAdministrator: Bool { scopes.contains { $0.includes(.admin) } }
}

extension IdentityContext {
    /// Returns the bearer of a token that a person pasted.
    fileprivate func caller(pasted token: String) throws(Problem) -> Caller {
        // A header can't carry these characters, so the text is no token.
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !token.isEmpty else {
            throw .tokenRefused("the text is not a valid token")
        }
        return try authenticator.caller(authorization: "Bearer \(token)")
    }

    /// Returns the caller of a new session. Its token may have been created too recently to be cached.
    fileprivate func caller(of session: Session) -> Caller? {
        if let caller = sessions.caller(session) { return caller }
        try? tokens.refresh()
        return sessions.caller(session)
    }

    /// Returns the person who acts as a caller; nil for a service account, and for a user without scopes.
    func person(of caller: Caller) -> Person? { caller.person.flatMap(sessions.people.person) }

    /// Returns the header that stores a new session in the browser.
    func cookie(_ secret: SessionSecret, of caller: Caller) -> (name: String, value: String) {
        let end = caller.session?.endsAt ?? sessions.now
        return SessionCookie(sessionOf: settings.name)
            .setting(secret, forSeconds: (end.milliseconds - sessions.now.milliseconds) / 1000)
    }
}

extension JSONWriter {
    /// Writes a caller's name, person, scopes and expiry.
    mutating func members(of caller: Caller, _ person: Person?) {
        member("name", caller.author.name)
        member("kind", caller.author.kind.rawValue)
        if let id = caller.tokenID { member("token_id", id) }
        member("person", value: person?.brief ?? .null)
        member("scopes", caller.scopes.map(\.rawValue))
        member("expires_at", value: caller.expiresAt.map { .string("\($0)") } ?? .null)
        guard let session = caller.session else { return }
        member(
            "session",
            object: { writer in
                writer.member("id", session.id)
                writer.member("application", session.application.rawValue)
                writer.member("signed_in_at", "\(session.signedInAt)")
                writer.member("fresh_until", "\(session.freshUntil)")
                writer.member("expires_at", "\(session.expiresAt)")
                writer.member("last_used_at", "\(session.lastUsedAt)")
            })
    }
}
