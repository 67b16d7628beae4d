import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacIdentity

@Suite(.database(.migrated)) struct SessionTests {
    private let host: SessionFixture

    init() throws { host = try SessionFixture() }

    @Test func `a token that is pasted signs its owner in, with its scopes and no more`() throws {
        let token = try host.token(.configWrite, label: "release job", owner: "ada")
        let answer = try host.send("POST", "/session", #"{"token":"\#(token.text)"}"#)
        #expect(answer.status == 201)
        let field = try #require(answer.response.header("Set-Cookie"))
        let form =
            #/__Host-almanac-staging=[A-Za-z0-9_-]{43}; Max-Age=([0-9]+); Path=/; Secure; HttpOnly; SameSite=Strict/#
        let match = try #require(field.wholeMatch(of: form), "\(field)")
        let age = try #require(Int(match.output.1))
        #expect((12 * 3600 - 10...12 * 3600).contains(age))
        #expect(answer.response.header("Cache-Control") == "no-store")

        let shown = try host.send(with: try #require(answer.cookie))
        #expect(shown.status == 200 && shown.json == answer.json)
        #expect(shown["name"] == "ada" && shown["kind"] == "user" && shown["token_id"] == .string(token.id))
        #expect(shown["scopes"] == .array([.string("config:write")]))
        let session = try #require(shown["session"].objectValue)
        #expect(session["application"] == "console")
        #expect(shown["expires_at"] == session["expires_at"])
        #expect(try host.audit == ["session.signed_in ada user token"])
        // The digest in the database cannot be used as a cookie.
        let digest = try host.observer.run(Statement("-- name: test_digest\nselect digest from sessions"))[0]
            .bytes("digest")
        #expect(!field.contains(SessionSecret(digest).text))
    }

    @Test func `a user's token signs in at the notes pages, without scopes, until it ends`() throws {
        let cookie = try host.signIn("user-alice", at: .notes)
        let shown = try host.send(with: cookie, at: .notes)
        #expect(shown["name"] == "alice" && shown["kind"] == "user" && shown["scopes"] == .array([]))
        let request = Request(
            method: "GET", target: try Target("/staging/notes"),
            headers: Headers([(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Cookie", value: cookie)]),
            application: .notes, id: "test")
        let authenticator = host.context.authenticator
        #expect(try authenticator.user(of: request).subject == "alice")
        host.clock.advance(by: .seconds(590))
        #expect(try authenticator.freshUser(of: request).subject == "alice")
        host.clock.advance(by: .seconds(20))
        #expect(try authenticator.user(of: request).subject == "alice")
        let refusal = #expect(throws: Problem.self) { try authenticator.freshUser(of: request) }
        #expect(refusal?.kind == .freshSignInNeeded)
        host.clock.advance(by: .seconds(3000))
        #expect(try host.send(with: cookie, at: .notes).problem == "session-ended")
        // The audit log contains no users' sign-ins to their notes.
        #expect(try host.audit == [])
    }

    @Test func `a page of one user does nothing once another has signed in beside it`() throws {
        let alice = try host.signIn("user-alice", at: .notes)
        let bob = try host.signIn("user-b%b", at: .notes)
        func outcome(_ cookie: String, _ name: String) throws -> String {
            let headers = SessionFixture.page + [("Cookie", cookie), ("Almanac-User", name)]
            let answer = try host.send("GET", "/session", "", headers, at: .notes)
            return answer.problem ?? "\(answer.status)"
        }
        #expect(try outcome(alice, "alice") == "200")
        #expect(try outcome(bob, "b%25b") == "200")
        #expect(try outcome(bob, "alice") == "session-of-another-user")
        #expect(try outcome(bob, "b%25%62b") == "session-of-another-user")
        #expect(try outcome(bob, "b%FF") == "invalid-header")
        #expect(try outcome(bob, "") == "session-of-another-user")
    }

    @Test func `a token that only evaluates flags opens no session, and is not written down`() throws {
        let token = try host.token(.flagsEvaluate).text
        let pasted = try host.send("POST", "/session", #"{"token":"\#(token)"}"#)
        #expect(pasted.status == 403 && pasted.problem == "scope-too-small" && pasted.cookie == nil)
        let linked = try host.send("POST", "/session/link", "", [("Authorization", "Bearer \(token)")])
        #expect(linked.problem == "scope-too-small")
        #expect(try host.audit == [] && host.count == 0)
    }

    @Test func `an operator at the console has no notes`() throws {
        let cookie = try host.signIn(host.token(.admin).text)
        let request = Request(
            method: "GET", target: try Target("/staging/notes"),
            headers: Headers([(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Cookie", value: cookie)]),
            application: .console, id: "test")
        #expect(problem { try host.context.authenticator.user(of: request) }?.kind == .scopeTooSmall)
    }

    @Test func `a session ends with the token that it was made of`() throws {
        let (first, second) = (try host.token(.admin), try host.token(.admin))
        let (one, other) = (try host.signIn(first.text), try host.signIn(second.text))
        try host.revoke(first.id)
        #expect(try host.send(with: one).problem == "session-ended")
        #expect(try host.send(with: other).status == 200)
        // The ended session is also removed from the list.
        #expect(try host.send("GET", "/sessions", with: other).json.arrayValue?.count == 1)
        _ = try host.administration.rotate(
            id: second.id, to: APIToken(environment: "staging"), expiresAt: nil, overlap: 60)
        try host.tokens.refresh()
        #expect(try host.send(with: other).status == 200)
        // The overlap starts by the database's clock, which runs while the test's clock stands still.
        host.clock.advance(by: .seconds(3600))
        #expect(try host.send(with: other).problem == "session-ended")
    }

    @Test func `a token that expires takes the session with it, and says so before`() throws {
        let end = host.sessions.now.advanced(bySeconds: 600)
        let token = try host.token(.configRead, expiresAt: end)
        let cookie = try host.signIn(token.text)
        #expect(try host.send(with: cookie)["expires_at"] == .string("\(end)"))
        host.clock.advance(by: .seconds(600))
        #expect(try host.send(with: cookie).problem == "session-ended")
    }

    @Test func `a session that goes unused ends, one that is used goes on, and none for longer than it may`() throws {
        let token = try host.token(.configRead)
        let (idle, used) = (try host.signIn(token.text), try host.signIn(token.text))
        for hours in 1...11 {
            host.clock.advance(by: .seconds(3600))
            #expect(try host.send(with: used).status == 200, "after \(hours) hours")
            if hours % 3 == 0 { try host.sessions.recordUses() }
        }
        #expect(try host.send(with: idle).problem == "session-ended")
        let last = try host.send(with: used)["session"].objectValue?["last_used_at"]?.stringValue
        #expect(last.flatMap { Timestamp($0) } == host.sessions.now)
        host.clock.advance(by: .seconds(3600))
        #expect(try host.send(with: used).problem == "session-ended")
    }

    @Test func `another process sees uses once they are written down, and never takes them back`() throws {
        let cookie = try host.signIn(try host.token(.configRead).text)
        let other = SessionStore(
            host.settings, pool: host.pool, tokens: host.tokens, people: host.sessions.people, clock: host.clock.server)
        let request = Request(
            method: "GET", target: try Target("/staging/session"),
            headers: Headers([(name: "Sec-Fetch-Site", value: "same-origin"), (name: "Cookie", value: cookie)]),
            application: .console, id: "test")
        #expect(try other.caller(of: request) != nil)
        host.clock.advance(by: .seconds(7000))
        #expect(try host.send(with: cookie).status == 200)
        try host.sessions.recordUses()
        host.clock.advance(by: .seconds(7000))
        // The worker's cached session is outdated, so it reads the session again before it refuses.
        #expect(try other.caller(of: request) != nil)
    }

    @Test func `signing out ends the session and clears the cookie`() throws {
        let cookie = try host.signIn(try host.token(.admin).text)
        let answer = try host.send("DELETE", with: cookie)
        #expect(answer.status == 204)
        #expect(
            answer.response.header("Set-Cookie")
                == "__Host-almanac-staging=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict")
        #expect(answer.response.header("Clear-Site-Data") == "\"cache\"")
        #expect(try host.send(with: cookie).problem == "session-ended")
        #expect(try host.count == 0)
        #expect(try host.audit == ["session.signed_in ops user token", "session.signed_out ops user"])
        // A second sign-out has no effect; without a cookie it is refused.
        #expect(try host.send("DELETE", with: cookie).status == 204)
        #expect(try host.send("DELETE", "/session").status == 401)
    }

    @Test func `signing in again ends the session before`() throws {
        let token = try host.token(.admin)
        let first = try host.signIn(token.text)
        let again = try host.send("POST", "/session", #"{"token":"\#(token.text)"}"#, with: first)
        #expect(again.status == 201)
        #expect(try host.send(with: first).problem == "session-ended")
        #expect(try host.send(with: try #require(again.cookie)).status == 200)
        #expect(try host.count == 1)
    }

    @Test func `who asks sees their own sessions, an administrator all, and ends no others'`() throws {
        let (admin, reader) = (try host.token(.admin), try host.token(.configRead, label: "reader"))
        let (ops, mine) = (try host.signIn(admin.text), try host.signIn(reader.text))
        _ = try host.signIn("user-alice", at: .notes)
        // The list starts with the newest session, and sessions may share a millisecond without this change.
        try host.observer.execute(
            script: """
                update sessions set signed_in_at =
                    signed_in_at - array_position(array['alice', 'reader', 'ops'], name) * interval '1 s'
                """)
        let all = try #require(host.send("GET", "/sessions", with: ops).json.arrayValue)
        #expect(all.map { $0.objectValue?["name"] } == ["alice", "reader", "ops"])
        #expect(all.map { $0.objectValue?["current"] } == [false, false, true])
        let own = try #require(host.send("GET", "/sessions", with: mine).json.arrayValue)
        #expect(own.map { $0.objectValue?["name"] } == ["reader"])
        let id = try #require(all[2].objectValue?["id"]?.stringValue)
        #expect(try host.send("DELETE", "/sessions/\(id)", with: mine).problem == "session-not-found")
        let theirs = try #require(own[0].objectValue?["id"]?.stringValue)
        let other = try host.send("DELETE", "/sessions/\(theirs)", with: ops)
        #expect(other.status == 204 && other.response.header("Clear-Site-Data") == nil)
        #expect(try host.send(with: mine).problem == "session-ended")
        #expect(try host.send("DELETE", "/sessions/\(theirs)", with: ops).problem == "session-not-found")
        let ended = try host.send("DELETE", "/sessions/\(id)", with: ops).response
        #expect(ended.header("Set-Cookie") != nil && ended.header("Clear-Site-Data") == "\"cache\"")
        #expect(try host.audit.suffix(2) == ["session.revoked ops user", "session.revoked ops user"])
        // The bearer of the token that made the sessions has the same rights.
        _ = try host.signIn(reader.text)
        let bearer = [("Authorization", "Bearer \(reader.text)")]
        #expect(try host.send("GET", "/sessions", "", bearer, at: nil).json.arrayValue?.count == 1)
    }

    @Test func `the code of a link signs in once, as the owner of the token`() throws {
        let token = try host.token(.configRead, label: "reader")
        let made = try host.send("POST", "/session/link", "", [("Authorization", "Bearer \(token.text)")], at: nil)
        #expect(made.status == 201 && made["application"] == "console")
        let code = try #require(made["code"].stringValue)
        let body = #"{"code":"\#(code)"}"#
        let answer = try host.send("POST", "/session", body)
        #expect(answer.status == 201 && answer["scopes"] == .array([.string("config:read")]))
        #expect(try host.send("POST", "/session", body).problem == "sign-in-expired")
        #expect(try host.audit == ["session.signed_in reader user code"])
        try host.revoke(token.id)
        #expect(try host.send(with: try #require(answer.cookie)).problem == "session-ended")
    }

    @Test(arguments: [Application.console, .notes])
    func `a code ends nobody else's session unasked, and stays good until the user agrees`(at: Application) throws {
        let tokens =
            at == .notes
            ? ["user-alice", "user-bob"]
            : [
                try host.token(.admin, label: "alice").text, try host.token(.configRead, label: "bob").text,
            ]
        let cookie = try host.signIn(tokens[0], at: at)
        let code = try host.linkCode(of: tokens[1])
        for body in [#"{"code":"\#(code)"}"#, #"{"code":"\#(code)","replaces":false}"#] {
            let refusal = try host.send("POST", "/session", body, with: cookie, at: at)
            #expect(refusal.status == 409 && refusal.problem == "session-would-end" && refusal.cookie == nil)
            let detail = try #require(refusal["detail"].stringValue)
            #expect(detail.hasPrefix("alice is signed in, and the code would sign in bob"))
            let people = [refusal["signed_in"], refusal["would_be"]].map(\.objectValue)
            #expect(people.map { $0?["name"] } == ["alice", "bob"])
            #expect(people.allSatisfy { $0?["kind"] == "user" })
            #expect(people.allSatisfy { ($0?["token_id"] == nil) == (at == .notes) })
        }
        #expect(try host.send(with: cookie, at: at)["name"] == "alice")
        #expect(try host.count == 1)
        let agreed = #"{"code":"\#(code)","replaces":true}"#
        let answer = try host.send("POST", "/session", agreed, with: cookie, at: at)
        #expect(answer.status == 201 && answer["name"] == "bob")
        #expect(try host.send(with: cookie, at: at).problem == "session-ended")
        #expect(try host.send("POST", "/session", agreed, at: at).problem == "sign-in-expired")
        #expect(try host.count == 1)
        let lines = [
            "session.signed_in alice user token", "session.signed_in bob user code", "session.signed_out alice user",
        ]
        #expect(try host.audit == (at == .notes ? [] : lines))
    }

    @Test func `a code of who is signed in already, or where the session is over, asks nothing`() throws {
        let (first, second) = (try host.token(.admin), try host.token(.configRead))
        func answer(_ code: String, _ cookie: String) throws -> SessionResponse {
            try host.send("POST", "/session", #"{"code":"\#(code)"}"#, with: cookie)
        }
        let again = try answer(try host.linkCode(of: first.text), try host.signIn(first.text))
        #expect(again.status == 201)
        // A revoked token's cookie, a made-up cookie and a cookie of the notes pages do not count as signed in.
        let late = try host.linkCode(of: second.text)
        try host.revoke(first.id)
        #expect(try answer(late, try #require(again.cookie)).status == 201)
        let made = "__Host-almanac-staging=\(String(repeating: "B", count: 43))"
        #expect(try answer(try host.linkCode(of: second.text), made).status == 201)
        let reader = try host.signIn("user-alice", at: .notes)
        #expect(try answer(try host.linkCode(of: second.text), reader).status == 201)
        let user = try host.signIn("user-alice", at: .notes)
        let body = #"{"code":"\#(try host.linkCode(of: "user-alice"))"}"#
        #expect(try host.send("POST", "/session", body, with: user, at: .notes).status == 201)
    }

    @Test func `of many who use one code at once, one is signed in`() throws {
        let token = try host.token(.configRead)
        let code = try host.linkCode(of: token.text)
        let statuses = Monitor<[Int]>([])
        let threads = (0..<8).map { _ in
            Thread(name: "browser") { [host] in
                let answer = try? host.send("POST", "/session", #"{"code":"\#(code)"}"#)
                statuses.update { $0.append(answer?.status ?? 0) }
            }
        }
        for thread in threads { thread.wait(upTo: .seconds(60)) }
        #expect(statuses.read { $0.sorted() } == [201] + Array(repeating: 403, count: 7))
        #expect(try host.count == 1)
    }

    @Test func `tokens are for a sign-in of the last ten minutes`() throws {
        let token = try host.token(.admin)
        let cookie = try host.signIn(token.text)
        #expect(try host.send("GET", "/tokens", with: cookie).status == 200)
        host.clock.advance(by: .seconds(601))
        let body = #"{"label":"x","scopes":["admin"],"expires_at":null}"#
        for (method, path) in [
            ("GET", "/tokens"), ("POST", "/tokens"), ("DELETE", "/tokens/\(token.id)"),
            ("POST", "/tokens/\(token.id)/rotate"),
        ] {
            let answer = try host.send(method, path, body, with: cookie)
            #expect(answer.status == 403 && answer.problem == "fresh-sign-in-needed", "\(method) \(path)")
        }
        // Reading the audit log and requests with a token still succeed.
        #expect(try host.send("GET", "/audit", with: cookie).status == 200)
        #expect(try host.send("GET", "/tokens", "", [("Authorization", "Bearer \(token.text)")], at: nil).status == 200)
    }

    @Test func `a session that ended elsewhere is refused as soon as that is announced`() throws {
        let cookie = try host.signIn(try host.token(.admin).text)
        #expect(try host.send(with: cookie).status == 200)
        let subscription = try Subscription(
            host.settings.database, channels: [SessionStore.channel], interval: .seconds(60),
            threadName: "listen-sessions"
        ) { [sessions = host.sessions] in sessions.apply($0) }
        defer { subscription.stop() }
        let end = Statement(
            "-- name: test_end\nselect end_session(id, 'session.revoked', 'me', 'host', null) from sessions")
        // The subscription may already listen or start later; both lead to a refusal.
        try host.observer.run(end)
        #expect(eventually { (try? host.send(with: cookie).problem) == "session-ended" })
    }

    @Test func `what is over is removed, and nothing else`() throws {
        let (ended, alive) = (try host.token(.admin), try host.token(.admin))
        _ = try host.signIn(ended.text)
        let cookie = try host.signIn(alive.text)
        for token in [ended, alive] {
            _ = try host.send("POST", "/session/link", "", [("Authorization", "Bearer \(token.text)")], at: nil)
        }
        try host.observer.execute(
            script: """
                update sessions set expires_at = clock_timestamp() - interval '1 s' where token_id = '\(ended.id)';
                update session_codes set expires_at = clock_timestamp() - interval '1 s' where token_id = '\(ended.id)';
                """)
        #expect(try host.sessions.removeEnded() == false)
        #expect(try host.count == 1)
        #expect(try host.send(with: cookie).status == 200)
        let codes = Statement("-- name: test_codes\nselect count(*) as count from session_codes")
        #expect(try host.observer.run(codes)[0].integer("count") == 1)
    }

    @Test func `the environments are listed for whom they are for`() throws {
        let token = try host.token(.configRead)
        let cookie = try host.signIn(token.text)
        func list(_ headers: [(String, String)], at application: Application? = .console) throws -> SessionResponse {
            let request = Request(
                method: "GET", target: try Target("/environments"),
                headers: Headers(headers.map { (name: $0.0, value: $0.1) }), application: application, id: "test")
            do {
                let (route, captures) = try Router(IdentityRoutes.directory).route(request)
                return try SessionResponse(try route.answer(request, captures, [host.context]))
            } catch let problem as Problem {
                return try SessionResponse(problem.response(requestID: "test"))
            }
        }
        #expect(try list([]).json == .array([]))
        #expect(try list(SessionFixture.page + [("Cookie", cookie)], at: .notes).json == .array([]))
        #expect(try list([("Authorization", "Bearer almanac_other_x")], at: nil).status == 401)
        let seen = try list(SessionFixture.page + [("Cookie", cookie)])
        #expect(seen.response.header("Cache-Control") == "no-store")
        let environment = try #require(seen.json.arrayValue?.first?.objectValue)
        #expect(environment["name"] == "staging" && environment["config_read"] == "token")
        #expect(environment["color"] == .null && environment["caution"] == false)
        #expect(environment["sign_in"] == .array(["passkey", "token"]))
        #expect(environment["session"] == (try host.send(with: cookie).json))
        let bearer = try list([("Authorization", "Bearer \(token.text)")], at: nil)
        #expect(bearer.json.arrayValue?.first?.objectValue?["session"]?.objectValue?["session"] == nil)
    }
}
