import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Tests who is a person, what an administrator changes, and what a removal ends.
@Suite(.database(.migrated)) struct PeopleTests {
    private let host: SessionFixture
    private let admin: String

    init() throws {
        host = try SessionFixture()
        admin = try host.token(.admin, label: "release job", owner: "root").text
    }

    private func call(
        _ method: String, _ path: String, _ body: String = "", as token: String? = nil
    ) throws -> SessionResponse {
        try host.send(method, path, body, [("Authorization", "Bearer \(token ?? admin)")], at: nil)
    }

    /// Returns the people by subject.
    private func people() throws -> [String: JSONObject] {
        let list = try #require(try call("GET", "/people").json.arrayValue?.compactMap(\.objectValue))
        return Dictionary(uniqueKeysWithValues: list.map { ($0["subject"]?.stringValue ?? "", $0) })
    }

    private func id(_ subject: String) throws -> String {
        try #require(try people()[subject]?["id"]?.stringValue)
    }

    /// Invites a person by SQL, and returns the id.
    private func invite(_ subject: String, _ role: String) throws -> String {
        try host.observer.execute(
            script: """
                insert into people (id, issuer, subject, name, role, source, scopes) values ('\(subject)00000000',
                    '\(host.settings.ownerIssuer)', '\(subject)', 'Invited', '\(role)', 'invitation', '{config:read}')
                """)
        try host.sessions.people.refresh()
        return "\(subject)00000000"
    }

    @Test func `people appear at their first use, and users of notes alone are none`() throws {
        #expect(try call("GET", "/session", as: "reader-bob")["person"] == .null)
        let shown = try call("GET", "/session", as: "user-alice")
        #expect(shown["person"].objectValue?["name"] == "The alice")
        let people = try people()
        #expect(people.keys.sorted() == ["alice", "root"])
        let alice = try #require(people["alice"])
        #expect(alice["source"] == "claim" && alice["role"] == "admin" && alice["scopes"] == .array(["admin"]))
        #expect(alice["last_seen_at"] != .null && alice["removed_at"] == .null && alice["passkeys"] == 0)
        let root = try #require(people["root"])
        #expect(root["source"] == "token" && root["role"] == .null)
        let token = try #require(root["tokens"]?.arrayValue?.first?.objectValue)
        #expect(root["last_seen_at"] == token["last_used_at"] && token["last_used_at"] != .null)
        #expect(root["tokens"]?.arrayValue?.map { $0.objectValue?["label"] } == ["release job"])
        #expect(try call("GET", "/people", as: host.token(.configWrite).text).problem == "scope-too-small")
    }

    @Test func `sign-ins of one person with a token count as one person`() throws {
        let other = try host.token(.configRead, owner: "root").text
        for token in [admin, other, admin] { _ = try host.signIn(token) }
        let root = try #require(try people()["root"])
        #expect(root["source"] == "token" && root["role"] == "admin" && root["last_seen_at"] != .null)
        let names = try host.send("GET", "/sessions", with: try host.signIn(admin)).json.arrayValue?
            .map { $0.objectValue?["person"]?.objectValue?["subject"] }
        #expect(names == ["root", "root", "root", "root"])
    }

    @Test func `a token without an owner opens no session, by itself or by a link`() throws {
        let (token, record) = try host.administration.create(
            environment: "staging", label: "robot", scopes: [.admin], expiresAt: nil)
        try host.tokens.refresh()
        let pasted = try host.send("POST", "/session", #"{"token":"\#(token.text)"}"#)
        let link = try call("POST", "/session/link", as: token.text)
        for refusal in [pasted, link] {
            #expect(refusal.status == 403 && refusal.problem == "owner-needed")
            let detail = try #require(refusal["detail"].stringValue)
            #expect(detail.contains("almanac token set staging \(record.id) --owner NAME"))
        }
        #expect(try call("GET", "/tokens", as: token.text).status == 200)
        #expect(try host.count == 0)
    }

    @Test func `a removed person is refused with every credential, and the tokens go on`() throws {
        let cookie = try host.signIn(admin)
        let owned = try host.token(.configRead, owner: "alice").text
        let theirs = try host.signIn(owned)
        let notes = try host.signIn("user-alice", at: .notes)
        let code = try host.linkCode(of: owned)
        #expect(try call("GET", "/session", as: "user-alice").status == 200)
        let id = try id("alice")
        let removed = try host.send("DELETE", "/people/\(id)", with: cookie)
        #expect(removed.status == 200 && removed["removed_at"] != .null)
        #expect(removed["tokens"].arrayValue?.count == 1)

        #expect(try host.send(with: theirs).problem == "person-removed")
        #expect(try host.send(with: notes, at: .notes).problem == "person-removed")
        #expect(try call("GET", "/session", as: "user-alice").problem == "person-removed")
        #expect(try call("GET", "/session", as: "reader-alice").problem == "person-removed")
        #expect(try host.send("POST", "/session", #"{"token":"\#(owned)"}"#).problem == "owner-needed")
        #expect(try host.send("POST", "/session", #"{"code":"\#(code)"}"#).problem == "owner-needed")
        #expect(
            try host.send("POST", "/session", #"{"token":"user-alice"}"#, at: .notes).problem == "person-removed")
        let token = try call("GET", "/session", as: owned)
        #expect(token.status == 200 && token["person"] == .null)
        let owner = try #require(
            try call("GET", "/tokens").json.arrayValue?.compactMap { $0.objectValue?["owner"]?.objectValue }
                .first { $0["subject"] == "alice" })
        #expect(owner["removed_at"] == removed["removed_at"])
        // Another process forgets the sessions too.
        let other = SessionStore(
            host.settings, pool: host.pool, tokens: host.tokens, people: PeopleStore(host.settings, pool: host.pool),
            clock: host.clock.server)
        let request = Request(
            method: "GET", target: try Target("/staging/session"),
            headers: Headers((SessionFixture.page + [("Cookie", theirs)]).map { (name: $0.0, value: $0.1) }),
            application: .console, id: "test")
        #expect(problem { try other.caller(of: request) }?.kind == .personRemoved)
        // A use that is recorded late revives no session.
        try host.sessions.recordUses()
        let open = Statement("-- name: test_open\nselect count(*) as count from sessions where expires_at > now()")
        #expect(try host.observer.run(open)[0].integer("count") == 1)

        #expect(try host.send("DELETE", "/people/\(id)", with: cookie).status == 200)
        #expect(try call("DELETE", "/people/000000000000").problem == "person-not-found")
        #expect(try host.send("POST", "/people/\(id)/admit", with: cookie)["removed_at"] == .null)
        #expect(try call("GET", "/session", as: "user-alice").status == 200)
        #expect(try host.send(with: theirs).problem == "session-ended")
        #expect(try host.send(with: host.signIn(owned)).status == 200)
        #expect(
            try actions() == ["person.remove root \(id) alice", "person.admit root \(id) alice"])
    }

    /// The lines about people in the audit log, oldest first: action, author, subject, and the person's subject.
    private func actions() throws -> [String] {
        let lines = Statement(
            """
            -- name: test_people_audit
            select concat_ws(' ', action, author, subject, details->>'subject', details->>'before', details->>'after')
                as line
            from audit_log where action like 'person.%' order by id
            """)
        return try host.observer.run(lines).map { try $0.text("line") }
    }

    @Test func `a removal erases the name if asked to, also of who was removed before`() throws {
        _ = try call("GET", "/session", as: "user-alice")
        let id = try id("alice")
        #expect(try call("DELETE", "/people/\(id)")["name"] == "The alice")
        for _ in 0..<2 { #expect(try call("DELETE", "/people/\(id)?erase=true")["name"] == .null) }
        #expect(try call("DELETE", "/people/\(id)?erase=perhaps").problem == "invalid-parameter")
        #expect(
            try actions() == ["person.remove release job \(id) alice", "person.erase release job \(id) alice"])
    }

    @Test func `a role is changed for people by invitation alone, and ends their sessions`() throws {
        _ = try call("GET", "/session", as: "user-alice")
        let fromClaim = try call("PATCH", "/people/\(id("alice"))", #"{"role":"viewer"}"#)
        #expect(fromClaim.status == 409 && fromClaim.problem == "role-from-provider")
        let id = try invite("ivan", "viewer")
        let cookie = try host.signIn(host.token(.configRead, owner: "ivan").text)
        let changed = try call("PATCH", "/people/\(id)", #"{"role":"approver","name":"Ivan I."}"#)
        #expect(changed["role"] == "approver" && changed["name"] == "Ivan I." && changed["source"] == "invitation")
        #expect(
            changed["scopes"] == .array(["config:read", "config:write", "config:propose", "config:approve"]))
        #expect(try host.send(with: cookie).problem == "session-ended")
        #expect(try people()["ivan"]?["role"] == "approver")
        for body in [#"{"role":"root"}"#, #"{"role":null}"#, #"{"name":""}"#, #"{"name":"\u0007"}"#, #"{"id":"x"}"#] {
            #expect(try call("PATCH", "/people/\(id)", body).problem == "invalid-value", "\(body)")
        }
        #expect(try call("PATCH", "/people/000000000000", "{}").problem == "person-not-found")
        #expect(
            try actions() == [
                "person.role release job \(id) ivan viewer approver", "person.rename release job \(id) ivan",
            ])
    }

    @Test func `nobody removes themselves, and changes need an administrator with a fresh sign-in`() throws {
        let cookie = try host.signIn(admin)
        let own = try id("root")
        #expect(try host.send("DELETE", "/people/\(own)", with: cookie).problem == "own-person")
        #expect(try call("DELETE", "/people/\(own)").problem == "own-person")
        #expect(try host.send("PATCH", "/people/\(own)", #"{"role":"viewer"}"#, with: cookie).problem == "own-person")
        #expect(try host.send("PATCH", "/people/\(own)", #"{"name":"Root"}"#, with: cookie)["name"] == "Root")
        let reader = try host.token(.configWrite).text
        let calls = [("DELETE", ""), ("PATCH", ""), ("POST", "/admit")]
        for (method, rest) in calls {
            let body = method == "PATCH" ? "{}" : ""
            #expect(try call(method, "/people/\(own)\(rest)", body, as: reader).problem == "scope-too-small")
        }
        host.clock.advance(by: .seconds(601))
        for (method, rest) in calls {
            let body = method == "PATCH" ? "{}" : ""
            #expect(
                try host.send(method, "/people/\(own)\(rest)", body, with: cookie).problem == "fresh-sign-in-needed")
        }
        #expect(try host.send("GET", "/people", with: cookie).status == 200)
    }

    @Test func `a token's owner is a present person, is changed and survives a rotation`() throws {
        let issuer = host.settings.ownerIssuer
        func owner(_ subject: String) -> String { #"{"issuer":"\#(issuer)","subject":"\#(subject)"}"# }
        func create(_ owner: String) throws -> SessionResponse {
            try call(
                "POST", "/tokens",
                #"{"label":"ci","scopes":["config:read"],"expires_at":null,"purpose":"Releases","owner":\#(owner)}"#)
        }
        let made = try create(owner("root"))
        #expect(made.status == 201 && made["purpose"] == "Releases")
        #expect(made["owner"].objectValue?["subject"] == "root")
        for refused in ["1", #"{"issuer":"x"}"#, #"{"issuer":"x","subject":"y","name":"z"}"#] {
            let answer = try create(refused)
            #expect(answer.status == 422 && answer.problem == "invalid-value", "\(refused)")
        }
        let id = try #require(made["id"].stringValue)
        let rotated = try call("POST", "/tokens/\(id)/rotate", #"{"overlap_seconds":0}"#)
        #expect(rotated["owner"] == made["owner"] && rotated["purpose"] == "Releases")
        let successor = try #require(rotated["id"].stringValue)
        let cookie = try host.signIn(try #require(rotated["token"].stringValue))

        let changed = try call("PATCH", "/tokens/\(successor)", #"{"owner":null,"label":"build","purpose":""}"#)
        #expect(changed["owner"] == .null && changed["label"] == "build" && changed["purpose"] == "")
        #expect(try host.send(with: cookie).problem == "session-ended")
        #expect(
            try call("PATCH", "/tokens/\(successor)", #"{"owner":\#(owner("root"))}"#)["owner"] == made["owner"])
        #expect(try call("PATCH", "/tokens/\(successor)", #"{"purpose":"x\ny"}"#).problem == "invalid-value")
        #expect(try call("PATCH", "/tokens/00000000", "{}").problem == "token-not-found")

        // A user's first call of all records the user as the owner.
        let first = try call(
            "POST", "/tokens",
            #"{"label":"own","scopes":["config:read"],"expires_at":null,"owner":\#(owner("alice"))}"#,
            as: "user-alice")
        #expect(first["owner"].objectValue?["name"] == "The alice", "\(first)")
    }

    @Test func `over HTTP nobody makes, changes or rotates the token of another person`() throws {
        let issuer = host.settings.ownerIssuer
        let alice = try host.token(.admin, .configApprove, label: "laptop", owner: "alice")
        let robot = try host.administration.create(
            environment: "staging", label: "robot", scopes: [.admin], expiresAt: nil
        ).token.text
        let owner = #""owner":{"issuer":"\#(issuer)","subject":"alice"}"#
        for caller in [admin, robot] {
            for subject in ["alice", "nobody"] {
                let made = try call(
                    "POST", "/tokens",
                    #"{"label":"x","scopes":["config:approve"],"expires_at":null,"#
                        + owner.replacing("alice", with: subject) + "}", as: caller)
                #expect(made.status == 403 && made.problem == "other-owner", "\(made)")
                #expect(made["detail"].stringValue?.contains("expected your own person") == true)
            }
            for body in [
                #"{"label":"mine"}"#, "{\(owner)}", "{}", #"{"owner":{"issuer":"\#(issuer)","subject":"root"}}"#,
            ] {
                #expect(try call("PATCH", "/tokens/\(alice.id)", body, as: caller).problem == "other-owner", "\(body)")
            }
            let rotated = try call("POST", "/tokens/\(alice.id)/rotate", #"{"overlap_seconds":0}"#, as: caller)
            #expect(rotated.status == 403 && rotated.problem == "other-owner", "\(rotated)")
        }
        // A removal leaves the owner in the record, who may be admitted again.
        _ = try call("DELETE", "/people/\(id("alice"))")
        let removed = try call("POST", "/tokens/\(alice.id)/rotate", #"{"overlap_seconds":0}"#)
        #expect(removed.problem == "other-owner")
        #expect(try call("PATCH", "/tokens/\(alice.id)", #"{"owner":null,"label":"robot 2"}"#)["label"] == "robot 2")
        #expect(try call("POST", "/tokens/\(alice.id)/rotate", #"{"overlap_seconds":0}"#).status == 201)
        let another = try host.token(.configRead, owner: "bob").id
        #expect(try call("DELETE", "/tokens/\(another)")["revoked_at"] != .null)
        // The host's command line sets any owner.
        let ada = try #require(try host.people.list().first { $0.user.subject == "bob" }).user
        #expect(try host.administration.change(id: alice.id, owner: .set(ada))?.owner?.user == ada)
    }

    @Test func `over HTTP nobody gives themselves the right to approve`() throws {
        let issuer = host.settings.ownerIssuer
        func owner(_ subject: String) -> String { #"{"issuer":"\#(issuer)","subject":"\#(subject)"}"# }
        func body(_ scope: String, _ owner: String) -> String {
            #"{"label":"x","scopes":["config:write","\#(scope)"],"expires_at":null,"owner":\#(owner)}"#
        }
        for scope in ["config:approve", "config:approve:pay.*", "config:bypass"] {
            for owner in [owner("root"), "null"] {
                let made = try call("POST", "/tokens", body(scope, owner))
                #expect(made.status == 403 && made.problem == "scope-too-small", "\(scope) \(made)")
            }
        }
        let robot = try host.administration.create(
            environment: "staging", label: "robot", scopes: [.configApprove], expiresAt: nil
        ).record
        let taken = try call("PATCH", "/tokens/\(robot.id)", #"{"owner":\#(owner("root"))}"#)
        #expect(taken.status == 403 && taken.problem == "scope-too-small", "\(taken)")
        #expect(try call("PATCH", "/tokens/\(robot.id)", #"{"label":"robot 2"}"#).status == 200)
        // An approver may pass on what they have.
        let alice = try host.token(.admin, .configApprove, label: "laptop", owner: "alice").text
        #expect(try call("POST", "/tokens", body("config:approve:pay.*", owner("alice")), as: alice).status == 201)
        #expect(try call("POST", "/tokens", body("config:bypass", owner("alice")), as: alice).status == 403)
    }

    @Test func `the session of a token has none of its scopes for approvals`() throws {
        let token = try host.token(
            .admin, .configApprove, .configBypass, try #require(Scope(rawValue: "config:approve:pay.*")), owner: "alice"
        ).text
        let cookie = try host.signIn(token)
        #expect(try host.send(with: cookie)["scopes"] == ["admin"])
        let stored = Statement("-- name: test_scopes\nselect scopes from sessions")
        #expect(try host.observer.run(stored)[0].textArray("scopes") == ["admin"])
        #expect(try people()["alice"]?["scopes"] == ["admin"])
        // A session of an earlier program has the scopes of its token.
        try host.observer.execute(script: "update sessions set scopes = '{admin,config:bypass}'")
        host.sessions.forget([try #require(try host.send(with: cookie)["session"].objectValue?["id"]?.stringValue)])
        #expect(try host.send(with: cookie)["scopes"] == ["admin"])
        #expect(try call("GET", "/session", as: token)["scopes"].arrayValue?.count == 4)
    }

    @Test func `the audit log names the people, of the environment's issuer first`() throws {
        _ = try call("PATCH", "/people/\(id("root"))", #"{"name":"Root"}"#)
        for issuer in ["https://other.example/", "passkey:x"] {
            try host.people.record(VerifiedUser(issuer: issuer, subject: "root"), name: "Another")
        }
        let cookie = try host.signIn(admin)
        _ = try host.send("DELETE", "/session", with: cookie)
        try host.sessions.people.refresh()
        try host.tokens.refresh()
        let lines = try #require(try call("GET", "/audit").json.arrayValue?.compactMap(\.objectValue))
        let names = lines.map { line in
            ["action", "author_name", "subject_name"].map { line[$0]?.stringValue ?? "-" }.joined(separator: " ")
        }
        #expect(
            names == [
                "session.signed_out Root -", "session.signed_in Root -", "person.rename Root Root", "token.create - -",
            ])
    }

    @Test func `sessions that the release before began live on, and their users become people`() throws {
        let worker = try Connection(host.settings.database)
        let secrets = [SessionSecret(RandomBytes.make(count: 32)), SessionSecret(RandomBytes.make(count: 32))]
        let (token, id) = try host.token(.admin, label: "old")
        try host.observer.execute(script: "update api_tokens set owner_issuer = null, owner_subject = null")
        try host.tokens.refresh()
        let begin = Statement(
            """
            -- name: test_begin
            select id from begin_session($1, 'console', $2, $3, $4, $5, $6, '2 h', now() + interval '12 h', null)
            """)
        _ = try worker.run(
            begin, .bytes(secrets[0].digest), .text("token"), .text(id), .text(nil), .text(nil), .textArray([]))
        _ = try worker.run(
            begin, .bytes(secrets[1].digest), .text("provider"), .text(nil), .text(host.settings.ownerIssuer),
            .text("alice"), .textArray(["config:write"]))
        host.clock.advance(by: .seconds(61))
        let cookies = secrets.map { "__Host-almanac-staging=\($0.text)" }
        let old = try host.send(with: cookies[0])
        #expect(old.status == 200 && old["kind"] == "token" && old["name"] == "old" && old["person"] == .null)
        let alice = try host.send(with: cookies[1])
        #expect(alice["person"].objectValue?["role"] == "editor")
        #expect(try call("GET", "/session", as: token)["person"] == .null)
        let made = Statement(
            "-- name: test_make\nselect id from make_api_token($1, 'x', '{admin}', null, 'a', 'host', null)")
        #expect(try worker.run(made, .bytes(RandomBytes.make(count: 32))).count == 1)
    }

    @Test func `a sign-in by the code of a removed owner needs one connection`() throws {
        let host = try SessionFixture(connections: 1)
        let token = try host.token(.configRead, owner: "alice").text
        let code = try host.linkCode(of: token)
        let alice = try #require(try host.people.list().first { $0.user.subject == "alice" })
        _ = try host.people.remove(id: alice.id)
        try host.tokens.refresh()
        let start = ContinuousClock.now
        #expect(try host.send("POST", "/session", #"{"code":"\#(code)"}"#).problem == "owner-needed")
        // A second connection would be awaited for a minute.
        #expect(start.duration(to: .now) < .seconds(30))
        _ = try host.people.admit(id: alice.id)
        try host.tokens.refresh()
        #expect(try host.send("POST", "/session", #"{"code":"\#(code)"}"#).status == 201)
    }

    @Test(.blocking) func `a removal during sign-ins leaves no session behind`() throws {
        let token = try host.token(.configRead, owner: "alice").text
        let id = try id("alice")
        let open = Statement("-- name: test_open\nselect count(*) as count from sessions where expires_at > now()")
        let threads = (0..<4).map { number in
            Thread(name: "sign-in-\(number)") {
                for _ in 0..<10 { _ = try? host.send("POST", "/session", #"{"token":"\#(token)"}"#) }
            }
        }
        #expect(try call("DELETE", "/people/\(id)").status == 200)
        for thread in threads { thread.wait(upTo: .seconds(60)) }
        #expect(try host.observer.run(open)[0].integer("count") == 0)
    }
}
