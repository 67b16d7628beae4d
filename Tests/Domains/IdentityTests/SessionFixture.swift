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

/// An environment as a worker serves it to browsers, with its own database and without a web server.
struct SessionFixture: Sendable {
    let settings: EnvironmentSettings
    let pool: Pool
    let tokens: TokenStore
    let sessions: SessionStore
    let context: IdentityContext
    let clock: TestClock
    private let database: TestDatabase

    /// - Parameters:
    ///   - name: the environment's name, which tokens and cookies must contain.
    ///   - identity: the settings of the provider. If nil, a user's token is `user-`, or `reader-` for no scopes,
    ///     and the subject.
    ///   - connections: the number of connections to the database.
    init(
        _ name: String = "staging", on database: TestDatabase? = nil, connections: Int = 4,
        identity: IdentitySettings? = nil,
        configRead: EnvironmentSettings.ConfigRead = .token, signIn: SignInClient? = nil,
        operators: [OperatorClaim] = []
    ) throws {
        let database = try database ?? TestDatabase.current
        let login = database.settings(user: TestDatabase.worker)
        let owner = database.settings(user: TestDatabase.owner)
        settings = EnvironmentSettings(
            name: try #require(EnvironmentName(name)), database: login, owner: owner,
            identity: identity ?? .development(DevelopmentKeyFiles(privateKey: "/nowhere/development.key")),
            configRead: configRead, origins: [], limits: Limits(), signIn: signIn, operators: operators)
        clock = TestClock(milliseconds: WallClock.milliseconds)
        pool = Pool(login, size: connections, waitLimit: .seconds(60))
        tokens = TokenStore(environment: name, pool: pool, clock: clock.server)
        sessions = SessionStore(
            settings, pool: pool, tokens: tokens, people: PeopleStore(settings, pool: pool, clock: clock.server),
            clock: clock.server)
        let issuer = DevelopmentIssuer.name(environment: name)
        let end = Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: 3600)
        let authenticator =
            identity == nil
            ? Authenticator(tokens: tokens, sessions: sessions) { token throws(Problem) in
                let parts = token.split(separator: "-", maxSplits: 1)
                guard parts.count == 2, ["user", "reader"].contains(parts[0]) else {
                    throw Problem(.tokenRefused, "not valid")
                }
                return Caller(
                    user: VerifiedUser(issuer: issuer, subject: String(parts[1])), personName: "The \(parts[1])",
                    scopes: parts[0] == "user" ? [.admin] : [], expiresAt: end)
            } : Authenticator(settings, tokens: tokens, sessions: sessions) { _ in }
        context = IdentityContext(
            settings: settings, pool: pool, tokens: tokens, sessions: sessions, authenticator: authenticator)
        self.database = database
        try tokens.refresh()
    }

    var administration: TokenAdministration {
        get throws { TokenAdministration(try Connection(settings.owner), by: Author("tests", .host)) }
    }

    var people: PeopleAdministration {
        get throws { PeopleAdministration(try Connection(settings.owner), by: Author("tests", .host)) }
    }

    /// A connection as the superuser.
    var observer: Connection { get throws { try Connection(database.settings) } }

    /// Creates an API token with an owner and loads it into the worker's token store.
    ///
    /// - Parameters:
    ///   - label: the label of the token, and by default the subject of its owner.
    ///   - owner: the subject of the owner.
    func token(
        _ scopes: Scope..., label: String = "ops", owner: String? = nil, expiresAt: Timestamp? = nil
    ) throws -> (text: String, id: String) {
        let user = VerifiedUser(issuer: settings.ownerIssuer, subject: owner ?? label)
        try people.record(user, name: nil)
        let (token, record) = try administration.create(
            environment: settings.name.text, label: label, scopes: scopes, expiresAt: expiresAt, owner: user)
        try tokens.refresh()
        return (token.text, record.id)
    }

    func revoke(_ id: String) throws {
        _ = try administration.revoke(id: id)
        try tokens.refresh()
    }

    /// The headers that a page sends with every request.
    static let page: [(String, String)] = [("Sec-Fetch-Site", "same-origin"), ("Almanac-Session", "1")]

    /// Sends a request as the web server forwards it, and returns the response.
    func send(
        _ method: String, _ path: String, _ body: String = "", _ headers: [(String, String)] = page,
        at application: Application? = .console
    ) throws -> SessionResponse {
        let request = Request(
            method: method, target: try Target(path.hasPrefix("/") ? "/\(settings.name)\(path)" : path),
            headers: Headers(headers.map { (name: $0.0, value: $0.1) }), application: application, id: "test",
            body: Body(length: body.utf8.count) { Array(body.utf8.prefix($0)) })
        return try answer(request)
    }

    private func answer(_ request: Request) throws -> SessionResponse {
        do {
            let (route, captures) = try Router(IdentityRoutes.all).route(request)
            _ = try route.claim(of: request, context)
            return try SessionResponse(try route.answer(request, captures, context))
        } catch let problem as Problem {
            return try SessionResponse(problem.response(requestID: "test"))
        }
    }

    /// Sends a request with a cookie, as a page.
    func send(
        _ method: String = "GET", _ path: String = "/session", _ body: String = "", with cookie: String,
        at application: Application? = .console
    ) throws -> SessionResponse {
        try send(method, path, body, Self.page + [("Cookie", cookie)], at: application)
    }

    /// Signs a browser in with a token, and returns its cookie.
    func signIn(_ token: String, at application: Application = .console) throws -> String {
        let answer = try send("POST", "/session", #"{"token":"\#(token)"}"#, at: application)
        try #require(answer.status == 201, "\(answer)")
        return try #require(answer.cookie)
    }

    /// Creates a link with a token, and returns the link's code.
    func linkCode(of token: String) throws -> String {
        let made = try send("POST", "/session/link", "", [("Authorization", "Bearer \(token)")], at: nil)
        return try #require(made["code"].stringValue, "\(made)")
    }

    /// The number of sessions in the database.
    var count: Int { get throws { try rows(in: "sessions") } }

    /// The number of pending sign-ins at the provider.
    var attempts: Int { get throws { try rows(in: "login_attempts") } }

    private func rows(in table: String) throws -> Int {
        let counting = Statement("-- name: test_\(table)\nselect count(*) as count from \(table)")
        return try observer.run(counting)[0].integer("count")
    }

    /// The lines about sessions in the audit log in short form, the oldest first.
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

/// The response that a browser receives.
struct SessionResponse: CustomStringConvertible {
    let status: Int
    /// The body as JSON, or null for an empty body.
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

    /// The cookie that the response sets, in the form a browser sends, or nil if there is none or it is empty.
    var cookie: String? {
        guard let pair = response.header("Set-Cookie")?.split(separator: ";").first, pair.last != "=" else {
            return nil
        }
        return String(pair)
    }

    subscript(_ member: String) -> JSONValue { json.objectValue?[member] ?? .null }

    var description: String { "\(status) \(response.headers["Location"] ?? "") \(json)" }
}
