import AlmanacHTTP
import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTimestamps
import Testing

/// Tests the identification of a request's sender. The test verifies users' tokens itself.
@Suite struct AuthenticatorTests {
    /// An authenticator that accepts a user's subject as their token, except for `refused`.
    private let authenticator = Authenticator(
        tokens: TokenStore(environment: "staging", pool: Pool(ConnectionSettings(conninfo: ""), size: 1))
    ) { token throws(Problem) in
        guard token != "refused", !token.hasPrefix("almanac_") else { throw Problem(.tokenRefused, "not valid") }
        return Caller(
            user: VerifiedUser(issuer: "https://login.example.com/", subject: token), scopes: [.configRead],
            expiresAt: .latest)
    }

    private func request(_ authorization: String?) throws -> Request {
        let fields = authorization.map { [(name: "Authorization", value: $0)] } ?? []
        return Request(method: "GET", target: try Target("/"), headers: Headers(fields), id: "r1")
    }

    @Test func `a user's token names them, with its scopes and its end`() throws {
        let caller = try #require(try authenticator.caller(of: request("Bearer alice")))
        #expect(caller.user == VerifiedUser(issuer: "https://login.example.com/", subject: "alice"))
        #expect((caller.name, caller.tokenID, caller.expiresAt) == ("alice", nil, .latest))
        #expect(try authenticator.user(of: request("bearer  alice ")) == caller.user)
        #expect(try authenticator.caller(of: request("Bearer alice"), with: .configRead).name == "alice")
    }

    @Test func `a scope that the token lacks is refused`() throws {
        let refusal = problem { try authenticator.caller(of: request("Bearer alice"), with: .admin) }
        #expect(refusal?.kind == .scopeTooSmall)
        #expect(refusal?.headers[0].value.hasSuffix("scope=\"admin\"") == true)
    }

    @Test(arguments: [nil, "", "Bearer", "Basic dXNlcjpwYXNz", "Bearer a b", "alice"])
    func `a request without a bearer token comes from no user`(header: String?) throws {
        let refusal = try #require(problem { try authenticator.user(of: request(header)) })
        #expect(refusal.kind == .tokenNeeded)
        #expect(refusal.detail == "send the user's access token as: Authorization: Bearer …")
        #expect(refusal.headers[0].value == "Bearer realm=\"almanac\"")
        let needed = problem { try authenticator.caller(of: request(header), with: .configRead) }
        #expect(needed?.kind == .tokenNeeded)
    }

    @Test(arguments: ["refused", "almanac_staging_" + String(repeating: "x", count: 43)])
    func `a token that is no user's is refused where only users may ask`(token: String) throws {
        #expect(problem { try authenticator.user(of: request("Bearer \(token)")) }?.kind == .tokenRefused)
    }

    @Test func `a subject is no longer than the index that finds the account`() throws {
        let maxLengthSubject = String(repeating: "s", count: 1000)
        #expect(try authenticator.user(of: request("Bearer \(maxLengthSubject)")).subject == maxLengthSubject)
        let refusal = problem { try authenticator.user(of: request("Bearer \(maxLengthSubject)s")) }
        #expect(refusal?.kind == .tokenRefused)
        #expect(refusal?.detail.contains("1000 bytes") == true)
    }
}
