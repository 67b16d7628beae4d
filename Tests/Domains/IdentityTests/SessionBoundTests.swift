import AlmanacHTTP
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Tests that endless sign-ins with one token fill neither the sessions nor the audit log.
@Suite(.database(.migrated)) struct SessionBoundTests {
    private let host: SessionFixture

    init() throws { host = try SessionFixture() }

    @Test func `sign-ins of one token within a minute are one line of the log, with their number`() throws {
        let token = try host.token(.admin, label: "release job")
        let other = try host.token(.configRead, label: "reader")
        for _ in 0..<3 {
            let cookie = try host.signIn(token.text)
            _ = try host.send("DELETE", "/session", with: cookie)
        }
        _ = try host.signIn(other.text)
        try host.observer.execute(
            script: "update audit_log set recorded_at = recorded_at - interval '61 s' where author = 'release job'")
        _ = try host.signIn(token.text)
        #expect(
            try host.audit == [
                "session.signed_in release job user token 3", "session.signed_out release job user 3",
                "session.signed_in reader user token", "session.signed_in release job user token",
            ])
    }

    @Test func `a person has a hundred sessions, and the one that was used least recently gives way`() throws {
        let token = try host.token(.admin)
        let first = try host.signIn(token.text)
        let second = try host.signIn(token.text)
        for _ in 0..<98 { _ = try host.signIn(token.text) }
        let otherSessions = try (
            host.signIn(host.token(.admin, owner: "other").text), host.signIn("user-alice", at: .notes)
        )
        try host.observer.execute(
            script: """
                update sessions set last_used_at = last_used_at - interval '2 s'
                where id = (select id from sessions order by signed_in_at, ctid limit 1 offset 1)
                """)
        _ = try host.signIn(token.text)
        #expect(try host.count == 102)
        #expect(try host.send(with: second).problem == "session-ended")
        #expect(try host.send(with: first).status == 200)
        #expect(try host.send(with: otherSessions.0).status == 200)
        #expect(try host.send(with: otherSessions.1, at: .notes).status == 200)
    }

    @Test func `the twenty newest codes of a token are good`() throws {
        let bearer = [("Authorization", "Bearer \(try host.token(.configRead).text)")]
        let codes = try (0..<21).map { _ in
            host.clock.advance(by: .seconds(1))
            return try #require(try host.send("POST", "/session/link", "", bearer, at: nil)["code"].stringValue)
        }
        func use(_ code: String) throws -> String? {
            try host.send("POST", "/session", #"{"code":"\#(code)"}"#).problem
        }
        #expect(try use(codes[0]) == "sign-in-expired")
        #expect(try use(codes[1]) == nil)
    }
}
