import AlmanacCryptography
import AlmanacEnvironments
import AlmanacForms
import AlmanacHTTP
import AlmanacJSON
import AlmanacMetrics
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Invitations, passkeys and their sessions, from the calls of the console's page.
@Suite(.database(.migrated)) struct PasskeyTests {
    private let host: PasskeyFixture

    init() throws { host = PasskeyFixture(try SessionFixture()) }

    private func session(_ cookies: [String], of environment: String = "staging") throws -> SessionResponse {
        try host.send("GET", "/\(environment)/session", cookies: cookies)
    }

    @Test func `an invited person registers a passkey and signs in with it`() throws {
        let admin = try host.first.signIn(try host.first.token(.admin, label: "ops").text)
        let made = try host.send(
            "POST", "/staging/invitations", ["name": "Ada", "role": "editor"], cookies: [admin])
        #expect(made.status == 201, "\(made)")
        let address = try #require(made["link"].stringValue)
        let match = try #require(
            address.wholeMatch(of: #/https://console\.example\.com/\#/staging/invitation/([A-Za-z0-9_-]{43})/#))
        let link = PasskeyFixture.Link(environment: "staging", secret: String(match.1))
        let listed = try host.send("GET", "/staging/invitations", cookies: [admin])
        #expect(listed.json.arrayValue?.map { $0.objectValue?["name"] } == ["Ada"])
        #expect(!"\(listed)".contains(link.secret))

        let begun = try host.send("POST", "/passkeys/challenge", ["invitation": link.json])
        #expect(begun["rp_id"] == "console.example.com" && begun["origin"] == "https://console.example.com")
        #expect(begun["user"].objectValue?["name"] == "Ada" && begun["exclude"] == [])
        let invitation = begun["invitation"].objectValue
        #expect(invitation?["role"] == "editor" && invitation?["created_by"] == "ops")

        let (passkey, cookies) = try host.join(link, .ed25519)
        let signedIn = try session(cookies)
        #expect(signedIn["kind"] == "user" && signedIn["name"] == .bytes(passkey.userHandle), "\(signedIn)")
        #expect(signedIn["scopes"] == ["config:read", "config:write", "config:propose"], "\(signedIn)")
        let person = signedIn["person"].objectValue
        #expect(person?["name"] == "Ada" && person?["role"] == "editor", "\(signedIn)")
        #expect(person?["issuer"] == "passkey:console.example.com")
        #expect(try host.send("GET", "/staging/invitations", cookies: [admin]).json == [])

        let again = try host.signIn(passkey)
        #expect(again.status == 201 && again.cookies.count == 1, "\(again)")
        #expect(try session(again.cookies)["person"] == signedIn["person"])
        let actions = try host.first.observer.run(
            Statement(
                """
                -- name: test_passkey_audit
                select action from audit_log where action ~ '^(invitation|passkey)' order by id
                """)
        ).map { try $0.text("action") }
        #expect(actions == ["invitation.create", "invitation.accept", "passkey.add"])
        let lines = try host.send("GET", "/staging/audit", cookies: [admin]).json.arrayValue?.compactMap(\.objectValue)
        for action in actions.dropFirst() {
            #expect(lines?.first { $0["action"] == .string(action) }?["subject_name"] == "Ada", "\(action)")
        }
        var exposition = Exposition()
        host.signIns.write(to: &exposition)
        #expect(exposition.text.contains("almanac_sign_ins_total{method=\"passkey\",result=\"accepted\"} 2\n"))
        #expect(exposition.text.contains("almanac_sign_ins_total{method=\"token\",result=\"accepted\"} 1\n"))
    }

    @Test func `one ceremony signs in to every environment that knows the passkey`() throws {
        try TestDatabase.with(template: .migrated) { second in
            let both = PasskeyFixture(host.first, try SessionFixture("production", on: second))
            let (passkey, cookies) = try both.join(both.invite("Ada"))
            #expect(try both.signIn(passkey).cookies.map { $0.prefix { $0 != "=" } } == ["__Host-almanac-staging"])

            // The invitation of the other environment makes the passkey known there.
            let link = try both.invite("Ada Lovelace", .viewer, to: both.environments[1])
            let begun = try both.challenge(link, cookies: cookies)
            #expect(begun.user != passkey.userHandle)
            let joined = try both.signIn(passkey, link)
            #expect(joined.status == 201, "\(joined)")
            let names = joined["sessions"].arrayValue?.map { $0.objectValue?["environment"] }
            #expect(names == ["production", "staging"] || names == ["staging", "production"])
            let sessions = try both.signIn(passkey)
            #expect(sessions.cookies.count == 2)
            let (staging, production) = (
                try both.send("GET", "/staging/session", cookies: sessions.cookies),
                try both.send("GET", "/production/session", cookies: sessions.cookies)
            )
            #expect(staging["name"] == production["name"] && staging["name"] == .bytes(passkey.userHandle))
            #expect(production["scopes"] == ["config:read"] && staging["scopes"] != production["scopes"])
            let used = try both.send("POST", "/passkeys/challenge", ["invitation": link.json])
            #expect(used.problem == "invitation-used")
        }
    }

    @Test func `an environment whose database is away is left out`() throws {
        try TestDatabase.with(template: .migrated) { second in
            let both = PasskeyFixture(host.first, try SessionFixture("production", on: second))
            let passkey = try both.join(both.invite("Ada")).passkey
            _ = try both.signIn(passkey, both.invite("Ada", .viewer, to: both.environments[1]))
            both.environments[1].pool.close()
            #expect(try both.signIn(passkey).cookies.map { $0.prefix { $0 != "=" } } == ["__Host-almanac-staging"])
        }
    }

    @Test func `a person adds a second passkey, signs in with it and removes the first`() throws {
        let (first, cookies) = try host.join(host.invite())
        var second = try SoftwareAuthenticator(.rsa(bits: 2048))
        let begun = try host.send("POST", "/passkeys/challenge", cookies: cookies)
        #expect(begun["exclude"] == [.bytes(first.credentialID)])
        let challenge = try host.challenge(cookies: cookies)
        #expect(challenge.user == first.userHandle)
        second.userHandle = challenge.user
        let creation = second.creation(challenge.bytes, at: PasskeyFixture.origin.text)
        let added = try host.send(
            "POST", "/passkeys/registration", host.registration(creation, nil), cookies: cookies)
        #expect(added.status == 201 && added["sessions"] == [] && added.cookies.isEmpty, "\(added)")
        #expect(added["passkeys"].arrayValue?.count == 1)

        let sessions = try host.signIn(second)
        let keys = try host.send("GET", "/staging/passkeys", cookies: sessions.cookies)
        let ids = keys.json.arrayValue?.compactMap { $0.objectValue?["id"]?.stringValue } ?? []
        #expect(ids.count == 2)
        let removed = try host.send("DELETE", "/staging/passkeys/\(ids[0])", cookies: sessions.cookies)
        #expect(removed.status == 204, "\(removed)")
        #expect(try host.signIn(first).problem == "passkey-unknown")
        #expect(try session(cookies).problem == "session-ended")
        #expect(try session(sessions.cookies).status == 200)
        #expect(try host.signIn(second).status == 201)
        #expect(
            try host.send("DELETE", "/staging/passkeys/\(ids[0])", cookies: sessions.cookies).problem
                == "passkey-not-found")
    }

    @Test func `the session of an owned token adds and removes no passkey of its owner`() throws {
        let (ada, cookies) = try host.join(host.invite("Ada", .admin))
        let id = try #require(
            try host.send("GET", "/staging/passkeys", cookies: cookies).json.arrayValue?.first?.objectValue?["id"]?
                .stringValue)
        let owner = VerifiedUser(
            issuer: "passkey:console.example.com", subject: try #require(JSONValue.bytes(ada.userHandle).stringValue))
        let (token, _) = try host.first.administration.create(
            environment: "staging", label: "laptop", scopes: [.configRead], expiresAt: nil, owner: owner)
        let session = try host.first.signIn(token.text)
        let begun = try host.send("POST", "/passkeys/challenge", cookies: [session])
        #expect(begun.status == 201 && begun["user"] == .null, "\(begun)")
        let creation = try SoftwareAuthenticator().creation(
            try host.challenge(cookies: cookies).bytes, at: PasskeyFixture.origin.text)
        let added = try host.send(
            "POST", "/passkeys/registration", host.registration(creation, nil), cookies: [session])
        #expect(added.problem == "token-needed", "\(added)")
        let removed = try host.send("DELETE", "/staging/passkeys/\(id)", cookies: [session])
        #expect(removed.problem == "scope-too-small")
        #expect(try host.signIn(ada).status == 201)
    }

    @Test func `an invitation is void as soon as its inviter is demoted, also for a ceremony that has begun`() throws {
        let (_, cookies) = try host.join(host.invite("Grace", .admin))
        let made = try host.send("POST", "/staging/invitations", ["name": "Ada", "role": "admin"], cookies: cookies)
        let secret = try #require(made["link"].stringValue?.split(separator: "/").last)
        let link = PasskeyFixture.Link(environment: "staging", secret: String(secret))
        let passkey = try SoftwareAuthenticator()
        let body = host.registration(
            passkey.creation(try host.challenge(link).bytes, at: PasskeyFixture.origin.text), link)
        let grace = try #require(try host.first.people.list().first)
        _ = try host.first.people.change(id: grace.id, role: .editor)
        #expect(try host.send("POST", "/passkeys/registration", body).problem == "invitation-void")
        let store = PasskeyStore(try Connection(host.first.settings.database))
        let found = try #require(SessionSecret(link.secret))
        #expect(try store.accept(found, issuer: grace.user.issuer, subject: nil) == nil)
        _ = try host.first.people.change(id: grace.id, role: .admin)
        #expect(try store.accept(found, issuer: grace.user.issuer, subject: nil)?.name == "Ada")
    }

    @Test(.blocking) func `a removal and an acceptance of an invitation for the person lock rows in one order`() throws
    {
        _ = try host.join(host.invite())
        let person = try #require(try host.first.people.list().first)
        let secret = try #require(SessionSecret(try host.invite("Ada", person: person.id).secret))
        let settings = host.first.settings
        let results = Monitor<[String: Result<Bool, any Error>]>([:])
        func begin(_ name: String, _ body: @escaping @Sendable (Connection) throws -> Bool) -> Thread {
            Thread(name: name) {
                let result = Result { try body(try Connection(settings.owner)) }
                results.update { $0[name] = result }
            }
        }
        let observer = try host.first.observer
        let waiting = Statement(
            """
            -- name: test_waiting
            select count(*) as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
        let lock = Statement("-- name: test_lock\nselect id from people where id = $1 for update")
        var threads: [Thread] = []
        try host.first.observer.transaction { connection in
            _ = try connection.run(lock, .text(person.id))
            threads.append(
                begin("remove") { connection in
                    try PeopleAdministration(connection, by: Author("tests", .host)).remove(id: person.id) != nil
                })
            #expect(try eventually { try observer.run(waiting)[0].integer("count") == 1 })
            threads.append(
                begin("accept") { connection in
                    try PasskeyStore(connection).accept(secret, issuer: person.user.issuer, subject: nil) != nil
                })
            #expect(try eventually { try observer.run(waiting)[0].integer("count") == 2 })
        }
        for thread in threads { thread.wait(upTo: .seconds(60)) }
        let found = results.read { $0 }
        #expect(try found["remove"]?.get() == true)
        #expect(try found["accept"]?.get() == false, "the removal was first, and deleted the invitation")
    }

    @Test func `a general invitation changes no role of somebody who has access`() throws {
        let (ada, cookies) = try host.join(host.invite("Ada", .admin))
        let link = try host.invite("Somebody", .viewer)
        #expect(try host.signIn(ada, link).problem == "invitation-used")
        #expect(try session(cookies)["scopes"].arrayValue?.contains("admin") == true)
        #expect(try host.join(link).cookies.count == 1)
    }

    @Test func `an old sign-in adds and removes no passkey`() throws {
        let (_, cookies) = try host.join(host.invite())
        let challenge = try host.challenge(cookies: cookies)
        let creation = try SoftwareAuthenticator().creation(challenge.bytes, at: PasskeyFixture.origin.text)
        let id = try #require(
            try host.send("GET", "/staging/passkeys", cookies: cookies).json.arrayValue?.first?.objectValue?["id"]?
                .stringValue)
        host.first.clock.advance(by: .seconds(601))
        let added = try host.send(
            "POST", "/passkeys/registration", host.registration(creation, nil), cookies: cookies)
        #expect(added.problem == "fresh-sign-in-needed")
        #expect(
            try host.send("DELETE", "/staging/passkeys/\(id)", cookies: cookies).problem == "fresh-sign-in-needed")
    }

    @Test func `a person who lost the passkey comes back by a new invitation, with another role`() throws {
        let (lost, cookies) = try host.join(host.invite("Ada", .editor))
        let person = try #require(try host.first.people.list().first)
        let link = try host.invite("Ada", .viewer, person: person.id)
        let begun = try host.challenge(link)
        #expect(begun.user == lost.userHandle)
        let (found, newCookies) = try host.join(link)
        #expect(found.userHandle == lost.userHandle)
        #expect(try session(newCookies)["scopes"] == ["config:read"])
        #expect(try session(cookies).problem == "session-ended")
        #expect(try host.first.people.list().map(\.id) == [person.id])

        // A removed person is admitted again.
        _ = try host.first.people.remove(id: person.id)
        try host.first.sessions.people.refresh()
        #expect(try session(newCookies).problem == "person-removed")
        let again = try host.join(host.invite("Ada", .viewer, person: person.id))
        #expect(try session(again.cookies)["name"] == .bytes(lost.userHandle))
    }

    @Test func `an invitation for nobody, for oneself or by somebody else's token is refused`() throws {
        let cookie = try host.first.signIn(try host.first.token(.admin).text)
        func invite(_ body: JSONValue, _ cookie: String) throws -> SessionResponse {
            try host.send("POST", "/staging/invitations", body, cookies: [cookie])
        }
        let unknown: JSONValue = ["name": "Ada", "role": "editor", "person": "000000000000"]
        #expect(try invite(unknown, cookie).problem == "person-not-found")
        let operators = try #require(try host.first.people.list().first)
        let provider: JSONValue = ["name": "Ada", "role": "editor", "person": .string(operators.id)]
        #expect(["person-not-found", "own-person"].contains(try invite(provider, cookie).problem))
        for wrong: JSONValue in [
            ["name": "Ada", "role": "owner"], ["name": "", "role": "editor"], ["name": "\u{7}", "role": "editor"],
            ["name": .string(String(repeating: "a", count: 101)), "role": "editor"], ["role": "editor"],
            ["name": "Ada"], ["name": "Ada", "role": "editor", "person": 1],
            ["name": "Ada", "role": "editor", "scopes": ["admin"]],
        ] {
            #expect(try invite(wrong, cookie).problem == "invalid-value", "\(wrong)")
        }
        let editor = try host.join(host.invite("Ed", .editor)).cookies[0]
        #expect(try invite(["name": "Ada", "role": "admin"], editor).problem == "scope-too-small")
        let (_, admin) = try host.join(host.invite("Grace", .admin))
        let grace = try #require(try host.first.people.list().first { $0.name == "Grace" })
        let own: JSONValue = ["name": "Grace", "role": "admin", "person": .string(grace.id)]
        #expect(try invite(own, admin[0]).problem == "own-person")
    }

    @Test func `a revoked invitation opens nothing`() throws {
        let admin = try host.first.signIn(try host.first.token(.admin).text)
        let link = try host.invite()
        let listed = try host.send("GET", "/staging/invitations", cookies: [admin])
        let id = try #require(listed.json.arrayValue?.first?.objectValue?["id"]?.stringValue)
        #expect(try host.send("DELETE", "/staging/invitations/\(id)", cookies: [admin]).status == 204)
        #expect(
            try host.send("DELETE", "/staging/invitations/\(id)", cookies: [admin]).problem == "invitation-not-found")
        #expect(
            try host.send("POST", "/passkeys/challenge", ["invitation": link.json]).problem == "invitation-not-found")
    }

    @Test func `the console's host offers passkeys, and the notes' host does not`() throws {
        let cookie = try host.first.signIn(try host.first.token(.admin).text)
        func offers(_ application: Application) throws -> [JSONValue]? {
            let listed = try host.send("GET", "/environments", cookies: [cookie], at: application)
            return listed.json.arrayValue?.first?.objectValue?["sign_in"]?.arrayValue
        }
        #expect(try offers(.console)?.contains("passkey") == true)
        #expect(try offers(.notes)?.contains("passkey") != true)
    }
}
