import AlmanacForms
import AlmanacHTTP
import AlmanacIdentity
import AlmanacPOSIX
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
        #expect(try worker.notifications(upTo: .seconds(20)).map(\.channel) == [TokenStore.channel])
        _ = try tokens.administration.revoke(id: record.id)
        #expect(try worker.notifications(upTo: .seconds(20)).map(\.channel) == [TokenStore.channel])
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

    @Test func `the worker's role makes and ends a token only together with a line about who did`() throws {
        let worker = try Connection(tokens.database.settings(user: TestDatabase.worker))
        let failure = #expect(throws: PostgresFailure.self) {
            try worker.execute(
                script: """
                    insert into api_tokens (id, digest, label, scopes)
                    values ('abcdefg0', decode(repeat('ab', 32), 'hex'), 'mine', array['admin'])
                    """)
        }
        #expect(failure?.state == .insufficientPrivilege)
        let administration = TokenAdministration(worker, by: Author("ops", .token, tokenID: "a1b2c3d4"))
        let (_, record) = try administration.create(
            environment: "staging", label: "job", scopes: [.configWrite], expiresAt: nil)
        _ = try administration.revoke(id: record.id)
        // A second revocation adds no line to the audit log.
        _ = try administration.revoke(id: record.id)
        #expect(
            try tokens.audit() == [
                "token.create ops token a1b2c3d4 \(record.id)", "token.revoke ops token a1b2c3d4 \(record.id)",
            ])
    }

    @Test func `a rotated token goes on for a while beside one with the same label and scopes`() throws {
        let end = Timestamp(milliseconds: WallClock.milliseconds).advanced(bySeconds: 30 * 86_400)
        let (old, record) = try tokens.make("job", [.configWriteOf(try #require(KeyPattern("app.*")))], expiresAt: end)
        let new = APIToken(environment: "staging")
        let successor = try #require(
            try tokens.administration.rotate(id: record.id, to: new, expiresAt: nil, overlap: 3600))
        #expect((successor.label, successor.scopes) == (record.label, record.scopes))
        #expect(successor.id != record.id)
        // The successor's lifetime equals the old token's.
        let span = try #require(successor.expiresAt).milliseconds - successor.createdAt.milliseconds
        #expect(abs(span - (end.milliseconds - record.createdAt.milliseconds)) < 60_000)
        let remainingMilliseconds =
            try #require(try tokens.record(record.id).expiresAt).milliseconds - WallClock.milliseconds
        #expect((1...3_600_000).contains(remainingMilliseconds))
        try tokens.store.refresh()
        #expect(try [old, new].map { try tokens.caller($0).name } == ["job", "job"])

        let next = APIToken(environment: "staging")
        #expect(try tokens.administration.rotate(id: record.id, to: next, expiresAt: nil, overlap: 0) != nil)
        try tokens.store.refresh()
        #expect(problem { try tokens.caller(old) }?.kind == .tokenRefused)
        // An expired token and an unknown id have no successor.
        for id in [record.id, "nothing0"] {
            #expect(
                try tokens.administration.rotate(
                    id: id, to: APIToken(environment: "staging"), expiresAt: nil, overlap: 9) == nil)
        }
        #expect(try tokens.administration.list().count == 3)
    }

    @Test func `a token without an end has a successor without one, which may be given one`() throws {
        let (_, record) = try tokens.make()
        let administration = tokens.administration
        let endless = try administration.rotate(
            id: record.id, to: APIToken(environment: "staging"), expiresAt: nil, overlap: 60)
        #expect(try #require(endless).expiresAt == nil)
        let end = try #require(Timestamp("2099-01-01T00:00:00.000Z"))
        let ending = try administration.rotate(
            id: try #require(endless).id, to: APIToken(environment: "staging"), expiresAt: end, overlap: 60)
        #expect(try #require(ending).expiresAt == end)
    }
}
