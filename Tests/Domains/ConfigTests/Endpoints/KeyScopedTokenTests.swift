import AlmanacEnvironments
import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

/// Tests tokens that may change only some keys.
@Suite(.database(.migrated)) struct KeyScopedTokenTests {
    private let instance: ConfigInstance
    private let authorization: (String, String)

    init() throws {
        instance = try ConfigInstance(configRead: .token)
        let scopes = ["config:write:app.banner.*", "config:write:app.theme"].compactMap { Scope(rawValue: $0) }
        let administration = TokenAdministration(
            try Connection(instance.database.settings(user: TestDatabase.owner)), by: Author("tests", .host))
        let token = try administration.create(
            environment: "development", label: "banners", scopes: scopes, expiresAt: nil
        ).token
        try instance.tokens.refresh()
        authorization = ("Authorization", "Bearer \(token.text)")
    }

    private func call(_ method: String, _ path: String, _ body: String? = nil) throws -> TestResponse {
        try instance.call(method, path, body, as: nil, authorization)
    }

    @Test func `it changes its own keys by every call`() throws {
        #expect(try call("PUT", "/config/app.banner.text", #"{"value": "hi"}"#).status == 201)
        #expect(try call("POST", "/config", #"{"key": "app.banner.color", "value": "red"}"#).status == 201)
        #expect(try call("PATCH", "/config", #"{"app.theme": "dark", "app.banner.color": null}"#).status == 200)
        #expect(try call("DELETE", "/config/app.banner.text").status == 200)
        #expect(try call("POST", "/releases/1/restore").status == 200)
        #expect(try instance.config() == ["app.banner.text": "hi"])
    }

    @Test func `it reads as any token that reads`() throws {
        try instance.put("other", "1")
        for path in [
            "/config", "/config.json", "/config/other", "/releases", "/releases/1", "/config/other/history", "/majors",
        ] {
            #expect(try call("GET", path).status == 200, "\(path)")
        }
    }

    @Test(arguments: [
        ("PUT", "/config/other", #"{"value": 2}"#), ("PUT", "/config/app.banner", #"{"value": 2}"#),
        ("PUT", "/config/app.themes", #"{"value": 2}"#), ("PUT", "/config/other", #"{"value": 1}"#),
        ("POST", "/config", #"{"key": "new", "value": 1}"#), ("DELETE", "/config/other", nil),
        ("DELETE", "/config/missing", nil),
        ("PATCH", "/config", #"{"app.theme": "dark", "other": 2, "app.banner.text": "hi"}"#),
        ("PATCH", "/config", #"{"app.theme": "dark", "other": null}"#),
        ("POST", "/releases/1/restore", nil), ("POST", "/releases/1/restore?dry_run=true", nil),
        ("PATCH", "/config?dry_run=true", #"{"app.theme": "dark", "other": 2}"#),
        ("PATCH", "/config?replace=true", #"{"app.theme": "dark", "other": {}}"#),
        ("PATCH", "/config?replace=true&form=entries&dry_run=true", #"{"other": {"description": "x"}}"#),
    ])
    func `a change of any other key is refused as a whole, and the keys are named`(
        method: String, path: String, body: String?
    ) throws {
        try instance.put("other", "1")
        try instance.put("app.theme", #""light""#)
        try instance.patch(#"{"other": 3, "app.theme": "bright"}"#)
        let before = try instance.call("GET", "/config").body
        let answer = try call(method, path, body)
        #expect(answer.outcome == "403 keys-out-of-scope")
        let keys = try #require(answer[member: "keys"]?.arrayValue).compactMap(\.stringValue)
        #expect(keys.count == 1 && answer[member: "detail"]?.stringValue?.contains(keys[0]) == true)
        #expect(answer[member: "detail"]?.stringValue?.contains("only app.banner.*, app.theme") == true)
        #expect(try instance.call("GET", "/config").body == before)
        #expect(instance.snapshot.head.revision == 3)
    }

    @Test func `it may neither purge nor retire, nor restore what would touch other keys`() throws {
        try instance.put("app.theme", "1")
        try instance.put("app.theme", #""text""#)
        #expect(try call("DELETE", "/config/app.theme?purge=true").outcome == "403 scope-too-small")
        #expect(try call("DELETE", "/majors/1").outcome == "403 scope-too-small")
        // The restore changes only keys that the token may change.
        #expect(try call("POST", "/releases/1/restore").status == 200)
    }

    @Test func `many refused keys are all in the answer, and few in its text`() throws {
        let patch = (0..<300).map { "\"other.\($0)\": 1" }.joined(separator: ",")
        let answer = try call("PATCH", "/config", "{\(patch)}")
        #expect(answer[member: "keys"]?.arrayValue?.count == 300)
        #expect(answer[member: "detail"]?.stringValue?.hasSuffix("and 280 more") == true)
    }

    @Test func `a user's token with such a scope is equal to one`() throws {
        let caller = Caller(
            user: VerifiedUser(issuer: "https://login.example.com/", subject: "alice"),
            scopes: ["config:write:app.*", "openid"].compactMap(Scope.init(rawValue:)), expiresAt: .latest)
        #expect(caller.changeableKeys?.includes("app.theme") == true)
        #expect(caller.changeableKeys?.includes("other") == false)
    }
}
