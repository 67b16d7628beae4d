import AlmanacCryptography
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Ceremonies in two environments: each challenge is used once in all, and a failure in one does not hide the other.
@Suite(.database(.migrated)) struct ChallengeTests {
    /// Runs a test with a person whose passkey is known in two environments.
    private func withTwo(
        counter: UInt32 = 0, _ body: (PasskeyFixture, SoftwareAuthenticator, _ cookies: [String]) throws -> Void
    ) throws {
        try TestDatabase.with(template: .migrated) { second in
            let both = PasskeyFixture(try SessionFixture(), try SessionFixture("production", on: second))
            let passkey = try both.join(both.invite("Ada"), counter: counter).passkey
            let sessions = try both.signIn(
                passkey, counter: counter == 0 ? 0 : counter + 1, both.invite("Ada", to: both.environments[1]))
            try #require(sessions.status == 201 && sessions.cookies.count == 2, "\(sessions)")
            try body(both, passkey, sessions.cookies)
        }
    }

    /// Returns the body of a sign-in with a challenge of some environments.
    private func body(_ passkey: SoftwareAuthenticator, challengedBy host: PasskeyFixture) throws -> JSONValue {
        try host.signIn(passkey.signIn(try host.challenge().bytes, at: PasskeyFixture.origin.text), passkey)
    }

    private func used(in environment: SessionFixture) throws -> Int {
        let count = Statement("-- name: test_used\nselect count(*) as count from used_challenges")
        return try environment.observer.run(count)[0].integer("count")
    }

    @Test func `a challenge is used once, whichever environments it is sent to`() throws {
        try withTwo { both, passkey, _ in
            @Sendable func send(_ body: JSONValue, to host: PasskeyFixture) throws -> SessionResponse {
                try host.send("POST", "/passkeys/session", body)
            }
            // Workers that serve one of the environments each.
            let (staging, production) = (PasskeyFixture(both.first), PasskeyFixture(both.environments[1]))
            for (home, other) in [(staging, production), (production, staging)] {
                let body = try body(passkey, challengedBy: home)
                #expect(try send(body, to: other).problem == "passkey-refused")
                #expect(try send(body, to: home).status == 201)
                for host in [home, other, both] { #expect(try send(body, to: host).problem == "passkey-refused") }
            }
            let bodies = try [both, staging, production].map { try self.body(passkey, challengedBy: $0) }
            for body in bodies {
                let answers = try concurrently(4) { _ in try send(body, to: both) }
                #expect(answers.map(\.status).sorted() == [201, 403, 403, 403], "\(answers)")
            }
        }
    }

    @Test func `a used challenge opens no environment that gets to know the passkey later`() throws {
        try TestDatabase.with(template: .migrated) { second in
            let both = PasskeyFixture(try SessionFixture(), try SessionFixture("production", on: second))
            let passkey = try both.join(both.invite("Ada")).passkey
            let body = try body(passkey, challengedBy: both)
            #expect(try both.send("POST", "/passkeys/session", body).cookies.count == 1)
            #expect(try both.signIn(passkey, both.invite("Ada", to: both.environments[1])).cookies.count == 2)
            let replayed = try both.send("POST", "/passkeys/session", body)
            #expect(replayed.problem == "passkey-refused" && replayed.cookies.isEmpty)
        }
    }

    @Test func `challenges that nobody uses are stored nowhere, so they displace none`() throws {
        let host = PasskeyFixture(try SessionFixture())
        let passkey = try host.join(host.invite()).passkey
        let oldest = try body(passkey, challengedBy: host)
        for _ in 0..<50 { _ = try host.challenge() }
        let eve = try SoftwareAuthenticator()
        #expect(try host.send("POST", "/passkeys/session", body(eve, challengedBy: host)).problem == "passkey-unknown")
        #expect(try used(in: host.first) == 1)
        #expect(try host.send("POST", "/passkeys/session", oldest).status == 201)
        #expect(try used(in: host.first) == 2)

        // Uses are kept for longer than clocks differ.
        let age = "update used_challenges set expires_at = now() - interval"
        try host.first.observer.execute(script: "\(age) '59 minutes'")
        _ = try host.first.sessions.removeEnded()
        #expect(try used(in: host.first) == 2)
        try host.first.observer.execute(script: "\(age) '61 minutes'")
        _ = try host.first.sessions.removeEnded()
        #expect(try used(in: host.first) == 0)
    }

    /// The failures of a response in short form.
    private func failures(_ answer: SessionResponse) -> [String] {
        (answer["failures"].arrayValue ?? []).compactMap(\.objectValue).map { failure in
            let kind = failure["type"]?.stringValue?.split(separator: ":").last ?? "?"
            return "\(failure["environment"]?.stringValue ?? "?") \(kind)"
        }
    }

    @Test func `a passkey that one environment refuses is added in the other`() throws {
        try withTwo { both, ada, cookies in
            var passkey = try SoftwareAuthenticator()
            passkey.userHandle = ada.userHandle
            func add(at cookies: [String]) throws -> SessionResponse {
                let challenge = try both.challenge(cookies: cookies).bytes
                return try both.send(
                    "POST", "/passkeys/registration",
                    both.registration(passkey.creation(challenge, at: PasskeyFixture.origin.text), nil),
                    cookies: cookies)
            }
            #expect(try add(at: cookies.filter { $0.contains("production") }).status == 201)
            let added = try add(at: cookies)
            #expect(added.status == 201, "\(added)")
            #expect(added["passkeys"].arrayValue?.map { $0.objectValue?["environment"] } == ["staging"])
            #expect(failures(added) == ["production passkey-exists"], "\(added)")
            #expect(try both.signIn(passkey).cookies.count == 2)
            #expect(try add(at: cookies).problem == "passkey-exists")
        }
    }

    @Test func `a sign-in opens the environments that accept it, and each refusal of a counter is audited`() throws {
        try withTwo(counter: 7) { both, passkey, _ in
            func refusals() throws -> [Int] {
                let count = Statement(
                    "-- name: test_refusals\nselect count(*) as count from audit_log where action = 'passkey.refused'")
                return try both.environments.map { try $0.observer.run(count)[0].integer("count") }
            }
            let ahead = "update passkeys set counter = 100"
            try both.environments[1].observer.execute(script: ahead)
            let partly = try both.signIn(passkey, counter: 20)
            #expect(partly.status == 201 && partly.cookies.count == 1 && partly.cookies[0].contains("staging"))
            #expect(failures(partly) == ["production passkey-refused"], "\(partly)")
            #expect(try refusals() == [0, 1])
            try both.first.observer.execute(script: ahead)
            #expect(try both.signIn(passkey, counter: 21).problem == "passkey-refused")
            #expect(try refusals() == [1, 2])
            let whole = try both.signIn(passkey, counter: 101)
            #expect(whole.cookies.count == 2 && failures(whole) == [], "\(whole)")
        }
    }
}
