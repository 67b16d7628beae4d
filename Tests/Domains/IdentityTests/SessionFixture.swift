import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacOpenIDConnect
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacIdentity

/// One environment as a worker serves it to browsers, on a database of its own, without a web server between.
struct SessionFixture: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let tokens: TokenStore
    let sessions: SessionStore
    let context: IdentityContext
    let clock: TestClock
    private let database: TestDatabase

    /// - Parameters:
    ///   - name: also says whose tokens and cookies count.
    ///   - identity: users' tokens are their names with `user-` in front where this is nil.
    init(
        _ name: String = "staging", on database: TestDatabase? = nil, identity: IdentitySettings? = nil,
        configRead: EnvironmentSettings.ConfigRead = .token, signIn: SignInClient? = nil,
        operators: OperatorClaim? = nil
    ) throws {
        let database = try database ?? TestDatabase.current
        let login = database.settings(user: TestDatabase.worker)
        let owner = database.settings(user: TestDatabase.owner)
        settings = EnvironmentSettings(
            name: try #require(EnvironmentName(name)), database: login, owner: owner,
            identity: identity ?? .development(DevelopmentKeyFiles(privateKey: "/nowhere/development.key")),
            configRead: configRead, origins: [], limits: Limits(), signIn: signIn, operators: operators)
        clock = TestClock(milliseconds: WallClock.milliseconds)
        pool = Pool(login, size: 4, waitLimit: .seconds(60))
        tokens = TokenStore(environment: name, pool: pool, clock: clock.server)
        sessions = SessionStore(settings, pool: pool, tokens: tokens, clock: clock.server)
        let issuer = DevelopmentIssuer.name(environment: name)
        let end = Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: 3600)
        let authenticator =
            identity == nil
            ? Authenticator(tokens: tokens, sessions: sessions) { token throws(Problem) in
                guard token.hasPrefix("user-") else { throw Problem(.tokenRefused, "not valid") }
                return Caller(
                    user: VerifiedUser(issuer: issuer, subject: String(token.dropFirst(5))), scopes: [.admin],
                    expiresAt: end)
            } : Authenticator(settings, tokens: tokens, sessions: sessions) { _ in }
        context = IdentityContext(
            settings: settings, pool: pool, tokens: tokens, sessions: sessions, authenticator: authenticator)
        self.database = database
        try tokens.refresh()
    }

    var administration: TokenAdministration {
        get throws { TokenAdministration(try Connection(settings.owner), by: Author("tests", .host)) }
    }

    /// What the superuser sees.
    var observer: Connection { get throws { try Connection(database.settings) } }

    /// Makes an API token that the worker knows.
    func token(_ scopes: Scope..., label: String = "ops", expiresAt: Timestamp? = nil) throws -> (
        text: String, id: String
    ) {
        let (token, record) = try administration.create(
            environment: settings.name.text, label: label, scopes: scopes, expiresAt: expiresAt)
        try tokens.refresh()
        return (token.text, record.id)
    }

    func revoke(_ id: String) throws {
        _ = try administration.revoke(id: id)
        try tokens.refresh()
    }

    /// What a page sends with every request.
    static let page: [(String, String)] = [("Sec-Fetch-Site", "same-origin"), ("Almanac-Session", "1")]

    /// Sends a request as the web server hands it on, and does what it asks for.
    func send(
        _ method: String, _ path: String, _ body: String = "", _ headers: [(String, String)] = page,
        at application: Application? = .console
    ) throws -> SessionAnswer {
        let request = Request(
            method: method, target: try Target(path.hasPrefix("/") ? "/\(settings.name)\(path)" : path),
            headers: Headers(headers.map { (name: $0.0, value: $0.1) }), application: application, id: "test",
            body: Body(length: body.utf8.count) { Array(body.utf8.prefix($0)) })
        return try answer(request)
    }

    private func answer(_ request: Request) throws -> SessionAnswer {
        do {
            let (route, captures) = try Router(IdentityRoutes.all).route(request)
            _ = try route.claim(of: request, context)
            return try SessionAnswer(try route.answer(request, captures, context))
        } catch let problem as Problem {
            return try SessionAnswer(problem.response(requestID: "test"))
        }
    }

    /// Asks something with a cookie, as a page does.
    func ask(
        _ method: String = "GET", _ path: String = "/session", _ body: String = "", with cookie: String,
        at application: Application? = .console
    ) throws -> SessionAnswer {
        try send(method, path, body, Self.page + [("Cookie", cookie)], at: application)
    }

    /// Signs a browser in with a token, and gives its cookie.
    func signIn(_ token: String, at application: Application = .console) throws -> String {
        let answer = try send("POST", "/session", #"{"token":"\#(token)"}"#, at: application)
        try #require(answer.status == 201, "\(answer)")
        return try #require(answer.cookie)
    }

    /// The number of sessions in the database.
    var count: Int {
        get throws {
            try observer.run(Statement("-- name: test_sessions\nselect count(*) as count from sessions"))[0]
                .integer("count")
        }
    }

    /// The number of sign-ins at the provider that are under way.
    var attempts: Int {
        get throws {
            try observer.run(Statement("-- name: test_attempts\nselect count(*) as count from login_attempts"))[0]
                .integer("count")
        }
    }

    /// The lines about sessions in the audit log, in short, the oldest first.
    var audit: [String] {
        get throws {
            let lines = Statement(
                """
                -- name: test_session_audit
                select concat_ws(' ', action, author, author_kind, details->>'how',
                    details->>'count') as line from audit_log
                where action like 'session.%' order by id
                """)
            return try observer.run(lines).map { try $0.text("line") }
        }
    }
}

/// What a browser gets.
struct SessionAnswer: CustomStringConvertible {
    let status: Int
    /// Null where there is no document.
    let json: JSONValue
    let response: Response

    init(_ response: Response) throws {
        status = response.status
        json = response.bytes.isEmpty ? .null : try JSONValue(parsing: response.bytes)
        self.response = response
    }

    var problem: String? {
        json.objectValue?["type"]?.stringValue.map { String($0.dropFirst("urn:almanac:problem:".count)) }
    }

    /// The cookie that it sets, as a browser sends it; nil where it sets none that holds something.
    var cookie: String? {
        guard let pair = response.header("Set-Cookie")?.split(separator: ";").first, pair.last != "=" else {
            return nil
        }
        return String(pair)
    }

    subscript(_ member: String) -> JSONValue { json.objectValue?[member] ?? .null }

    var description: String { "\(status) \(response.headers["Location"] ?? "") \(json)" }
}
