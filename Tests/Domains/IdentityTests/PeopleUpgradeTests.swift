import AlmanacCryptography
import AlmanacHTTP
import AlmanacJSON
import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacIdentity

/// Tests of a database of the release before people: tokens and sessions stay, and people appear as they sign in.
@Suite(.database(.owned)) struct PeopleUpgradeTests {
    /// The last migration of the release before.
    private static let before = 18

    private let host: SessionFixture
    private let token = APIToken(environment: "staging")
    private let secret = SessionSecret([UInt8](repeating: 0xab, count: 32))
    private let userSecret = SessionSecret([UInt8](repeating: 0xcd, count: 32))

    /// Creates a token, a session of the token and the session of an operator, and migrates the database.
    init() throws {
        let database = try TestDatabase.current
        let owner = try Connection(database.settings(user: TestDatabase.owner))
        let migrations = try Migration.all(inFolder: Checkout.path("sql/migrations"))
        _ = try Migrator(owner).migrate(Array(migrations.prefix(Self.before)))
        let making = Statement(
            """
            -- name: test_upgrade_token
            select id from make_api_token($1, 'ops', '{admin}', null, 'tests', 'host', null)
            """)
        let id = try owner.run(making, .bytes(token.digest))[0].text("id")
        let beginning = Statement(
            """
            -- name: test_upgrade_session
            select id from begin_session($1, 'console', $2, $3, $4, $5, $6, '2 hours', now() + '12 hours', null)
            """)
        _ = try owner.run(
            beginning, .bytes(secret.digest), .text("token"), .text(id), .text(nil), .text(nil), .textArray([]))
        _ = try owner.run(
            beginning, .bytes(userSecret.digest), .text("provider"), .text(nil),
            .text("urn:almanac:development:staging"),
            .text("bert"), .textArray(["config:read"]))
        _ = try Migrator(owner).migrate(migrations)
        host = try SessionFixture()
    }

    private func session(_ secret: SessionSecret) throws -> SessionResponse {
        try host.send(with: "__Host-almanac-staging=\(secret.text)")
    }

    private func people() throws -> [String] {
        let answer = try host.send("GET", "/people", "", [("Authorization", "Bearer \(token.text)")], at: nil)
        try #require(answer.status == 200, "\(answer)")
        return (answer.json.arrayValue ?? []).compactMap { $0.objectValue?["subject"]?.stringValue }
    }

    @Test func `tokens and sessions stay, and a person appears with the first use of a session`() throws {
        #expect(try people() == [])
        let ofToken = try session(secret)
        #expect(ofToken.status == 200 && ofToken["kind"] == "token" && ofToken["name"] == "ops", "\(ofToken)")
        #expect(ofToken["person"] == .null)
        // A session records its use once a minute.
        host.clock.advance(by: .seconds(61))
        let ofUser = try session(userSecret)
        #expect(ofUser.status == 200 && ofUser["scopes"] == ["config:read"], "\(ofUser)")
        #expect(try people() == ["bert"])
    }

    @Test func `a token opens new sessions once it has an owner`() throws {
        let body = #"{"token":"\#(token.text)"}"#
        let refused = try host.send("POST", "/session", body)
        #expect(refused.status == 403 && refused.problem == "owner-needed", "\(refused)")
        #expect(refused["detail"].stringValue?.contains("almanac token set staging ") == true, "\(refused)")
    }
}
