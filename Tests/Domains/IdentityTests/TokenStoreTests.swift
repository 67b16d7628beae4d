import AlmanacHTTP
import AlmanacIdentity
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@Suite(.database(.migrated)) struct TokenStoreTests {
    private let tokens: TokenFixture

    init() throws { tokens = try TokenFixture() }

    private func request(_ authorization: String?) throws -> Request {
        let fields = authorization.map { [(name: "authorization", value: $0)] } ?? []
        return Request(method: "GET", target: try Target("/"), headers: Headers(fields), id: "r1")
    }

    @Test func `a valid token says who is asking and what they may do`() throws {
        let (token, _) = try tokens.make("CI of the web app 😸", [.configRead, .configWrite])
        try tokens.store.refresh()
        for header in ["Bearer \(token.text)", "bearer \(token.text)", "BEARER  \(token.text) "] {
            let caller = try #require(try tokens.authenticator.caller(of: request(header)))
            #expect(caller.name == "CI of the web app 😸")
            #expect(caller.scopes == [.configRead, .configWrite])
        }
    }

    @Test func `a request without a header comes from nobody`() throws {
        #expect(try tokens.authenticator.caller(of: request(nil)) == nil)
        #expect(Authenticator.tokenNeeded.kind == .tokenNeeded)
        #expect(Authenticator.tokenNeeded.headers.map(\.name) == ["WWW-Authenticate"])
    }

    @Test(arguments: ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "almanac_staging_x", "Bearer a b", "Bearer,a"])
    func `a malformed header is refused, with the form that was expected`(header: String) throws {
        let refusal = try #require(problem { try tokens.authenticator.caller(of: request(header)) })
        #expect(refusal.kind == .tokenNeeded)
        #expect(refusal.detail.contains("Authorization: Bearer"))
        #expect(refusal.headers[0].value == "Bearer realm=\"almanac\"")
    }

    @Test func `an unknown token is refused and not repeated`() throws {
        _ = try tokens.make()
        try tokens.store.refresh()
        let unknown = APIToken(environment: "staging")
        for token in [unknown.text, "almanac_staging_", "x", "almanac_staging_" + String(repeating: "ä", count: 43)] {
            let refusal = try #require(problem { try tokens.authenticator.caller(authorization: "Bearer \(token)") })
            #expect(refusal.kind == .tokenRefused)
            #expect(refusal.headers.map(\.name) == ["WWW-Authenticate"])
            #expect(refusal.headers[0].value.contains("error=\"invalid_token\""))
            #expect(!refusal.detail.contains(unknown.text))
        }
    }

    @Test func `a token of another environment is refused even when it is stored here`() throws {
        let (token, _) = try tokens.administration.create(
            environment: "production", label: "app", scopes: [.admin], expiresAt: nil)
        try tokens.store.refresh()
        let refusal = problem { try tokens.caller(token) }
        #expect(refusal?.kind == .tokenRefused)
        #expect(refusal?.detail.contains("environment") == true)
    }

    @Test func `a token is refused from the moment that it expires`() throws {
        let now = Timestamp(milliseconds: WallClock.milliseconds)
        let (over, _) = try tokens.make("over", expiresAt: now)
        let (open, record) = try tokens.make("open", expiresAt: now.advanced(bySeconds: 3600))
        try tokens.store.refresh()
        let refusal = problem { try tokens.caller(over) }
        #expect(refusal?.kind == .tokenRefused)
        #expect(refusal?.detail.contains("expired") == true)
        #expect(try tokens.caller(open).name == "open")
        let end = try #require(record.expiresAt)
        #expect(end == now.advanced(bySeconds: 3600))
        #expect(record.isValid(at: Timestamp(milliseconds: end.milliseconds - 1)))
        #expect(!record.isValid(at: end))
    }

    @Test func `a revoked token is refused after a refresh`() throws {
        let (token, record) = try tokens.make()
        try tokens.store.refresh()
        #expect(try tokens.caller(token).name == "app")
        _ = try tokens.administration.revoke(id: record.id)
        try tokens.store.refresh()
        #expect(problem { try tokens.caller(token) }?.kind == .tokenRefused)
    }

    @Test func `a token that was accepted is refused when it has expired`() throws {
        let now = Monitor(Timestamp(milliseconds: WallClock.milliseconds))
        let clock = ServerClock(now: { .now }, milliseconds: { now.read { $0.milliseconds } })
        let store = TokenStore(environment: "staging", pool: tokens.pool, clock: clock)
        let end = now.read { $0.advanced(bySeconds: 60) }
        let (token, _) = try tokens.make("app", expiresAt: end)
        try store.refresh()
        let authenticator = Authenticator(tokens: store) { _ throws(Problem) in throw Authenticator.tokenNeeded }
        func caller() throws -> Caller { try authenticator.caller(authorization: "Bearer \(token.text)") }
        #expect(try caller().name == "app")
        #expect(try caller().name == "app")
        now.update { $0 = end }
        #expect(problem { try caller() }?.detail.contains("expired") == true)
    }

    @Test func `a caller is told apart by their token, and ends with it`() throws {
        let end = Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: 3600)
        let (token, record) = try tokens.make(expiresAt: end)
        let (endless, other) = try tokens.make()
        let caller = try tokens.caller(token)
        #expect(caller.tokenID == record.id)
        #expect(caller.expiresAt == end)
        #expect(try tokens.caller(endless).tokenID == other.id)
        #expect(try tokens.caller(endless).expiresAt == nil)
    }

    @Test func `a token that was accepted is valid until it is revoked or over`() throws {
        let (_, record) = try tokens.make()
        let (_, other) = try tokens.make("other")
        let (_, over) = try tokens.make("over", expiresAt: Timestamp(milliseconds: WallClock.milliseconds))
        #expect(!tokens.store.isValid(record.id))
        try tokens.store.refresh()
        #expect(
            [record.id, other.id, over.id, "", "no.such"].map(tokens.store.isValid) == [
                true, true, false, false, false,
            ])
        _ = try tokens.administration.revoke(id: record.id)
        #expect(tokens.store.isValid(record.id))
        try tokens.store.refresh()
        #expect(!tokens.store.isValid(record.id))
        #expect(tokens.store.isValid(other.id))
    }

    @Test func `a token that was just made is found without a notification`() throws {
        try tokens.store.refresh()
        let (token, _) = try tokens.make("new")
        #expect(eventually { (try? tokens.caller(token))?.name == "new" })
    }

    @Test func `a token that was just made is taken at once, however lately the tokens were read`() throws {
        // The second caller of a round comes within the pause after the first caller's read.
        for round in 0..<3 {
            try tokens.store.refresh()
            for name in ["a\(round)", "b\(round)"] {
                let (token, _) = try tokens.make(name)
                #expect(try tokens.caller(token).name == name)
            }
        }
    }

    @Test func `all who come at once with a token that was just made are let in`() throws {
        try tokens.store.refresh()
        let authenticator = tokens.authenticator
        for round in 0..<3 {
            let (token, _) = try tokens.make("t\(round)")
            let names = try concurrently(6) { _ in
                try authenticator.caller(authorization: "Bearer \(token.text)").name
            }
            #expect(names == Array(repeating: "t\(round)", count: 6))
        }
    }

    @Test func `a store that never loaded looks before it refuses`() throws {
        let (token, _) = try tokens.make("first")
        #expect(try tokens.caller(token).name == "first")
    }

    @Test func `the last use is written down when it is asked for, and never goes back`() throws {
        let (token, record) = try tokens.make()
        let (_, unused) = try tokens.make("unused")
        try tokens.store.refresh()
        let before = WallClock.milliseconds
        _ = try tokens.caller(token)
        let after = WallClock.milliseconds
        #expect(try tokens.record(record.id).lastUsedAt == nil)
        try tokens.store.recordUses()
        let used = try #require(try tokens.record(record.id).lastUsedAt)
        #expect((before...after).contains(used.milliseconds))
        #expect(try tokens.record(unused.id).lastUsedAt == nil)

        let later = used.advanced(bySeconds: 3600)
        try Connection(tokens.database.settings).execute(
            script: "update api_tokens set last_used_at = '\(later)' where last_used_at is not null")
        _ = try tokens.caller(token)
        try tokens.store.recordUses()
        #expect(try tokens.record(record.id).lastUsedAt == later)
    }

    @Test func `while the database is away known tokens work and uses are kept for later`() throws {
        let (token, record) = try tokens.make()
        try tokens.store.refresh()
        try tokens.close()
        #expect(try tokens.caller(token).name == "app")
        #expect(problem { try tokens.caller(APIToken(environment: "staging")) }?.kind == .tokenRefused)
        #expect(try tokens.caller(token).name == "app")
        #expect(throws: PostgresFailure.self) { try tokens.store.recordUses() }
        #expect(throws: PostgresFailure.self) { try tokens.store.refresh() }
        try tokens.open()
        try tokens.store.recordUses()
        let used = try TokenAdministration(
            Connection(tokens.database.settings), by: Author("tests", .host)
        ).list().first { $0.id == record.id }
        #expect(used?.lastUsedAt != nil)
    }

    @Test func `a flood of unknown tokens reads the table at most five times a second`() throws {
        let (token, _) = try tokens.make()
        try tokens.store.refresh()
        let before = try tokens.scans()
        let authenticator = tokens.authenticator
        let start = ContinuousClock.now
        let end = start + .milliseconds(900)
        let known = try concurrently(4) { _ in
            var known = 0
            while ContinuousClock.now < end {
                _ = try? authenticator.caller(authorization: "Bearer \(APIToken(environment: "staging").text)")
                known += try authenticator.caller(authorization: "Bearer \(token.text)").scopes.count
            }
            return known
        }
        let elapsed = ContinuousClock.now - start
        #expect(known.allSatisfy { $0 > 10 })
        // A database session reports its statistics at its end at the latest.
        tokens.pool.close()
        #expect(try eventually { try tokens.sessions() == 0 })
        // The count includes the refresh before the flood.
        let scans = try tokens.scans() - before
        #expect((2...(Int(elapsed / .milliseconds(200)) + 2)).contains(scans))
    }

    @Test func `tokens can be checked while they are loaded anew`() throws {
        let (token, _) = try tokens.make()
        try tokens.store.refresh()
        let (store, authenticator) = (tokens.store, tokens.authenticator)
        let names = try concurrently(4) { index in
            try (0..<50).map { _ in
                if index == 0 { try store.refresh() }
                return try authenticator.caller(authorization: "Bearer \(token.text)").name
            }
        }
        #expect(names.joined().allSatisfy { $0 == "app" })
    }
}
