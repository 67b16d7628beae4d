import AlmanacConfigDomain
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacFlagsDomain

/// An environment as a worker serves it, with its own database and without a web server.
final class FlagsInstance: Sendable {
    let service: ConfigService
    let pool: Pool
    let uses: FlagUses
    let tickets: EventTickets
    private let tokens: TokenStore
    private let sessions: SessionStore
    private let authenticator: Authenticator
    private let secrets: [Scope: String]
    private let clock: ServerClock
    private let flagsRouter = Router(FlagsRoutes.all)
    private let configRouter = Router(ConfigRoutes.all)

    /// - Parameters:
    ///   - clock: the clock that rules use.
    ///   - other: another worker of the same environment, whose tokens this one shares.
    init(
        configRead: EnvironmentSettings.ConfigRead = .everyone, clock: ServerClock = .system,
        sharing other: FlagsInstance? = nil
    ) throws {
        let database = try TestDatabase.current
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: EnvironmentName("development")!, database: login,
            owner: database.settings(user: TestDatabase.owner), configRead: configRead, origins: [], limits: Limits())
        pool = Pool(login, size: 4, waitLimit: .seconds(60))
        service = try ConfigService(
            settings: settings, pool: pool, notifier: Notifier(login, threadName: "notify-flags"))
        tokens = TokenStore(environment: "development", pool: pool)
        sessions = SessionStore(
            settings, pool: pool, tokens: tokens, people: PeopleStore(settings, pool: pool))
        authenticator = Authenticator(tokens: tokens, sessions: sessions) { token in
            Caller(
                user: VerifiedUser(issuer: "https://login.example.com/", subject: token), scopes: [],
                expiresAt: Timestamp(milliseconds: 4_000_000_000_000))
        }
        self.clock = clock
        uses = FlagUses(settings.name, pool: pool, clock: clock)
        tickets = EventTickets(settings.name, pool: pool, clock: clock)
        try tickets.refresh()
        if let other {
            secrets = other.secrets
            try tokens.refresh()
            return
        }
        let connection = try Connection(settings.owner)
        let owner = VerifiedUser(issuer: settings.ownerIssuer, subject: "operator")
        try PeopleAdministration(connection, by: Author("tests", .host)).record(owner, name: nil)
        let administration = TokenAdministration(connection, by: Author("tests", .host))
        var secrets: [Scope: String] = [:]
        for scope in Scope.allCases {
            secrets[scope] = try administration.create(
                environment: "development", label: "test \(scope.rawValue)", scopes: [scope], expiresAt: nil,
                owner: owner
            ).token.text
        }
        self.secrets = secrets
        try tokens.refresh()
    }

    /// The sender of a request.
    enum Sender {
        case nobody
        case token(Scope)
        /// A token in the header that OFREP clients use.
        case apiKey(Scope)
        /// A user's access token, which has no scopes.
        case user
    }

    /// Returns the text of the token with a scope.
    func secret(_ scope: Scope) -> String { secrets[scope]! }

    /// Sends a request. A problem is returned as a response.
    func call(
        _ method: String, _ path: String, _ body: String = "", as sender: Sender = .token(.admin),
        _ headers: (String, String)...
    ) throws -> TestResponse {
        var fields = headers.map { (name: $0.0, value: $0.1) }
        switch sender {
        case .nobody: break
        case .token(let scope): fields.append(("Authorization", "Bearer " + secret(scope)))
        case .apiKey(let scope): fields.append(("X-API-Key", secret(scope)))
        case .user: fields.append(("Authorization", "Bearer somebody"))
        }
        return try send(method, path, Array(body.utf8), fields)
    }

    func send(
        _ method: String, _ path: String, _ body: [UInt8], _ fields: [(name: String, value: String)],
        application: Application? = nil
    ) throws -> TestResponse {
        let target = try Target("/development" + path)
        let request = Request(
            method: method, target: target, headers: Headers(fields), application: application, id: "test",
            body: Body(length: body.count) { Array(body.prefix($0)) })
        let config = ConfigContext(service: service, authenticator: authenticator) { _ in nil }
        func answer() throws -> Response {
            if path.hasPrefix("/session") {
                let (route, captures) = try Router(IdentityRoutes.all).route(request)
                let identity = IdentityContext(
                    settings: service.settings, pool: pool, tokens: tokens, sessions: sessions,
                    authenticator: authenticator)
                return try route.answer(request, captures, identity)
            }
            if path.hasPrefix("/config") || path.hasPrefix("/flags.json") || path.hasSuffix("able") {
                let (route, captures) = try configRouter.route(request)
                return try route.answer(request, captures, config)
            }
            let (route, captures) = try flagsRouter.route(request)
            let context = FlagsContext(
                config: config, authenticator: authenticator, tickets: tickets, uses: uses, clock: clock)
            _ = try route.claim(of: request, context)
            return try route.answer(request, captures, context)
        }
        do {
            return TestResponse(try answer())
        } catch let refusal as any ProblemRepresentable {
            return TestResponse(OFREP.shaped(refusal.problem, at: target.segments).response(requestID: "test"))
        } catch let problem as Problem {
            return TestResponse(OFREP.shaped(problem, at: target.segments).response(requestID: "test"))
        }
    }

    func evaluate(
        _ key: String, _ context: String = "{}", as sender: Sender = .token(.flagsEvaluate)
    ) throws -> TestResponse {
        try call("POST", "/ofrep/v1/evaluate/flags/" + key, "{\"context\":\(context)}", as: sender)
    }

    /// Evaluates all flags.
    ///
    /// - Parameter tag: the tag of the client's cached response.
    func evaluateAll(
        _ context: String = "{}", as sender: Sender = .token(.flagsEvaluate), tag: String? = nil, query: String = "",
        _ headers: (String, String)...
    ) throws -> TestResponse {
        var fields = headers.map { (name: $0.0, value: $0.1) }
        if let tag { fields.append(("If-None-Match", tag)) }
        switch sender {
        case .nobody: break
        case .token(let scope): fields.append(("Authorization", "Bearer " + secret(scope)))
        case .apiKey(let scope): fields.append(("X-API-Key", secret(scope)))
        case .user: fields.append(("Authorization", "Bearer somebody"))
        }
        return try send("POST", "/ofrep/v1/evaluate/flags" + query, Array("{\"context\":\(context)}".utf8), fields)
    }

    /// The definition of a flag that is on for callers with the attribute `beta`.
    static let toggle =
        #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
        + #""targeting":{"if":[{"var":"beta"},"on"]}}"#

    /// Puts a flag, given by its definition.
    func put(flag key: String, _ definition: String) throws {
        let answer = try call("PUT", "/config/" + key, "{\"kind\":\"flag\",\"value\":\(definition)}")
        try #require([200, 201].contains(answer.status), "\(answer.body)")
    }

    /// Puts a set in flagd's format, which may contain broken flags.
    func put(set document: String) throws {
        let answer = try call("PUT", "/flags.json?lenient=true&fractional=3", document)
        try #require(answer.status == 200, "\(answer.body)")
    }
}

struct TestResponse {
    let response: Response

    init(_ response: Response) { self.response = response }

    var status: Int { response.status }
    var body: String { String(decoding: response.bytes, as: UTF8.self) }

    subscript(_ header: String) -> String? { response.header(header) }

    /// Returns a member of the response as JSON text.
    subscript(member name: String) -> String? {
        (try? JSONValue(parsing: response.bytes))?.objectValue?[name].map { "\($0)" }
    }

    /// The items of a bulk evaluation in short form: `a=true b=! c=`, with `!` for a failure and nothing for no value.
    var flags: String {
        get throws {
            let items = try #require(try JSONValue(parsing: response.bytes).objectValue?["flags"]?.arrayValue)
            return items.map { item in
                let object = item.objectValue
                let value = object?["errorCode"] == nil ? object?["value"].map { "\($0)" } ?? "" : "!"
                return "\(object?["key"]?.stringValue ?? "?")=\(value)"
            }.joined(separator: " ")
        }
    }
}
