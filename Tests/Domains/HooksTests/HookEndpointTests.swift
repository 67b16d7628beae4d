import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacProposals
import AlmanacTestSupport
import AlmanacWebhooks
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacHooks

@Suite(.database(.migrated), .blocking) struct HookEndpointTests {
    private let connection: Connection
    private let context: HooksContext
    private let deliverer: Deliverer
    private let administrator: String
    private let editor: String

    init() throws {
        let database = try TestDatabase.current
        connection = try Connection(database.settings)
        let login = database.settings(user: TestDatabase.worker)
        let settings = EnvironmentSettings(
            name: try #require(EnvironmentName("production")), database: login,
            owner: database.settings(user: TestDatabase.owner), configRead: .token, origins: [], limits: Limits(),
            approvals: ApprovalPolicy(required: 1),
            hooks: try ReachableAddresses(allow: ["127.0.0.1"], http: true, ports: Array(1024...65535)))
        let pool = Pool(login, size: 2)
        let tokens = TokenStore(environment: "production", pool: pool)
        let administration = TokenAdministration(try Connection(settings.owner), by: Author("tests", .host))
        func token(_ scope: Scope) throws -> String {
            try administration.create(
                environment: "production", label: "test \(scope.rawValue)", scopes: [scope], expiresAt: nil
            ).token.text
        }
        (administrator, editor) = (try token(.admin), try token(.configWrite))
        try tokens.refresh()
        let sessions = SessionStore(settings, pool: pool, tokens: tokens, people: PeopleStore(settings, pool: pool))
        context = HooksContext(
            settings: settings, pool: pool,
            authenticator: Authenticator(settings, tokens: tokens, sessions: sessions) { _ in })
        deliverer = Deliverer(settings, pool: pool)
    }

    /// Sends a request. Returns the status with the problem, and the JSON of the answer.
    private func call(
        _ method: String, _ path: String, _ body: String = "", token: String? = nil
    ) throws -> (outcome: String, json: JSONValue) {
        let bytes = Array(body.utf8)
        let request = Request(
            method: method, target: try Target("/production\(path)"),
            headers: Headers([(name: "Authorization", value: "Bearer \(token ?? administrator)")]), id: "test",
            body: Body(length: bytes.count) { Array(bytes.prefix($0)) })
        do {
            let (route, captures) = try Router(HooksRoutes.all).route(request)
            let answer = try route.answer(request, captures, context)
            return ("\(answer.status)", answer.status == 204 ? .null : try JSONValue(parsing: answer.bytes))
        } catch let problem as Problem {
            return ("\(problem.kind.status) \(problem.kind.rawValue)", .null)
        }
    }

    private static func hook(_ url: String, _ rest: String = #""types":["release.created"]"#) -> String {
        #"{"url":"\#(url)","label":"Chat of the shop team",\#(rest)}"#
    }

    private func make(_ server: ScriptedServer) throws -> (id: String, secret: String) {
        let answer = try call("POST", "/hooks", Self.hook("\(server.base)/almanac"))
        let hook = try #require(answer.json.objectValue)
        return (try #require(hook["id"]?.stringValue), try #require(hook["secret"]?.stringValue))
    }

    private func release(_ revision: Int) throws {
        try connection.execute(
            script: """
                begin;
                insert into config_releases (revision, major, minor, patch, released_at, kind, author, message)
                values (\(revision), 1, \(revision), 0, timestamptz '2026-12-01T10:00:00Z'
                    + \(revision) * interval '1 second', 'change', 'Ada', 'Raise it');
                insert into config_changes (revision, key, before, after, from_major)
                values (\(revision), 'banner', '1', '2', 1);
                commit
                """)
    }

    private func deliverAll() throws { while try deliverer.step() {} }

    private func header(_ name: String, _ message: String?) throws -> String {
        let line = try #require(message?.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") })
        return String(line.dropFirst(name.utf8.count + 2))
    }

    private func deliveries(_ hook: String) throws -> [JSONObject] {
        try #require(try call("GET", "/hooks/\(hook)/deliveries").json.arrayValue).compactMap(\.objectValue)
    }

    @Test func `the secret of a hook is shown by its creation and its rotation only`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, secret) = try make(server)
        #expect(secret.hasPrefix("whsec_"))
        for path in ["/hooks", "/hooks/\(id)", "/hooks/\(id)/deliveries"] {
            let answer = try call("GET", path)
            #expect(answer.outcome == "200" && !answer.json.description.contains("whsec_"))
        }
        let rotated = try #require(try call("POST", "/hooks/\(id)/rotate").json.objectValue?["secret"]?.stringValue)
        #expect(rotated.hasPrefix("whsec_") && rotated != secret)
    }

    @Test func `both secrets sign for 24 hours after a rotation`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, old) = try make(server)
        let new = try #require(try call("POST", "/hooks/\(id)/rotate").json.objectValue?["secret"]?.stringValue)
        func signatures(_ secrets: [String]) throws -> String {
            try release(server.messages.count + 1)
            try deliverAll()
            let message = try #require(server.messages.last)
            let body = try #require(message.split(separator: "\r\n\r\n", maxSplits: 1).last)
            let expected = WebhookSecret.signature(
                of: Array(body.utf8), id: try header("webhook-id", message),
                at: try #require(Int64(try header("webhook-timestamp", message))),
                by: try secrets.map { try #require(WebhookSecret($0)) })
            #expect(try header("webhook-signature", message) == expected)
            return expected
        }
        #expect(try signatures([new, old]).split(separator: " ").count == 2)
        try connection.execute(script: "update hooks set previous_secret_until = now() - interval '1 second'")
        #expect(try signatures([new]).split(separator: " ").count == 1)
    }

    @Test func `only administrators see and change hooks`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, _) = try make(server)
        let calls = [
            ("GET", ""), ("POST", ""), ("GET", "/\(id)"), ("PATCH", "/\(id)"), ("DELETE", "/\(id)"),
            ("POST", "/\(id)/enable"), ("POST", "/\(id)/rotate"), ("POST", "/\(id)/test"),
            ("POST", "/\(id)/replay?since=0"), ("GET", "/\(id)/deliveries"), ("POST", "/\(id)/deliveries/1/again"),
        ]
        #expect(calls.count == HooksRoutes.all.count)
        for (method, path) in calls {
            #expect(
                try call(method, "/hooks\(path)", Self.hook("https://chat.example.com"), token: editor).outcome
                    == "403 scope-too-small", "\(method) \(path)")
        }
    }

    @Test(arguments: [
        ("", "400 invalid-json"), (#"{"label":"a"}"#, "422 invalid-value"), ("[]", "422 invalid-value"),
        (#"{"url":"https://chat.example.com:22/","label":"a"}"#, "422 invalid-value"),
        (#"{"url":"https://ada:secret@chat.example.com/","label":"a"}"#, "422 invalid-value"),
        (#"{"url":"https://169.254.169.254/latest","label":"a"}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":""}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a\nb"}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a","format":"xml"}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a","types":[]}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a","types":["release.deleted"]}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a","keys":["*.pay"]}"#, "422 invalid-value"),
        (#"{"url":"https://chat.example.com","label":"a","secret":"whsec_mine"}"#, "422 invalid-value"),
    ])
    func `a hook that cannot work is refused, and nothing is stored`(_ body: String, _ outcome: String) throws {
        #expect(try call("POST", "/hooks", body).outcome == outcome)
        #expect(try call("GET", "/hooks").json == .array([]))
    }

    @Test func `an environment has at most 50 hooks`() throws {
        for _ in 0..<50 {
            #expect(try call("POST", "/hooks", Self.hook("https://chat.example.com")).outcome == "201")
        }
        #expect(try call("POST", "/hooks", Self.hook("https://chat.example.com")).outcome == "422 limit-exceeded")
    }

    @Test func `a test event arrives whatever types a hook takes`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, _) = try make(server)
        #expect(try call("PATCH", "/hooks/\(id)", #"{"types":["token.expiring"]}"#).outcome == "200")
        #expect(try call("POST", "/hooks/\(id)/test").json.objectValue?["deliveries"] == 1)
        try deliverAll()
        #expect(server.messages.count == 1 && server.messages[0].contains(#""type":"hook.test""#))
    }

    @Test func `deliveries sent again and replayed releases have the ids that they had`() throws {
        let server = try ScriptedServer { _ in .response("200 OK") }
        let (id, _) = try make(server)
        for revision in 1...3 { try release(revision) }
        try deliverAll()
        let list = try deliveries(id)
        #expect(list.map { $0["state"]?.stringValue } == ["delivered", "delivered", "delivered"])
        #expect(list[0]["status"] == 200 && list[0]["next_attempt_at"] == .null)
        let ids = try server.messages.map { try header("webhook-id", $0) }
        let second = try #require(list[1]["id"]?.numberValue?.int64)
        #expect(try call("POST", "/hooks/\(id)/deliveries/\(second)/again").outcome == "202")
        try deliverAll()
        #expect(try header("webhook-id", server.messages.last) == ids[1])
        #expect(try call("POST", "/hooks/\(id)/replay?since=1").json.objectValue?["deliveries"] == 2)
        try deliverAll()
        #expect(try server.messages.suffix(2).map { try header("webhook-id", $0) } == Array(ids.suffix(2)))
        #expect(try call("POST", "/hooks/\(id)/replay").outcome == "400 invalid-parameter")
        #expect(try call("POST", "/hooks/\(id)/deliveries/x/again").outcome == "400 invalid-request")
    }

    @Test func `a disabled hook sends nothing until it is enabled, and then what it missed`() throws {
        let isGone = Monitor(true)
        let server = try ScriptedServer { _ in isGone.read { $0 } ? .response("410 Gone") : .response() }
        let (id, _) = try make(server)
        try release(1)
        try deliverAll()
        let hook = try call("GET", "/hooks/\(id)").json.objectValue
        #expect(hook?["disabled_reason"]?.stringValue == "gone")
        try release(2)
        for step in ["test", "replay?since=0", "deliveries/1/again"] {
            #expect(try call("POST", "/hooks/\(id)/\(step)").outcome == "409 hook-disabled")
        }
        try deliverAll()
        #expect(server.messages.count == 1)
        isGone.update { $0 = false }
        #expect(try call("POST", "/hooks/\(id)/enable").json.objectValue?["disabled_at"] == .null)
        #expect(try call("POST", "/hooks/\(id)/replay?since=0").outcome == "202")
        try deliverAll()
        #expect(server.messages.count == 3)
    }

    @Test func `a deleted hook takes its deliveries along, and is in no list`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, _) = try make(server)
        try release(1)
        #expect(try call("DELETE", "/hooks/\(id)").outcome == "204")
        try deliverAll()
        #expect(server.messages.isEmpty)
        #expect(try call("GET", "/hooks").json == .array([]))
        for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")] {
            #expect(try call(method, "/hooks/\(id)\(path)").outcome == "404 hook-not-found")
        }
    }

    @Test func `each change of a hook is in the audit log`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, _) = try make(server)
        #expect(try call("PATCH", "/hooks/\(id)", #"{"label":"Chat"}"#).outcome == "200")
        for step in ["rotate", "enable", "test", "replay?since=0"] { _ = try call("POST", "/hooks/\(id)/\(step)") }
        #expect(try call("DELETE", "/hooks/\(id)").outcome == "204")
        let lines = try connection.run(
            Statement("-- name: test_audit\nselect action from audit_log where subject = '\(id)' order by id"))
        #expect(
            try lines.map { try $0.text("action") } == [
                "hook.create", "hook.change", "hook.rotate", "hook.enable", "hook.test", "hook.replay", "hook.delete",
            ])
    }

    @Test func `proposals and tokens that end soon are told of once`() throws {
        let server = try ScriptedServer { _ in .response() }
        let (id, _) = try make(server)
        #expect(
            try call("PATCH", "/hooks/\(id)", #"{"types":["token.expiring","proposal.expiring"]}"#).outcome == "200")
        try connection.execute(
            script: """
                insert into api_tokens (id, digest, label, scopes, expires_at)
                values ('soon4567', decode(repeat('ab', 32), 'hex'), 'Build server', '{config:read}',
                        now() + interval '6 days'),
                    ('late4567', decode(repeat('cd', 32), 'hex'), 'Next year', '{config:read}',
                        now() + interval '8 days');
                insert into proposals (title, state, author, author_kind, changed_at)
                select s, s, 'ada', 'host', now() - interval '13 days 1 hour' from unnest('{draft,open}'::text[]) s;
                insert into proposals (title, state, author, author_kind) values ('new', 'open', 'ada', 'host')
                """)
        for _ in 0..<2 { _ = try deliverer.tidy() }
        try deliverAll()
        #expect(server.messages.count == 2)
        #expect(server.messages.contains { $0.contains(#""token":"soon4567""#) && $0.contains("Build server") })
        #expect(server.messages.contains { $0.contains(#""type":"proposal.expiring""#) && $0.contains(#""number":2"#) })
    }
}
