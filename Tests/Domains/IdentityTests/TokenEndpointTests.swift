import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacIdentity

@Suite(.database(.migrated)) struct TokenEndpointTests {
    private let tokens: TokenFixture
    private let admin: APIToken
    private let context: IdentityContext

    init() throws {
        tokens = try TokenFixture()
        admin = try tokens.make("ops", [.admin]).token
        try tokens.store.refresh()
        let settings = EnvironmentSettings(
            name: try #require(EnvironmentName("staging")),
            database: tokens.database.settings(user: TestDatabase.worker),
            owner: tokens.database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [],
            limits: Limits())
        context = IdentityContext(
            settings: settings, pool: tokens.pool, tokens: tokens.store,
            sessions: SessionStore(
                settings, pool: tokens.pool, tokens: tokens.store,
                people: PeopleStore(settings, pool: tokens.pool)),
            authenticator: tokens.authenticator)
    }

    private func call(
        _ method: String, _ path: String, _ body: String = "", as token: APIToken? = nil
    ) throws -> (status: Int, problem: String?, json: JSONValue) {
        let request = Request(
            method: method, target: try Target("/staging\(path)"),
            headers: Headers([(name: "Authorization", value: "Bearer \((token ?? admin).text)")]), id: "test",
            body: Body(length: body.utf8.count) { Array(body.utf8.prefix($0)) })
        let response: Response
        do {
            let (route, captures) = try Router(IdentityRoutes.all).route(request)
            response = try route.answer(request, captures, context)
        } catch let problem as Problem {
            response = problem.response(requestID: "test")
        }
        let json = try JSONValue(parsing: response.bytes)
        #expect(response.header("Cache-Control") == "no-store")
        let type = json.objectValue?["type"]?.stringValue
        return (response.status, type.map { String($0.dropFirst("urn:almanac:problem:".count)) }, json)
    }

    @Test func `a token that is made over HTTP is shown once, works at once, and is ended at once`() throws {
        let made = try call(
            "POST", "/tokens",
            #"{"label": "banners", "scopes": ["config:write:app.banner.*"], "expires_at": "2099-01-01T00:00:00Z"}"#)
        #expect(made.status == 201)
        let text = try #require(made.json.objectValue?["token"]?.stringValue)
        let id = try #require(made.json.objectValue?["id"]?.stringValue)
        let token = try #require(APIToken(text, environment: "staging"))
        #expect(try tokens.caller(token).scopes.map(\.rawValue) == ["config:write:app.banner.*"])

        // The change separates two times that may fall into the same millisecond.
        try Connection(tokens.database.settings).execute(
            script: "update api_tokens set created_at = created_at - interval '1 s' where label = 'ops'")
        let list = try call("GET", "/tokens")
        let listed = try #require(list.json.arrayValue).compactMap(\.objectValue)
        #expect(listed.map { $0["label"] } == ["ops", "banners"])
        #expect(listed[1]["expires_at"] == "2099-01-01T00:00:00.000Z" && listed[1]["token"] == nil)
        // The list already includes the use of this request's own token.
        #expect(listed[0]["last_used_at"]?.stringValue != nil)
        #expect(!"\(list.json)".contains(text.suffix(43)) && !"\(list.json)".contains("digest"))

        #expect(try call("DELETE", "/tokens/\(id)").json.objectValue?["revoked_at"]?.stringValue != nil)
        #expect(problem { try tokens.caller(token) }?.kind == .tokenRefused)
        #expect(try call("DELETE", "/tokens/\(id)").status == 200)
        let by = try tokens.record(try #require(try tokens.caller(admin).tokenID)).id
        #expect(
            try tokens.audit().suffix(2) == [
                "token.create ops token \(by) \(id)", "token.revoke ops token \(by) \(id)",
            ])
    }

    @Test func `a token that is rotated over HTTP overlaps with its successor`() throws {
        let (old, record) = try tokens.make("job", [.configRead])
        try tokens.store.refresh()
        let made = try call("POST", "/tokens/\(record.id)/rotate", #"{"overlap_seconds": 3600}"#)
        #expect(made.status == 201 && made.json.objectValue?["label"] == "job")
        let text = try #require(made.json.objectValue?["token"]?.stringValue)
        let new = try #require(APIToken(text, environment: "staging"))
        #expect(try [old, new].map { try tokens.caller($0).name } == ["job", "job"])
        #expect(try tokens.record(record.id).expiresAt != nil)
        let other = try call("POST", "/tokens/nothing0/rotate", #"{"overlap_seconds": 0}"#)
        #expect(other.status == 404 && other.problem == "token-not-found")
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"label": "x", "scopes": ["admin"]}"#,
        #"{"label": "", "scopes": ["admin"], "expires_at": null}"#,
        #"{"label": "a\nb", "scopes": ["admin"], "expires_at": null}"#,
        #"{"label": "x", "scopes": [], "expires_at": null}"#,
        #"{"label": "x", "scopes": ["root"], "expires_at": null}"#,
        #"{"label": "x", "scopes": ["admin", "admin"], "expires_at": null}"#,
        #"{"label": "x", "scopes": ["config:write:*"], "expires_at": null}"#,
        #"{"label": "x", "scopes": "admin", "expires_at": null}"#,
        #"{"label": "x", "scopes": ["admin"], "expires_at": "2001-01-01T00:00:00Z"}"#,
        #"{"label": "x", "scopes": ["admin"], "expires_at": 3600}"#,
        #"{"label": "x", "scopes": ["admin"], "expires_at": null, "days": 3}"#,
    ])
    func `a token that is not asked for rightly is not made`(body: String) throws {
        let answer = try call("POST", "/tokens", body)
        #expect([400, 422].contains(answer.status) && answer.problem != nil)
        #expect(try tokens.administration.list().count == 1)
    }

    @Test(arguments: [
        "{}", #"{"overlap_seconds": -1}"#, #"{"overlap_seconds": 7776001}"#, #"{"overlap_seconds": "1"}"#,
    ])
    func `a rotation without a sensible overlap does nothing`(body: String) throws {
        let id = try #require(try tokens.caller(admin).tokenID)
        #expect(try call("POST", "/tokens/\(id)/rotate", body).problem == "invalid-value")
        #expect(try tokens.administration.list().count == 1)
    }

    @Test(arguments: [.configRead, .configWrite, Scope(rawValue: "config:write:a*")!])
    func `only administrators see or touch tokens and the audit log`(scope: Scope) throws {
        let (token, record) = try tokens.make("other", [scope])
        try tokens.store.refresh()
        for (method, path) in [
            ("GET", "/tokens"), ("POST", "/tokens"), ("DELETE", "/tokens/\(record.id)"),
            ("POST", "/tokens/\(record.id)/rotate"), ("GET", "/audit"), ("DELETE", "/tokens/nothing0"),
        ] {
            let answer = try call(method, path, "[", as: token)
            #expect(answer.status == 403 && answer.problem == "scope-too-small", "\(method) \(path)")
            let unknown = try call(method, path, "[", as: APIToken(environment: "staging"))
            #expect(unknown.status == 401, "\(method) \(path)")
        }
        #expect(try tokens.administration.list().count == 2)
    }

    @Test func `the audit log is read back in pages, by author, action and time`() throws {
        for index in 1...5 { _ = try tokens.make("token \(index)") }
        _ = try TokenAdministration(
            Connection(tokens.database.settings(user: TestDatabase.owner)), by: Author("alice", .host)
        ).revoke(id: try #require(try tokens.administration.list().last).id)
        func read(_ query: String) throws -> [JSONObject] {
            try #require(try call("GET", "/audit\(query)").json.arrayValue).compactMap(\.objectValue)
        }
        let all = try read("")
        #expect(all.map { $0["action"]?.stringValue } == ["token.revoke"] + Array(repeating: "token.create", count: 6))
        let ids = all.compactMap { $0["id"]?.numberValue?.int64 }
        #expect(ids == ids.sorted(by: >) && Set(ids).count == 7)
        // Reading page by page must give the same lines.
        var pages: [JSONObject] = []
        var before = ""
        while true {
            let page = try read("?limit=3\(before)")
            if page.isEmpty { break }
            pages += page
            before = "&before=\(page.last?["id"]?.description ?? "")"
        }
        #expect(pages == all)
        #expect(try read("?author=alice").map { $0["author_kind"] } == ["host"])
        #expect(try read("?action=token.create&limit=1000").count == 6)
        #expect(try read("?author=nobody").isEmpty)
        try Connection(tokens.database.settings).execute(
            script: "update audit_log set recorded_at = '2001-01-01' where id <= (select min(id) + 1 from audit_log)")
        #expect(try read("?until=2001-01-01T00:00:00.001Z").count == 2)
        #expect(try read("?until=2001-01-01T00:00:00Z").isEmpty)
        #expect(try read("?since=2001-01-01T00:00:00Z").count == 7)
        #expect(try read("?since=2002-01-01T00:00:00%2B02:00").count == 5)
        for wrong in ["?since=yesterday", "?limit=0", "?limit=1001", "?before=x", "?until=", "?what=1"] {
            #expect(try call("GET", "/audit\(wrong)").problem == "invalid-parameter", "\(wrong)")
        }
        // The log must not contain any secret.
        let dump = "\(try call("GET", "/audit").json)"
        #expect(!dump.contains("almanac_staging_") && !dump.contains("digest"))
    }
}
