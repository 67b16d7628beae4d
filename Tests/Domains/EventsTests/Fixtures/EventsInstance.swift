import AlmanacConfigDomain
import AlmanacEnvironments
import AlmanacEventsDomain
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacNotesDomain
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacResponseStreams
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacEventsDomain

/// An environment that a worker changes and an events process streams, with its own database and without a web server.
final class EventsInstance: Sendable {
    let database: TestDatabase
    let hub: Hub
    let tokens: TokenStore
    let people: PeopleStore
    let tickets: EventTickets
    private let pool: Pool
    private let config: ConfigService
    private let notes: NotesService
    private let authenticator: Authenticator
    private let context: EventsContext
    private let identity: IdentityContext
    private let subscription: Subscription?
    private let configRouter = Router(ConfigRoutes.all)
    private let notesRouter = Router(NotesRoutes.all)
    private let eventsRouter = Router(EventsRoutes.all)
    /// The expiry time of users' tokens, in milliseconds since 1970.
    private let expiry = Monitor<Int64>(WallClock.milliseconds + 3_600_000)

    /// - Parameters:
    ///   - listens: `true` if notifications arrive. Without them, changes are found by polling.
    ///   - clock: the clock of streams and tickets.
    init(
        configRead: EnvironmentSettings.ConfigRead = .everyone, limits: Limits = Limits(), listens: Bool = true,
        clock: ServerClock = .system
    ) throws {
        database = try TestDatabase.current
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: EnvironmentName("development")!, database: login,
            owner: database.settings(user: TestDatabase.owner), configRead: configRead, origins: [], limits: limits)
        pool = Pool(login, size: 4, waitLimit: .seconds(60))
        let notifier = Notifier(login, threadName: "notify-events")
        config = try ConfigService(settings: settings, pool: pool, notifier: notifier)
        // A busy machine may exceed the default time limit of a batch.
        notes = NotesService(
            settings: settings, pool: pool, notifier: notifier,
            batchTime: BatchTime(elapsed: .seconds(60), computing: .seconds(60), comparing: .seconds(60)))
        tokens = TokenStore(environment: "development", pool: pool)
        try tokens.refresh()
        tickets = EventTickets(settings.name, pool: pool, clock: clock)
        try tickets.refresh()
        let hub = try Hub(settings.name, pool: pool, clock: clock) { _ in }
        self.hub = hub
        let expiry = expiry
        people = PeopleStore(settings, pool: pool)
        let sessions = SessionStore(settings, pool: pool, tokens: tokens, people: people)
        authenticator = Authenticator(tokens: tokens, sessions: sessions) { token in
            Caller(
                user: VerifiedUser(issuer: Self.issuer, subject: token), scopes: [],
                expiresAt: Timestamp(milliseconds: expiry.read { $0 }))
        }
        identity = IdentityContext(
            settings: settings, pool: pool, tokens: tokens, sessions: sessions, authenticator: authenticator)
        context = EventsContext(
            settings: settings, pool: pool, hub: hub, authenticator: authenticator, tickets: tickets, clock: clock)
        subscription =
            listens
            ? try Subscription(
                login, channels: [ConfigService.channel, NotesService.channel], interval: .seconds(60),
                threadName: "listen-events"
            ) { event in
                switch event {
                case .connected: hub.check()
                case .notified(let notifications):
                    for notification in notifications { Self.pass(notification, to: hub) }
                case .quiet, .disconnected: break
                }
            } : nil
    }

    deinit {
        subscription?.stop()
        hub.close()
        pool.close()
    }

    static let issuer = "https://login.example.com/"

    private static func pass(_ notification: AlmanacPostgreSQL.Notification, to hub: Hub) {
        let numbers = notification.payload.split(separator: " ").compactMap { Int64($0) }
        if numbers.count == 2 {
            hub.announce(account: numbers[0], revision: numbers[1])
        } else {
            hub.announce(revision: numbers[0])
        }
    }

    /// Sets the expiry time of tokens that are used from now on.
    func setExpiry(_ milliseconds: Int64) { expiry.update { $0 = milliseconds } }

    /// Creates an API token and loads it into the token store.
    func makeToken(_ scope: Scope = .configRead, expiresAt: Timestamp? = nil) throws -> (text: String, id: String) {
        let connection = try Connection(database.settings(user: TestDatabase.owner))
        let owner = VerifiedUser(issuer: Self.issuer, subject: "operator")
        try PeopleAdministration(connection, by: Author("tests", .host)).record(owner, name: nil)
        let (token, record) = try TokenAdministration(connection, by: Author("tests", .host)).create(
            environment: "development", label: "test", scopes: [scope], expiresAt: expiresAt, owner: owner)
        try tokens.refresh()
        return (token.text, record.id)
    }

    func revoke(_ id: String) throws {
        _ = try TokenAdministration(
            Connection(database.settings(user: TestDatabase.owner)), by: Author("tests", .host)
        ).revoke(id: id)
        try tokens.refresh()
    }

    /// Removes a user, as seen by the processes after the notification.
    func remove(_ subject: String) throws {
        let connection = try Connection(database.settings(user: TestDatabase.owner))
        let administration = PeopleAdministration(connection, by: Author("tests", .host))
        let user = VerifiedUser(issuer: Self.issuer, subject: subject)
        try administration.record(user, name: nil)
        let person = try #require(try administration.find(user))
        _ = try administration.remove(id: person.id)
        try people.refresh()
        hub.close(people: people.removedDigests)
    }

    // MARK: Sessions

    /// Signs a browser in to the console and returns its `Cookie` header.
    func signIn(_ token: String) throws -> String {
        let body = Array(#"{"token":"\#(token)"}"#.utf8)
        let request = Request(
            method: "POST", target: try Target("/development/session"),
            headers: Headers([(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Almanac-Session", value: "1")]),
            application: .console, id: "test", body: Body(length: body.count) { Array(body.prefix($0)) })
        let (route, captures) = try Router(IdentityRoutes.all).route(request)
        let answer = try route.answer(request, captures, identity)
        return String(try #require(answer.header("Set-Cookie")?.split(separator: ";").first))
    }

    func sessionIDs() throws -> [String] {
        try Connection(database.settings).run(Statement("-- name: test_sessions\nselect id from sessions"))
            .map { try $0.text("id") }
    }

    /// Requests a stream as a page, with a cookie.
    func send(
        with cookie: String, from site: String = "same-origin", at application: Application? = .console
    ) throws -> Response {
        let request = Request(
            method: "GET", target: try Target("/development/events"),
            headers: Headers([(name: "Sec-Fetch-Site", value: site), (name: "Cookie", value: cookie)]),
            application: application, id: "test")
        let (route, captures) = try eventsRouter.route(request)
        return try route.answer(request, captures, context)
    }

    func open(with cookie: String) throws -> StreamReader {
        let reader = try StreamReader()
        guard case .stream(let begin) = try send(with: cookie).body else {
            throw UnexpectedResult("the response is no stream")
        }
        begin(reader.take())
        return reader
    }

    // MARK: Changes

    private static func request(
        _ method: String, _ path: String, _ body: String?, _ fields: [(name: String, value: String)]
    ) throws -> Request {
        let bytes = Array((body ?? "").utf8)
        return Request(
            method: method, target: try Target("/development\(path)"), headers: Headers(fields), id: "test",
            body: Body(length: bytes.count) { Array(bytes.prefix($0)) })
    }

    /// Creates or changes a flag in one release.
    func put(flag key: String, _ definition: String, token: String) throws {
        let request = try Self.request(
            "PUT", "/config/\(key)", #"{"value":\#(definition),"kind":"flag"}"#,
            [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")])
        let (route, captures) = try configRouter.route(request)
        let context = ConfigContext(service: config, authenticator: authenticator) { _ in nil }
        let response = try route.answer(request, captures, context)
        try #require([200, 201].contains(response.status))
    }

    /// Returns the address of the stream about flags for a token.
    func address(for token: String) throws -> EventAddress {
        let caller = try authenticator.caller(authorization: "Bearer \(token)")
        let lineage = try #require(hub.head?.lineage)
        return try #require(tickets.address(for: caller, isPublic: false, lineage: lineage, base: "/development"))
    }

    /// Changes the config in one release.
    func patch(_ patch: String, token: String) throws {
        let request = try Self.request(
            "PATCH", "/config", patch,
            [("Authorization", "Bearer \(token)"), ("Content-Type", "application/merge-patch+json")])
        let (route, captures) = try configRouter.route(request)
        let context = ConfigContext(service: config, authenticator: authenticator) { _ in nil }
        let response = try route.answer(request, captures, context)
        try #require(response.status == 200)
    }

    /// Sends a request about a user's notes.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: String? = nil, as user: String = "alice") throws -> JSONValue {
        let request = try Self.request(
            method, path, body, [("Authorization", "Bearer \(user)"), ("Content-Type", "application/json")])
        let (route, captures) = try notesRouter.route(request)
        let response = try route.answer(request, captures, NotesContext(service: notes, authenticator: authenticator))
        try #require(response.status < 300)
        return response.bytes.isEmpty ? .null : try JSONValue(parsing: response.bytes)
    }

    /// Sends a batch of actions in JSON. No action may be rejected.
    func act(_ actions: String, as user: String = "alice") throws {
        let results = try #require(try call("POST", "/notes", actions, as: user).objectValue?["results"]?.arrayValue)
        for result in results { try #require(result.objectValue?["status"]?.stringValue != "rejected", "\(result)") }
    }

    // MARK: Streams

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - user: the user whose notes are followed; nil sends no token.
    ///   - last: the `Last-Event-ID`.
    func open(
        as user: String? = nil, last: String? = nil, query: String = "", token: String? = nil,
        on reader: StreamReader? = nil
    ) throws -> StreamReader {
        let reader = try reader ?? StreamReader()
        let response = try send(as: user, last: last, query: query, token: token)
        #expect(response.status == 200)
        guard case .stream(let begin) = response.body else { throw UnexpectedResult("the response is no stream") }
        begin(reader.take())
        return reader
    }

    func send(
        _ method: String = "GET", as user: String? = nil, last: String? = nil, query: String = "", token: String? = nil
    ) throws -> Response {
        var fields: [(name: String, value: String)] = []
        if let bearer = user ?? token { fields.append(("Authorization", "Bearer \(bearer)")) }
        if let last { fields.append(("Last-Event-ID", last)) }
        let request = try Self.request(method, "/events\(query)", nil, fields)
        let (route, captures) = try eventsRouter.route(request)
        return try route.answer(request, captures, context)
    }

    /// Returns the problem that a request is refused with, or nil.
    func problem(as user: String? = nil, query: String = "", token: String? = nil) throws -> Problem? {
        do {
            _ = try send(as: user, query: query, token: token)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    /// Runs a script as the cluster's superuser, for changes that a worker may not make.
    func asSuperuser(_ script: String) throws { try Connection(database.settings).execute(script: script) }
}
