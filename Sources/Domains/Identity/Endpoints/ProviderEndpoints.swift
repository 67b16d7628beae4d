internal import AlmanacCryptography
internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacOpenIDConnect
internal import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The two endpoints of a sign-in at the identity provider. Browsers navigate to them, so errors redirect to a page.
enum ProviderEndpoints {
    /// `GET /{environment}/session/login`: redirects the browser to the provider.
    static func login(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        guard let application = request.application else { throw noPage }
        // A link in a mail must not end a session, so the user confirms the sign-in on a page.
        if request.headers.single("Sec-Fetch-Site") == "none" {
            return redirect(to: "/#/\(context.settings.name)/sign-in")
        }
        // Another site must not start a sign-in without the user's knowledge.
        guard request.isFromOwnPage else {
            throw Problem(
                .invalidHeader, "only the pages themselves may begin a sign-in; expected Sec-Fetch-Site: same-origin")
        }
        try request.target.query.allow("return", "fresh")
        let returnPath = try returnPath(request.target.query["return"] ?? "/\(context.settings.name)")
        let isFresh = try request.target.query.boolean("fresh")
        let redirect = try redirect(of: request, context)
        return try redirectingProblems(context) {
            let flow = try flow(for: application, context)
            let secret = SessionSecret(context.random(32))
            let page = try callingProvider { () throws(SignInFailure) in
                try flow.page(
                    for: CodeFlow.Attempt(secret, redirect: redirect), isFresh: isFresh,
                    claims: application == .console ? context.settings.operators.map(\.name) : nil)
            }
            let replaced = try context.sessions.presented(by: request)?.id
            let end = context.sessions.now.advanced(bySeconds: attemptSeconds)
            try context.pool.withConnection { connection in
                _ = try connection.run(
                    SessionStatements.beginLogin, .bytes(secret.digest), .text(application.rawValue), .text(returnPath),
                    .boolean(isFresh), .text(replaced), .timestamp(end))
            }
            return Self.redirect(
                to: page, SessionCookie(loginAt: context.settings.name).setting(secret, forSeconds: attemptSeconds))
        }
    }

    /// The time that the user may take at the provider, in seconds.
    private static let attemptSeconds: Int64 = 600

    /// `GET /{environment}/session/callback`: completes the sign-in when the browser returns from the provider.
    static func callback(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        guard let application = request.application else { throw noPage }
        let cookie = SessionCookie(loginAt: context.settings.name)
        let query = request.target.query
        let redirect = try redirect(of: request, context)
        return try redirectingProblems(context) {
            try context.signIns.counting(.provider) {
                let flow = try flow(for: application, context)
                // A sign-in started by another browser or site has no such cookie, and leaves this browser's attempt
                // alone.
                guard case .secret(let secret) = cookie.find(in: request), let state = query["state"],
                    constantTimeEquals(Array(state.utf8), Array(secret.derived(for: "state").utf8)),
                    let attempt = try attempt(secret, at: application, context)
                else {
                    throw Problem(
                        .signInExpired,
                        "the sign-in belongs to another browser, has ended or took too long; sign in again")
                }
                guard query["error"] == nil, query["iss"].map({ $0 == context.sessions.issuer }) ?? true,
                    let code = query["code"], (1...4096).contains(code.utf8.count)
                else { throw Problem(.signInRefused, "the identity provider refused the sign-in") }
                let user = try callingProvider { () throws(SignInFailure) in
                    try flow.redeem(
                        code, of: CodeFlow.Attempt(secret, redirect: redirect),
                        authenticatedSince: attempt.isFresh ? attempt.beganAt : nil,
                        claims: application == .console ? context.settings.operators.map(\.name) : [])
                }
                let session = SessionSecret(context.random(32))
                let caller = try begin(session, for: user, at: application, replacing: attempt.replaces, context)
                return Self.redirect(
                    to: "/#\(attempt.returnPath)", context.cookie(session, of: caller), cookie.clearing)
            }
        }
    }

    private static func begin(
        _ secret: SessionSecret, for user: SignedInUser, at application: Application, replacing replaced: String?,
        _ context: IdentityContext
    ) throws -> Caller {
        var scopes: [Scope] = []
        if application == .console {
            scopes = context.settings.operators.scopes(for: user.claims).compactMap(Scope.init(rawValue:))
            guard !scopes.isEmpty else {
                throw Problem(.scopeTooSmall, "this user is not an operator according to the environment's 'operators'")
            }
        }
        let verified = VerifiedUser(issuer: user.issuer, subject: user.subject)
        try context.sessions.people.check(verified)
        let owner = SessionAdministration.Owner.user(verified, name: user.name, scopes: scopes, until: nil)
        let session = try context.pool.withConnection { connection in
            try SessionAdministration(connection).begin(
                secret, of: owner, at: application, .provider, now: context.sessions.now, replacing: replaced)
        }
        if let replaced { context.sessions.forget([replaced]) }
        guard let session, let caller = context.sessions.caller(session) else {
            throw Problem(.signInRefused, "the identity provider's user is not a user of this environment")
        }
        return caller
    }

