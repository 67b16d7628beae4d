import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import AlmanacTimestamps
import Synchronization
import Testing

@testable import AlmanacConfigDomain
@testable import AlmanacEnvironments
@testable import AlmanacIdentity

/// An environment as a worker serves it, with its own database and without a web server.
final class ConfigInstance: Sendable {
    let database: TestDatabase
    let name: EnvironmentName
    let pool: Pool
    let service: ConfigService
    let tokens: TokenStore
    let sessions: SessionStore
    private let secrets: [Scope: String]
    private let connectedEnvironments = Mutex<[EnvironmentName: ConfigInstance]>([:])
    private let router = Router(ConfigRoutes.all)

    /// - Parameter database: a migrated database. The default is the running test's.
    init(
        _ name: String = "development", on database: TestDatabase? = nil,
        configRead: EnvironmentSettings.ConfigRead = .everyone, limits: Limits = Limits(), connections: Int = 4,
        searchBudgetBytes: Int = ConfigService.searchBudgetBytes, approvals: ApprovalPolicy? = nil
    ) throws {
        let database = try database ?? TestDatabase.current
        self.database = database
        self.name = EnvironmentName(name)!
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: self.name, database: login, owner: database.settings(user: TestDatabase.owner),
            configRead: configRead, origins: [], limits: limits, approvals: approvals)
        pool = Pool(login, size: connections, waitLimit: .seconds(60))
        service = try ConfigService(
            settings: settings, pool: pool, notifier: Notifier(login, threadName: "notify-\(name)"),
            searchBudgetBytes: searchBudgetBytes)
        tokens = TokenStore(environment: name, pool: pool)
        sessions = SessionStore(
            settings, pool: pool, tokens: tokens, people: PeopleStore(settings, pool: pool))
        let connection = try Connection(settings.owner)
        let owner = VerifiedUser(issuer: settings.ownerIssuer, subject: "operator")
        try PeopleAdministration(connection, by: Author("tests", .host)).record(owner, name: "Olga Operator")
        let administration = TokenAdministration(connection, by: Author("tests", .host))
        var secrets: [Scope: String] = [:]
        for scope in Scope.allCases {
            secrets[scope] = try administration.create(
                environment: name, label: "test \(scope.rawValue)", scopes: [scope], expiresAt: nil,
                owner: owner
            ).token.text
        }
        self.secrets = secrets
        try tokens.refresh()
    }

    /// Creates a token with an owner. Returns the value of an `Authorization` header.
    func authorization(_ person: String, _ scopes: [Scope]) throws -> String {
        try authorizations([person: scopes])[person]!
    }

    /// Creates a token for each person. Returns the values of `Authorization` headers.
    func authorizations(_ people: [String: [Scope]]) throws -> [String: String] {
        let connection = try Connection(service.settings.owner)
        let headers = try Dictionary(
            uniqueKeysWithValues: people.map { person, scopes in
                let owner = VerifiedUser(issuer: service.settings.ownerIssuer, subject: person)
                try PeopleAdministration(connection, by: Author("tests", .host)).record(owner, name: person)
                let token = try TokenAdministration(connection, by: Author("tests", .host)).create(
                    environment: name.text, label: "token of \(person)", scopes: scopes, expiresAt: nil, owner: owner
                ).token.text
                return (person, "Bearer \(token)")
            })
        try tokens.refresh()
        return headers
    }

    /// Gives the owner of the tokens another name.
    func rename(to name: String) throws {
        let owner = VerifiedUser(issuer: service.settings.ownerIssuer, subject: "operator")
        try PeopleAdministration(try Connection(service.settings.owner), by: Author("tests", .host))
            .record(owner, name: name)
        try sessions.people.refresh()
        try tokens.refresh()
    }

    /// Makes this environment and another available to each other.
    func connect(to other: ConfigInstance) {
        connectedEnvironments.withLock { $0[other.name] = other }
        other.connectedEnvironments.withLock { $0[name] = self }
    }

    var context: ConfigContext { context(.system) }

    private var authenticator: Authenticator {
        Authenticator(service.settings, tokens: tokens, sessions: sessions) { _ in }
    }

    private func context(_ clock: ServerClock) -> ConfigContext {
        ConfigContext(service: service, authenticator: authenticator, clock: clock) { [weak self] name in
            self?.connectedEnvironments.withLock { $0[name] }?.context(clock)
        }
    }

    /// Signs a browser in to the console and returns its `Cookie` header.
    func signIn(_ scope: Scope) throws -> String {
        let body = Array(#"{"token":"\#(secrets[scope]!)"}"#.utf8)
        let request = Request(
            method: "POST", target: try Target("/\(name)/session"), headers: Headers(Self.page), application: .console,
            id: "test", body: Body(length: body.count) { Array(body.prefix($0)) })
        let (route, captures) = try Router(IdentityRoutes.all).route(request)
        let identity = IdentityContext(
            settings: service.settings, pool: pool, tokens: tokens, sessions: sessions, authenticator: authenticator)
        let answer = try route.answer(request, captures, identity)
        return String(try #require(answer.header("Set-Cookie")?.split(separator: ";").first))
    }

    /// Signs a person in to the console, as a passkey does, and returns the browser's `Cookie` header.
    func signIn(_ person: String, _ scopes: [Scope]) throws -> String {
        let secret = SessionSecret((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let user = VerifiedUser(issuer: "passkey:console.example.com", subject: person)
        let session = try pool.withConnection { connection in
            try SessionAdministration(connection).begin(
                secret, of: .user(user, scopes: scopes, until: nil), at: .console, .passkey,
                now: Timestamp(milliseconds: WallClock.milliseconds), replacing: nil)
        }
        try #require(session != nil)
        return "__Host-almanac-\(name)=\(secret.text)"
    }

    private static let page = [(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Almanac-Session", value: "1")]

    /// Sends a request as a page of the console, with cookies only.
    ///
    /// - Parameter later: the offset of the server's clock, in seconds.
    func send(
        _ method: String, _ path: String, _ body: String = "", with cookies: String...,
        headers: [(name: String, value: String)] = [], later: Int64 = 0
    ) throws -> TestResponse {
        let bytes = Array(body.utf8)
        let request = Request(
            method: method, target: try Target("/\(name)\(path)"),
            headers: Headers(Self.page + [("Cookie", cookies.joined(separator: "; "))] + headers),
            application: .console, id: "test",
            body: Body(length: bytes.count) { Array(bytes.prefix($0)) })
        let clock = ServerClock.wall { WallClock.milliseconds / 1000 + later }
        do {
            let (route, captures) = try router.route(request)
            return TestResponse(try route.answer(request, captures, context(clock)))
        } catch let refusal as any ProblemRepresentable {
            return TestResponse(refusal.problem.response(requestID: "test"))
        } catch let problem as Problem {
            return TestResponse(problem.response(requestID: "test"))
        }
    }

    var snapshot: Snapshot { service.store.current.snapshot }

    /// Returns the value of an `Authorization` header.
    func authorization(_ scope: Scope) -> String { "Bearer \(secrets[scope]!)" }

    /// Sends a request. A problem is returned as a response.
    ///
    /// - Parameters:
    ///   - path: the path after the environment, with the query: `/config?since=4`.
    ///   - scope: the token's scope; nil sends no token.
    func call(
        _ method: String, _ path: String, _ body: String? = nil, as scope: Scope? = .admin,
        _ headers: (String, String)...
    ) throws -> TestResponse {
        try call(method, path, bytes: Array((body ?? "").utf8), as: scope, headers)
    }

    func call(
        _ method: String, _ path: String, bytes: [UInt8], as scope: Scope?, _ headers: [(String, String)]
    ) throws -> TestResponse {
        var fields = headers.map { (name: $0.0, value: $0.1) }
        if let scope { fields.append(("Authorization", authorization(scope))) }
        do {
            let request = Request(
                method: method, target: try Target("/\(name)\(path)"), headers: Headers(fields), id: "test",
                body: Body(length: bytes.count) { Array(bytes.prefix($0)) })
            let (route, captures) = try router.route(request)
            return TestResponse(try route.answer(request, captures, context))
        } catch let refusal as any ProblemRepresentable {
            return TestResponse(refusal.problem.response(requestID: "test"))
        } catch let problem as Problem {
            return TestResponse(problem.response(requestID: "test"))
        }
    }

    /// Puts a value, given as JSON, and expects success.
    @discardableResult
    func put(_ key: String, _ value: String) throws -> TestResponse {
        try call("PUT", "/config/\(key)", #"{"value":\#(value)}"#).expecting(200, 201)
    }

    @discardableResult
    func delete(_ key: String) throws -> TestResponse {
        try call("DELETE", "/config/\(key)").expecting(200)
    }

    @discardableResult
    func patch(_ patch: String) throws -> TestResponse {
        try call("PATCH", "/config", patch).expecting(200)
    }

    func config(_ query: String = "") throws -> JSONValue {
        try call("GET", "/config.json\(query)").expecting(200).json
    }

    /// Runs a script as the cluster's superuser, for changes that a worker may not make.
    func asSuperuser(_ script: String) throws { try Connection(database.settings).execute(script: script) }

    func query(_ name: String, _ sql: String, _ parameters: Parameter...) throws -> Rows {
        let connection = try Connection(database.settings)
        let statement = Statement("-- name: \(name)\n\(sql)")
        return switch parameters.count {
        case 0: try connection.run(statement)
        case 1: try connection.run(statement, parameters[0])
        default: preconditionFailure("at most one parameter")
        }
    }
}
