import AlmanacIdentity
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@Suite(.database(.migrated)) struct TokenAdministrationTests {
    private let tokens: TokenFixture

    init() throws { tokens = try TokenFixture() }

    @Test func `a new token is stored as its digest, with what was asked for`() throws {
        let end = try #require(Timestamp("2099-01-01T00:00:00.123Z"))
        let (token, record) = try tokens.make("app", [.configWrite, .configRead], expiresAt: end)
        #expect(record.id.utf8.count == 8)
        #expect(record.digest == token.digest)
        #expect(record.label == "app")
        #expect(record.scopes == [.configWrite, .configRead])
        #expect(record.expiresAt == end)
        #expect(record.lastUsedAt == nil)
        #expect(record.revokedAt == nil)
        let dump = try Command.run("psql", ["-At", tokens.database.conninfo(), "-c", "table api_tokens"])
        #expect(dump.output.contains(record.id))
        #expect(!dump.output.contains(token.text.suffix(43)))
    }

    @Test func `all tokens are listed, oldest first`() throws {
        let ids = try ["a", "b", "c"].map { try tokens.make($0).record.id }
        _ = try tokens.administration.revoke(id: ids[1])
        try Connection(tokens.database.settings).execute(
            script: """
                update api_tokens set created_at =
                    case label when 'c' then '2001-01-01' when 'a' then '2002-01-01' else '2003-01-01' end::timestamptz
                """)
        let listed = try tokens.administration.list()
        #expect(listed.map(\.label) == ["c", "a", "b"])
        #expect(listed.map { $0.revokedAt != nil } == [false, false, true])
    }

    @Test func `a revoked token stays revoked since the first time`() throws {
        let (_, record) = try tokens.make()
        let revoked = try #require(try tokens.administration.revoke(id: record.id))
        #expect(revoked.id == record.id)
        let time = try #require(revoked.revokedAt)
        #expect(!revoked.isValid(at: time))
        try Connection(tokens.database.settings).execute(script: "update api_tokens set revoked_at = '2001-01-01'")
        let again = try #require(try tokens.administration.revoke(id: record.id))
        #expect(again.revokedAt == Timestamp("2001-01-01T00:00:00.000Z"))
    }

    @Test func `an id that isn't there revokes nothing`() throws {
        let (_, record) = try tokens.make()
        #expect(try tokens.administration.revoke(id: "nothing0") == nil)
        #expect(try tokens.administration.revoke(id: "' or true") == nil)
        #expect(try tokens.record(record.id).revokedAt == nil)
    }

    @Test func `workers are notified of every new and every revoked token`() throws {
        let worker = try Connection(tokens.database.settings(user: TestDatabase.worker))
        try worker.listen(TokenStore.channel)
        let (_, record) = try tokens.make()
        #expect(try worker.notifications(upTo: .seconds(5)).map(\.channel) == [TokenStore.channel])
        _ = try tokens.administration.revoke(id: record.id)
        #expect(try worker.notifications(upTo: .seconds(5)).map(\.channel) == [TokenStore.channel])
        _ = try tokens.administration.revoke(id: "nothing0")
        #expect(try worker.notifications(upTo: .milliseconds(50)).isEmpty)
    }

    @Test(
        arguments: [("", [.admin]), (String(repeating: "x", count: 101), [.admin]), ("app", [])] as [(String, [Scope])])
    func `a token without a label or scope is refused`(label: String, scopes: [Scope]) throws {
        let failure = #expect(throws: PostgresFailure.self) { try tokens.make(label, scopes) }
        #expect(failure?.state == .checkViolation)
        #expect(try tokens.administration.list().isEmpty)
    }

    @Test func `the worker's role cannot make a token`() throws {
        let worker = TokenAdministration(try Connection(tokens.database.settings(user: TestDatabase.worker)))
        let failure = #expect(throws: PostgresFailure.self) {
            try worker.create(environment: "staging", label: "mine", scopes: [.admin], expiresAt: nil)
        }
        #expect(failure?.state == .insufficientPrivilege)
    }
}
