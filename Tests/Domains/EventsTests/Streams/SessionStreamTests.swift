import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEventsDomain

@Suite(.database(.migrated)) struct SessionStreamTests {
    @Test func `a stream of a session ends with the session, and with what that was made of`() throws {
        let instance = try EventsInstance(configRead: .token)
        let (token, id) = try instance.makeToken()
        let (first, second) = (try instance.signIn(token), try instance.signIn(token))
        let streams = [try instance.open(with: first), try instance.open(with: second)]
        for stream in streams { _ = try stream.next("hello") }
        #expect(instance.hub.sessions.count == 2)
        let ended = try #require(try instance.sessionIDs().first)
        instance.hub.close(sessions: [ended])
        #expect(eventually { instance.hub.sessions.count == 1 })
        try instance.revoke(id)
        instance.hub.recheckTokens(instance.tokens.isValid)
        #expect(eventually { instance.hub.sessions.isEmpty })
    }

    @Test func `nobody follows with a cookie from elsewhere`() throws {
        let instance = try EventsInstance(configRead: .token)
        let cookie = try instance.signIn(try instance.makeToken().text)
        for (site, application) in [
            ("cross-site", Application.console), ("same-site", .console), ("same-origin", .notes), ("same-origin", nil),
        ] as [(String, Application?)] {
            let refusal = try #require(throws: Problem.self) {
                try instance.send(with: cookie, from: site, at: application)
            }
            #expect([.tokenNeeded, .sessionEnded].contains(refusal.kind), "\(site)")
        }
    }
}
