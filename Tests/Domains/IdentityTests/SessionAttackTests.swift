import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Sends requests that try to use another user's session or exceed its scopes. All must be refused.
@Suite(.database(.migrated)) struct SessionAttackTests {
    /// A signed-in browser, with the data that an attacker may know.
    struct Victim {
        let host: SessionFixture
        /// The `Cookie` header of the browser: `name=value`.
        let cookie: String
        let token: String
        var value: String { String(cookie.split(separator: "=")[1]) }
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let problem: String
        var method = "GET"
        var path = "/session"
        var body = ""
        var application: Application? = .console
        let headers: @Sendable (Victim) -> [(String, String)]

        init(
            _ description: String, _ method: String = "GET", _ path: String = "/session", _ body: String = "",
            at application: Application? = .console, is status: Int, _ problem: String,
            _ headers: @escaping @Sendable (Victim) -> [(String, String)]
        ) {
            (testDescription, self.status, self.problem) = (description, status, problem)
            (self.method, self.path, self.body, self.application) = (method, path, body, application)
            self.headers = headers
        }
    }

    private static let own = ("Sec-Fetch-Site", "same-origin")
    private static let mark = ("Almanac-Session", "1")
    private static let token = #"{"label":"mine","scopes":["admin"],"expires_at":null}"#

    static let attacks: [Attack] = [
        // Requests from another site through the victim's browser.
        Attack("a page of another site reads", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "cross-site"), mark, ("Cookie", $0.cookie)]
        },
        Attack("a page of another host of the same site reads", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "same-site"), mark, ("Cookie", $0.cookie)]
        },
        Attack("an address typed or a link in a mail", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "none"), mark, ("Cookie", $0.cookie)]
        },
        Attack("no Sec-Fetch-Site at all", is: 401, "token-needed") { [mark, ("Cookie", $0.cookie)] },
        Attack("an empty Sec-Fetch-Site", is: 401, "token-needed") {
            [("Sec-Fetch-Site", ""), mark, ("Cookie", $0.cookie)]
        },
        Attack("two words in Sec-Fetch-Site", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "same-origin, cross-site"), mark, ("Cookie", $0.cookie)]
        },
        Attack("the right Sec-Fetch-Site, and after it that of another site", is: 401, "token-needed") {
            [own, ("Sec-Fetch-Site", "cross-site"), mark, ("Cookie", $0.cookie)]
        },
        Attack("Sec-Fetch-Site in other letters", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "Same-Origin"), mark, ("Cookie", $0.cookie)]
        },
        Attack("Origin and Referer instead of Sec-Fetch-Site", is: 401, "token-needed") {
            [
                ("Origin", "https://console.example.com"), ("Referer", "https://console.example.com/"), mark,
                ("Cookie", $0.cookie),
            ]
        },
        Attack("a form of another site makes a token", "POST", "/tokens", token, is: 401, "token-needed") {
            [("Sec-Fetch-Site", "cross-site"), ("Cookie", $0.cookie)]
        },
        Attack("a form of the same host makes a token", "POST", "/tokens", token, is: 401, "token-needed") {
            [own, ("Cookie", $0.cookie)]
        },
        Attack("the header with another value", "POST", "/tokens", token, is: 401, "token-needed") {
            [own, ("Almanac-Session", "true"), ("Cookie", $0.cookie)]
        },
        Attack("the header with an empty value", "DELETE", "/sessions/abc", is: 401, "token-needed") {
            [own, ("Almanac-Session", ""), ("Cookie", $0.cookie)]
        },
        Attack("a sign-out by a form", "DELETE", is: 401, "token-needed") { [own, ("Cookie", $0.cookie)] },
        Attack("a sign-out from another site", "DELETE", is: 401, "token-needed") {
            [("Sec-Fetch-Site", "cross-site"), mark, ("Cookie", $0.cookie)]
        },
        // The valid cookie in a wrong place.
        Attack("the console's cookie at the API's host", at: nil, is: 401, "token-needed") {
            [own, mark, ("Cookie", $0.cookie)]
        },
        Attack("the console's cookie at the notes pages", at: .notes, is: 401, "session-ended") {
            [own, mark, ("Cookie", $0.cookie)]
        },
        Attack("the client names the application", at: nil, is: 401, "token-needed") {
            [own, mark, ("Almanac-Application", "console"), ("Cookie", $0.cookie)]
        },
        Attack("the cookie's value under another environment's name", is: 401, "token-needed") {
            [own, mark, ("Cookie", "__Host-almanac-production=\($0.value)")]
        },
        Attack("the cookie without its prefix", is: 401, "token-needed") {
            [own, mark, ("Cookie", "almanac-staging=\($0.value)")]
        },
        Attack("the cookie in other letters", is: 401, "token-needed") {
            [own, mark, ("Cookie", "__host-almanac-staging=\($0.value)")]
        },
        Attack("the cookie's name as the end of another's", is: 401, "token-needed") {
            [own, mark, ("Cookie", "x__Host-almanac-staging=\($0.value)")]
        },
        Attack("the session's cookie as a bearer token", is: 401, "token-refused") {
            [own, mark, ("Authorization", "Bearer \($0.value)")]
        },
        // Cookies chosen by the attacker.
        Attack("a value of the attacker's choice", is: 401, "session-ended") { _ in
            [own, mark, ("Cookie", "__Host-almanac-staging=\(String(repeating: "A", count: 43))")]
        },
        Attack("the hash that the database has", is: 401, "session-ended") {
            [own, mark, ("Cookie", "__Host-almanac-staging=\(SessionSecret(SessionSecret($0.value)!.digest).text)")]
        },
        Attack("two cookies of the name, the victim's first", is: 401, "session-ended") {
            [own, mark, ("Cookie", "\($0.cookie); __Host-almanac-staging=\(String(repeating: "A", count: 43))")]
        },
        Attack("two cookies of the name, the victim's last", is: 401, "session-ended") {
            [own, mark, ("Cookie", "__Host-almanac-staging=; \($0.cookie)")]
        },
        Attack("the same cookie twice", is: 401, "session-ended") {
            [own, mark, ("Cookie", "\($0.cookie); \($0.cookie)")]
        },
        Attack("an empty cookie", is: 401, "session-ended") { _ in
            [own, mark, ("Cookie", "__Host-almanac-staging=")]
        },
        Attack("a cookie with another end", is: 401, "session-ended") {
            [own, mark, ("Cookie", $0.cookie + "A")]
        },
        Attack("a cookie cut short", is: 401, "session-ended") {
            [own, mark, ("Cookie", String($0.cookie.dropLast()))]
        },
        Attack("a cookie with padding", is: 401, "session-ended") { [own, mark, ("Cookie", $0.cookie + "=")] },
        Attack("a cookie in quotes", is: 401, "session-ended") {
            [own, mark, ("Cookie", "__Host-almanac-staging=\"\($0.value)\"")]
        },
        Attack("a cookie with a percent escape", is: 401, "session-ended") {
            [own, mark, ("Cookie", "__Host-almanac-staging=%41\($0.value.dropFirst())")]
        },
        Attack("a cookie of a megabyte", is: 401, "session-ended") { _ in
            [own, mark, ("Cookie", "__Host-almanac-staging=" + String(repeating: "A", count: 1 << 20))]
        },
        Attack("ten thousand other cookies", is: 401, "token-needed") { _ in
            [own, mark, ("Cookie", (0..<10_000).map { "a\($0)=b" }.joined(separator: "; "))]
        },
        Attack("SQL in the cookie", is: 401, "session-ended") { _ in
            [own, mark, ("Cookie", "__Host-almanac-staging=' or true; --")]
        },
        Attack("bytes beyond ASCII", is: 401, "session-ended") { _ in
            [own, mark, ("Cookie", "__Host-almanac-staging=" + String(repeating: "ä", count: 43))]
        },
        // A token in addition to the cookie.
        Attack("a bad token with a good cookie", is: 401, "token-refused") {
            [own, mark, ("Cookie", $0.cookie), ("Authorization", "Bearer almanac_staging_nonsense")]
        },
        Attack("an empty Authorization with a good cookie", is: 401, "token-needed") {
            [own, mark, ("Cookie", $0.cookie), ("Authorization", "")]
        },
        Attack("the cookie makes a link", "POST", "/session/link", is: 401, "token-needed") {
            [own, mark, ("Cookie", $0.cookie)]
        },
        // Sign-in requests.
        Attack("a sign-in from another site", "POST", "/session", #"{"token":"x"}"#, is: 400, "invalid-header") { _ in
            [("Sec-Fetch-Site", "cross-site"), mark]
        },
        Attack("a sign-in without the header", "POST", "/session", #"{"token":"x"}"#, is: 400, "invalid-header") { _ in
            [own]
        },
        Attack("a sign-in at the API's host", "POST", "/session", #"{"token":"x"}"#, at: nil, is: 404, "not-found") {
            _ in [own, mark]
        },
        Attack(
            "a user's token at the console", "POST", "/session", #"{"token":"user-alice"}"#, is: 403, "scope-too-small"
        ) { _ in [own, mark] },
        Attack("a code that is none", "POST", "/session", #"{"code":"abc"}"#, is: 403, "sign-in-expired") { _ in
            [own, mark]
        },
        Attack(
            "a code of the right form", "POST", "/session",
            "{\"code\":\"\(String(repeating: "A", count: 43))\"}", is: 403, "sign-in-expired"
        ) { _ in [own, mark] },
        Attack("a token with a line break", "POST", "/session", #"{"token":"a\r\nb"}"#, is: 401, "token-refused") {
            _ in [own, mark]
        },
        Attack("no token", "POST", "/session", "{}", is: 422, "invalid-value") { _ in [own, mark] },
        Attack("both a token and a code", "POST", "/session", #"{"token":"a","code":"b"}"#, is: 422, "invalid-value") {
            _ in [own, mark]
        },
        Attack(
            "a token that asks to replace", "POST", "/session", #"{"token":"a","replaces":true}"#, is: 422,
            "invalid-value"
        ) { _ in [own, mark] },
        Attack(
            "a replacement that is neither true nor false", "POST", "/session", #"{"code":"a","replaces":"true"}"#,
            is: 422, "invalid-value"
        ) { _ in [own, mark] },
        Attack(
            "a body without an end", "POST", "/session", String(repeating: "[", count: 20_000), is: 413,
            "body-too-large"
        ) { _ in [own, mark] },
    ]

    private func victim() throws -> Victim {
        let host = try SessionFixture()
        let token = try host.token(.admin).text
        return Victim(host: host, cookie: try host.signIn(token), token: token)
    }

    @Test(arguments: attacks) func `nobody gets in with`(attack: Attack) throws {
        let victim = try victim()
        let answer = try victim.host.send(
            attack.method, attack.path, attack.body, attack.headers(victim), at: attack.application)
        #expect(answer.status == attack.status && answer.problem == attack.problem, "\(answer)")
        #expect(answer.cookie == nil)
        // The victim's session must be unaffected.
        #expect(try victim.host.send(with: victim.cookie).status == 200)
        #expect(try victim.host.count == 1)
    }

    @Test func `a cookie that the attacker set before is not taken over by a sign-in`() throws {
        let victim = try victim()
        let chosen = "__Host-almanac-staging=\(String(repeating: "B", count: 43))"
        let answer = try victim.host.send("POST", "/session", #"{"token":"\#(victim.token)"}"#, with: chosen)
        let cookie = try #require(answer.cookie)
        #expect(answer.status == 201 && cookie != chosen)
        #expect(try victim.host.send(with: chosen).problem == "session-ended")
        #expect(try victim.host.send(with: cookie).status == 200)
    }

    @Test func `a session of one environment is none of another, though one process serves both`() throws {
        let victim = try victim()
        try TestDatabase.with(template: .migrated) { database in
            let other = try SessionFixture("production", on: database)
            let moved = "__Host-almanac-production=\(victim.value)"
            #expect(try other.send(with: moved).problem == "session-ended")
            #expect(try other.send(with: victim.cookie).problem == "token-needed")
            let code = try victim.host.linkCode(of: victim.token)
            #expect(try other.send("POST", "/session", #"{"code":"\#(code)"}"#).problem == "sign-in-expired")
        }
    }

    @Test func `a code is for the pages of whoever made it, and gives no more than they have`() throws {
        let host = try SessionFixture()
        // A user's code is invalid at the console, and an attempt there does not consume it.
        let users = try host.linkCode(of: "user-alice")
        #expect(try host.send("POST", "/session", #"{"code":"\#(users)"}"#).problem == "sign-in-expired")
        let notes = try host.send("POST", "/session", #"{"code":"\#(users)"}"#, at: .notes)
        #expect(notes.status == 201 && notes["scopes"] == .array([]))
        // An operator's code is invalid at the notes pages.
        let reader = try host.token(.configRead)
        let operators = try host.linkCode(of: reader.text)
        #expect(
            try host.send("POST", "/session", #"{"code":"\#(operators)"}"#, at: .notes).problem == "sign-in-expired")
        let console = try host.send("POST", "/session", #"{"code":"\#(operators)"}"#)
        let cookie = try #require(console.cookie)
        for (method, path) in [("GET", "/tokens"), ("POST", "/tokens"), ("GET", "/audit")] {
            let answer = try host.send(method, path, Self.token, with: cookie)
            #expect(answer.problem == "scope-too-small", "\(method) \(path)")
        }
        // A token revoked after the code was made signs nobody in.
        let late = try host.linkCode(of: reader.text)
        try host.revoke(reader.id)
        #expect(try host.send("POST", "/session", #"{"code":"\#(late)"}"#).status == 401)
        #expect(try host.send(with: cookie).problem == "session-ended")
    }

    @Test func `a code that is too old opens nothing`() throws {
        let host = try SessionFixture()
        let code = try host.linkCode(of: host.token(.admin).text)
        try host.observer.execute(script: "update session_codes set expires_at = clock_timestamp() - interval '1 ms'")
        #expect(try host.send("POST", "/session", #"{"code":"\#(code)"}"#).problem == "sign-in-expired")
        #expect(try host.count == 0)
    }
}