    private struct Attempt {
        let returnPath: String
        let isFresh: Bool
        let replaces: String?
        let beganAt: Timestamp
    }

    /// Deletes a sign-in attempt and returns it; nil if it was used before or has expired.
    private static func attempt(
        _ secret: SessionSecret, at application: Application, _ context: IdentityContext
    ) throws -> Attempt? {
        try context.pool.withConnection { connection in
            let rows = try connection.run(
                SessionStatements.endLogin, .bytes(secret.digest), .text(application.rawValue))
            return try rows.first.map { row in
                Attempt(
                    returnPath: try row.text("return_to"), isFresh: try row.boolean("is_fresh"),
                    replaces: try row.optionalText("replaces"), beganAt: try row.timestamp("began_at"))
            }
        }
    }

    private static var noPage: Problem {
        Problem(.notFound, "browsers can sign in only at the hosts of the console and of the notes pages")
    }

    private static func flow(for application: Application, _ context: IdentityContext) throws(Problem) -> CodeFlow {
        guard let flow = context.authenticator.codeFlow, application == .notes || !context.settings.operators.isEmpty
        else {
            throw Problem(.signInRefused, "this environment has no identity provider for sign-ins at these pages")
        }
        return flow
    }

    /// Checks the page to return to: a path after `#`, which can't leave the page.
    private static func returnPath(_ text: String) throws(Problem) -> String {
        let others = Array("-._~!$&'()*+,;=:@/?%".utf8)
        let isPlain = text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || others.contains(byte)
        }
        guard isPlain, text.utf8.count <= 500, text.hasPrefix("/"), !text.hasPrefix("//") else {
            throw Problem(
                .invalidParameter,
                "'return' must be a path within the page, such as /development/entries, of at most 500 characters")
        }
        return text
    }

    /// Returns the URL for the return from the provider, on the request's host. The provider checks the host.
    private static func redirect(of request: Request, _ context: IdentityContext) throws(Problem) -> String {
        "https://\(try request.host)/\(context.settings.name)/session/callback"
    }

    private static func callingProvider<Result>(_ ask: () throws(SignInFailure) -> Result) throws(Problem) -> Result {
        do {
            return try ask()
        } catch {
            throw switch error {
            case .unavailable: Problem(.identityProviderAway, "the identity provider sent no usable response")
            case .busy: Problem(.overloaded, "too many sign-ins wait for the identity provider")
            case .refused(let reason): Problem(.signInRefused, reason)
            }
        }
    }

    /// Runs an endpoint, and redirects the browser to the sign-in page if a problem occurs.
    private static func redirectingProblems(_ context: IdentityContext, _ body: () throws -> Response) throws
        -> Response
    {
        let kind: ProblemKind
        do {
            return try body()
        } catch let problem as Problem {
            kind = problem.kind
        } catch is PostgresFailure {
            kind = .databaseAway
        }
        return redirect(to: "/#/\(context.settings.name)/sign-in?problem=\(kind.rawValue)")
    }

    private static func redirect(to place: String, _ cookies: (name: String, value: String)...) -> Response {
        Response(status: 303, headers: [("Location", place), ("Cache-Control", "no-store")] + cookies)
    }
}

extension CodeFlow.Attempt {
    /// Derives every value from the browser's secret, so that only this browser can complete the attempt and the
    /// database stores none of the values.
    fileprivate init(_ secret: SessionSecret, redirect: String) {
        self.init(
            state: secret.derived(for: "state"), nonce: secret.derived(for: "nonce"),
            verifier: secret.derived(for: "verifier"), redirect: redirect)
    }
}

extension Request {
    /// The host of the request in small letters, with its port if that is not the usual one.
    var host: String {
        get throws(Problem) {
            guard let host = headers["Host"], host.utf8.count <= 255,
                host.wholeMatch(of: /[A-Za-z0-9.\-]+(:[0-9]{1,5})?/) != nil
            else { throw Problem(.invalidHeader, "Host must be a host name, optionally with a port") }
            return host.lowercased()
        }
    }
}
