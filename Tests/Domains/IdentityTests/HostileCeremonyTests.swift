import AlmanacCryptography
import AlmanacForms
import AlmanacHTTP
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Sends ceremonies that nobody may succeed with. CeremonyTests has further faults of keys and authenticator data.
@Suite(.database(.migrated)) struct HostileCeremonyTests {
    /// An environment with two people, and data that an attacker may have.
    struct Scene {
        let host: PasskeyFixture
        /// An environment of the same worker that knows none of the people.
        let other: SessionFixture
        let ada: SoftwareAuthenticator
        let adaCookies: [String]
        let bob: SoftwareAuthenticator
        /// An open invitation.
        let link: PasskeyFixture.Link
        let eve: SoftwareAuthenticator

        func execute(_ sql: String) throws { try host.first.observer.execute(script: sql) }

        /// Returns the challenge of an environment that other environments don't know.
        func challenge(of environment: SessionFixture) throws -> [UInt8] {
            try PasskeyFixture(environment).challenge().bytes
        }
    }

    /// A request as its sender intends it, to be altered.
    struct Attempt {
        var ceremony: PasskeyCeremony
        var authenticator: SoftwareAuthenticator
        var link: PasskeyFixture.Link?
        /// The credential's id according to the page; nil for the ceremony's.
        var id: [UInt8]?
        var signature: [UInt8]?
        var headers = PasskeyFixture.page
        var cookies: [String] = []
        var application: Application? = .console
        /// Alters the body of the request.
        var body: (JSONValue) -> JSONValue = { $0 }
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: String
        let alter: @Sendable (inout Attempt, Scene) throws -> Void

        init(
            _ description: String, _ problem: String = "passkey-refused",
            _ alter: @escaping @Sendable (inout Attempt, Scene) throws -> Void
        ) {
            (testDescription, self.problem, self.alter) = (description, problem, alter)
        }
    }

    /// Attacks on registrations and on sign-ins.
    static let common: [Attack] = [
        Attack("a challenge that was used") { attempt, scene in
            let challenge = try scene.host.challenge(attempt.link).bytes
            let used = try scene.host.send(
                "POST", "/passkeys/session",
                scene.host.signIn(scene.bob.signIn(challenge, at: PasskeyFixture.origin.text), scene.bob))
            try #require(used.status == 201, "\(used)")
            attempt.ceremony.challenge = challenge
        },
        Attack("a challenge of five minutes ago") { attempt, scene in
            scene.host.first.clock.advance(by: .seconds(-300))
            attempt.ceremony.challenge = try scene.host.challenge(attempt.link).bytes
            scene.host.first.clock.advance(by: .seconds(300))
        },
        Attack("a challenge with a later end") { attempt, _ in attempt.ceremony.challenge[8] += 1 },
        Attack("a challenge with another code") { attempt, _ in attempt.ceremony.challenge[31] ^= 1 },
        Attack("a challenge of another environment") { attempt, scene in
            attempt.ceremony.challenge = try scene.challenge(of: scene.other)
        },
        Attack("a challenge that the attacker made up") { attempt, _ in
            attempt.ceremony.challenge = [UInt8](repeating: 1, count: 32)
        },
        Attack("no challenge") { attempt, _ in
            attempt.ceremony.clientDataText =
                "{\"type\":\"\(attempt.ceremony.type)\",\"origin\":\"\(PasskeyFixture.origin.text)\"}"
        },
        Attack("an empty challenge") { attempt, _ in attempt.ceremony.challenge = [] },
        Attack("another port") { attempt, _ in attempt.ceremony.origin += ":8443" },
        Attack("another scheme") { attempt, _ in attempt.ceremony.origin = "http://console.example.com" },
        Attack("a subdomain") { attempt, _ in attempt.ceremony.origin = "https://a.console.example.com" },
        Attack("a superdomain") { attempt, _ in attempt.ceremony.origin = "https://example.com" },
        Attack("the notes' host") { attempt, _ in attempt.ceremony.origin = "https://notes.example.com" },
        Attack("a frame of another origin") { attempt, _ in attempt.ceremony.crossOrigin = "true" },
        Attack("the other ceremony's type") { attempt, _ in
            attempt.ceremony.type = attempt.ceremony.type == "webauthn.get" ? "webauthn.create" : "webauthn.get"
        },
        Attack("client data that is no JSON") { attempt, _ in attempt.ceremony.clientDataText = "{'type':1}" },
        Attack("client data with a second origin") { attempt, _ in
            attempt.ceremony.crossOrigin = "false,\"origin\":\"https://evil.example\""
        },
        Attack("client data with a byte order mark") { attempt, _ in
            attempt.ceremony.clientDataText = "\u{FEFF}" + String(decoding: attempt.ceremony.clientData, as: UTF8.self)
        },
        Attack("the hash of the notes' host") { attempt, _ in attempt.ceremony.relyingParty = "notes.example.com" },
        Attack("no user present") { attempt, _ in attempt.ceremony.flags &= ~1 },
        Attack("a user who is not verified") { attempt, _ in attempt.ceremony.flags &= ~4 },
        Attack("truncated authenticator data") { attempt, _ in attempt.ceremony.cutAt = 36 },
        Attack("overlong authenticator data") { attempt, _ in attempt.ceremony.end = [0] },
        Attack("a request of another site", "invalid-header") { attempt, _ in
            attempt.headers[0] = ("Sec-Fetch-Site", "cross-site")
        },
        Attack("a form of the own site", "invalid-header") { attempt, _ in attempt.headers.remove(at: 1) },
        Attack("a page of the notes", "not-found") { attempt, _ in attempt.application = .notes },
        Attack("the API's host", "not-found") { attempt, _ in attempt.application = nil },
        Attack("an invitation that does not exist", "invitation-not-found") { attempt, _ in
            attempt.link = .init(environment: "staging", secret: String(repeating: "A", count: 43))
        },
        Attack("an invitation of another environment", "invitation-not-found") { attempt, scene in
            attempt.link = .init(environment: "production", secret: scene.link.secret)
        },
        Attack("an invitation of no environment", "invitation-not-found") { attempt, scene in
            attempt.link = .init(environment: "none", secret: scene.link.secret)
        },
        Attack("a member more", "invalid-value") { attempt, _ in
            attempt.body = { .object(JSONObject(($0.objectValue?.members ?? []) + [("role", "admin")])) }
        },
    ]

    static let registrations: [Attack] = [
        Attack("a challenge for nobody") { attempt, scene in
            attempt.ceremony.challenge = try scene.host.challenge().bytes
        },
        Attack("a challenge for another invitation") { attempt, scene in
            attempt.ceremony.challenge = try scene.host.challenge(scene.host.invite("Mallory")).bytes
        },
        Attack("no credential") { attempt, _ in
            attempt.ceremony.flags &= ~0x40
            (attempt.ceremony.credentialID, attempt.id) = (nil, [1])
        },
        Attack("a credential id of no bytes") { attempt, _ in attempt.ceremony.credentialID = [] },
        Attack("a credential id of 1,024 bytes") { attempt, _ in
            attempt.ceremony.credentialID = [UInt8](repeating: 1, count: 1024)
        },
        Attack("another credential id than the page's") { attempt, scene in attempt.id = scene.ada.credentialID },
        Attack("the credential id of another person", "passkey-exists") { attempt, scene in
            attempt.ceremony.credentialID = scene.ada.credentialID
        },
        key("a duplicate parameter") { $0[1] = $0[0] },
        key("an additional parameter") { $0.append((-4, .bytes([1]))) },
        key("a number in a float") { $0[0].1 = .encoded([0xF9, 0x40, 0x00]) },
        key("an indefinite length") { $0[3].1 = .encoded([0x5F, 0x41, 0x01, 0xFF]) },
        key("another type") { $0[0].1 = 3 },
        key("another curve") { $0[2].1 = 3 },
        key("the algorithm ES384") { $0[1].1 = -35 },
        key("the algorithm RS1") { $0[1].1 = .integer(-65535) },
        key("a point off the curve") { $0[4].1 = .bytes([UInt8](repeating: 1, count: 32)) },
        key("RSA with 1,024 bits") { parameters in
            let modulus = [UInt8](repeating: 0xC7, count: 128)
            parameters = [(1, 3), (3, -257), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))]
        },
        Attack("a link that was used", "invitation-used") { attempt, scene in
            attempt.link = try scene.host.invite("Mallory")
            _ = try scene.host.join(#require(attempt.link))
        },
        Attack("a link of yesterday", "invitation-expired") { attempt, scene in
            attempt.link = try scene.host.invite("Mallory")
            try scene.execute("update invitations set expires_at = now() where name = 'Mallory'")
        },
        Attack("a revoked link", "invitation-not-found") { attempt, scene in
            attempt.link = try scene.host.invite("Mallory")
            try scene.execute("delete from invitations where name = 'Mallory'")
        },
        Attack("a link whose inviter is no administrator any more", "invitation-void") { attempt, scene in
            attempt.link = try scene.host.invite("Mallory")
            try scene.execute(
                """
                update invitations set author_kind = 'user', (inviter_issuer, inviter_subject) = (
                    select issuer, subject from people where name = 'Ada') where name = 'Mallory'
                """)
        },
        Attack("a link whose inviter's token was revoked", "invitation-void") { attempt, scene in
            let token = try scene.host.first.token(.admin, label: "ci")
            attempt.link = try scene.host.invite("Mallory")
            try scene.execute("update invitations set token_id = '\(token.id)' where name = 'Mallory'")
            try scene.host.first.revoke(token.id)
        },
        Attack("neither an invitation nor a session", "token-needed") { attempt, _ in attempt.link = nil },
        Attack("the session of another host", "token-needed") { attempt, scene in
            attempt.link = nil
            attempt.cookies = scene.adaCookies
            attempt.headers = SessionFixture.page + [("Host", "console.evil.example")]
            attempt.ceremony.origin = "https://console.evil.example"
            attempt.ceremony.relyingParty = "console.evil.example"
        },
        Attack("a challenge for another person than the session's") { attempt, scene in
            attempt.link = nil
            attempt.cookies = scene.adaCookies
        },
    ]

    private static func key(
        _ description: String, _ alter: @escaping @Sendable (inout [(Int, CBOR)]) -> Void
    ) -> Attack {
        Attack("a key with \(description)") { attempt, _ in
            var parameters = attempt.authenticator.parameters
            alter(&parameters)
            attempt.ceremony.key = CBOR.map(parameters)
        }
    }

    static let signIns: [Attack] = [
        Attack("the signature of another ceremony") { attempt, scene in
            let challenge = try scene.host.challenge().bytes
            attempt.signature = try scene.ada.signature(of: scene.ada.signIn(challenge, at: PasskeyFixture.origin.text))
        },
        Attack("the signature by another key") { attempt, scene in
            attempt.signature = try scene.bob.signature(of: attempt.ceremony)
        },
        Attack("an empty signature") { attempt, _ in attempt.signature = [] },
        Attack("the user handle of another person") { attempt, scene in
            attempt.authenticator.userHandle = scene.bob.userHandle
        },
        Attack("an empty user handle") { attempt, _ in attempt.authenticator.userHandle = [] },
        Attack("no user handle", "invalid-value") { attempt, _ in
            attempt.body = { body in
                let credential = (body.objectValue?["credential"]?.objectValue?.members ?? [])
                    .filter { $0.name != "user_handle" }
                return ["credential": .object(JSONObject(credential))]
            }
        },
        Attack("the credential id of another person") { attempt, scene in
            attempt.authenticator.credentialID = scene.bob.credentialID
        },
        Attack("a passkey that nobody registered", "passkey-unknown") { attempt, scene in
            attempt.authenticator = scene.eve
        },
        Attack("a new credential") { attempt, scene in
            let creation = attempt.authenticator.creation([], at: PasskeyFixture.origin.text)
            attempt.ceremony.flags |= 0x40
            (attempt.ceremony.credentialID, attempt.ceremony.key) = (creation.credentialID, creation.key)
        },
        Attack("a counter that goes back") { attempt, scene in attempt.ceremony.counter = scene.ada.counter - 1 },
        Attack("a counter that stays") { attempt, scene in attempt.ceremony.counter = scene.ada.counter },
        Attack("a counter that begins anew") { attempt, _ in attempt.ceremony.counter = 0 },
        Attack("a ceremony at another host", "passkey-unknown") { attempt, _ in
            attempt.headers = SessionFixture.page + [("Host", "console.evil.example")]
            attempt.ceremony.origin = "https://console.evil.example"
            attempt.ceremony.relyingParty = "console.evil.example"
        },
    ]

    private func withScene(_ body: (Scene) throws -> Void) throws {
        try TestDatabase.with(template: .migrated) { second in
            let host = PasskeyFixture(try SessionFixture())
            let (ada, cookies) = try host.join(host.invite("Ada"), counter: 7)
            try body(
                Scene(
                    host: host, other: SessionFixture("production", on: second), ada: ada, adaCookies: cookies,
                    bob: host.join(host.invite("Bob")).passkey, link: host.invite("Carol"),
                    eve: SoftwareAuthenticator()))
        }
    }

    /// Sends an attempt after an attack, and expects that it is refused and changes nothing.
    private func expectRefusal(
        of attack: Attack, _ attempt: Attempt, _ scene: Scene, send: (Attempt) throws -> SessionResponse
    ) throws {
        var attempt = attempt
        try attack.alter(&attempt, scene)
        let before = try scene.host.state
        let answer = try send(attempt)
        #expect(answer.problem == attack.problem, "\(attack.testDescription): \(answer)")
        #expect(answer.cookies.isEmpty, "\(attack.testDescription)")
        #expect(try scene.host.state == before, "\(attack.testDescription)")
    }

    private func register(_ attempt: Attempt, _ host: PasskeyFixture) throws -> SessionResponse {
        try host.send(
            "POST", "/passkeys/registration",
            attempt.body(host.registration(attempt.ceremony, id: attempt.id, attempt.link)), cookies: attempt.cookies,
            headers: attempt.headers, at: attempt.application)
    }

    private func signIn(_ attempt: Attempt, _ host: PasskeyFixture) throws -> SessionResponse {
        var body = try host.signIn(attempt.ceremony, attempt.authenticator, attempt.link)
        if let signature = attempt.signature, case .object(let members) = body,
            var credential = members["credential"]?.objectValue?.members
        {
            credential = credential.map { $0.name == "signature" ? ($0.name, .bytes(signature)) : $0 }
            body = ["credential": .object(JSONObject(credential))]
        }
        return try host.send(
            "POST", "/passkeys/session", attempt.body(body), headers: attempt.headers, at: attempt.application)
    }

    @Test func `no hostile registration is accepted, and the link stays open`() throws {
        try withScene { scene in
            func attempt() throws -> Attempt {
                let challenge = try scene.host.challenge(scene.link).bytes
                return Attempt(
                    ceremony: scene.eve.creation(challenge, at: PasskeyFixture.origin.text), authenticator: scene.eve,
                    link: scene.link)
            }
            for attack in Self.common + Self.registrations {
                try expectRefusal(of: attack, attempt(), scene) { try register($0, scene.host) }
            }
            #expect(try register(attempt(), scene.host).status == 201)
        }
    }

    @Test func `no hostile sign-in is accepted, and a counter that does not grow is audited`() throws {
        try withScene { scene in
            func attempt() throws -> Attempt {
                var ceremony = scene.ada.signIn(try scene.host.challenge().bytes, at: PasskeyFixture.origin.text)
                ceremony.counter = scene.ada.counter + 1
                return Attempt(ceremony: ceremony, authenticator: scene.ada)
            }
            for attack in Self.common + Self.signIns {
                try expectRefusal(of: attack, attempt(), scene) { try signIn($0, scene.host) }
            }
            let refusals = Statement(
                "-- name: test_refusals\nselect count(*) as count from audit_log where action = 'passkey.refused'")
            #expect(try scene.host.first.observer.run(refusals)[0].integer("count") == 3)
            #expect(try signIn(attempt(), scene.host).status == 201)
        }
    }

    @Test func `the passkey of a removed person opens nothing`() throws {
        let host = PasskeyFixture(try SessionFixture())
        let (passkey, cookies) = try host.join(host.invite())
        let people = try host.first.people
        let person = try #require(try people.list().first)
        _ = try people.remove(id: person.id)
        try host.first.sessions.people.refresh()
        #expect(try host.signIn(passkey).problem == "passkey-unknown")
        #expect(try host.send("GET", "/staging/session", cookies: cookies).problem == "person-removed")
        #expect(try host.challenge(cookies: cookies).user == [])
    }

    @Test func `cookies, tokens and passkeys of an instance open nothing at another one under the same host name`()
        throws
    {
        try TestDatabase.with(template: .migrated) { second in
            let (one, other) = (PasskeyFixture(try SessionFixture()), PasskeyFixture(try SessionFixture(on: second)))
            let (ada, cookies) = try one.join(one.invite("Ada"))
            // Ports do not separate cookies, so a browser sends them to both instances.
            #expect(try other.send("GET", "/staging/session", cookies: cookies).problem == "session-ended")
            #expect(try other.send("GET", "/staging/people", cookies: cookies).problem == "session-ended")
            #expect(try one.send("GET", "/staging/session", cookies: cookies).status == 200)
            let token = try one.first.token(.admin).text
            let pasted = try other.first.send("POST", "/session", #"{"token":"\#(token)"}"#)
            #expect(pasted.problem == "token-refused")
            #expect(try other.signIn(ada).problem == "passkey-unknown")
            // A ceremony at the port of one instance is refused at the port of the other.
            let ceremony = ada.signIn(try one.challenge().bytes, at: PasskeyFixture.origin.text)
            let elsewhere = try one.send(
                "POST", "/passkeys/session", one.signIn(ceremony, ada),
                headers: SessionFixture.page + [("Host", "console.example.com:9443")])
            #expect(elsewhere.problem == "passkey-refused")
            #expect(try one.signIn(ada).status == 201)
        }
    }

    @Test func `of two registrations with one link at once, one is accepted and nothing is left of the other`() throws {
        let host = PasskeyFixture(try SessionFixture())
        let link = try host.invite()
        let bodies = try (0..<2).map { _ in
            let passkey = try SoftwareAuthenticator()
            return host.registration(
                passkey.creation(try host.challenge(link).bytes, at: PasskeyFixture.origin.text), link)
        }
        let answers = try concurrently(2) { try host.send("POST", "/passkeys/registration", bodies[$0]) }
        #expect(answers.map(\.status).sorted() == [201, 403], "\(answers)")
        #expect(answers.compactMap(\.problem) == ["invitation-used"])
        let state = try host.state
        for kind in ["person", "passkey", "session", "invitation"] {
            #expect(state.count { $0.hasPrefix(kind) } == 1, "\(state)")
        }
    }
}
