import AlmanacIdentity
import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacMaintenance

/// Tests that a restore admits nobody who was removed since the backup, and brings back no erased name.
@Suite(.database(.migrated)) struct PeopleRestoreTests {
    private let trial: BackupFixture
    private let people: PeopleAdministration
    private let ada = VerifiedUser(issuer: "https://id.test", subject: "ada")
    private let bert = VerifiedUser(issuer: "https://id.test", subject: "bert")

    init() throws {
        trial = try BackupFixture(TestDatabase.current)
        people = PeopleAdministration(trial.owner, by: Author("tests", .host))
        try people.record(ada, name: "Ada")
        try people.record(bert, name: "Bert")
    }

    private func id(_ user: VerifiedUser) throws -> String { try #require(try people.find(user)).id }

    /// Returns the names of the people who are present.
    private func present() throws -> [String?] { try people.list().filter { $0.removedAt == nil }.map(\.name) }

    @Test func `a person removed since the backup stays removed, and an erased name stays erased`() throws {
        _ = try trial.tokens.create(
            environment: "trial", label: "laptop", scopes: [.admin], expiresAt: nil, owner: ada)
        try trial.backUp()
        _ = try people.remove(id: id(ada), erasesName: true)
        for _ in 0..<2 {
            let prepared = try trial.prepare()
            #expect(prepared.losses.erasures.map(\.action) == ["person.remove", "person.erase"])
            _ = try prepared.run()
            #expect(try present() == ["Bert"])
            #expect(try people.find(ada)?.name == nil)
            #expect(try trial.tokens.list().map { $0.owner?.user } == [ada])
        }
    }

    @Test func `a person who first came after the backup, and was removed, stays removed`() throws {
        try trial.backUp()
        let cleo = VerifiedUser(issuer: "https://id.test", subject: "cleo")
        try people.record(cleo, name: "Cleo")
        _ = try people.remove(id: id(cleo))
        _ = try trial.prepare().run()
        #expect(try people.find(cleo)?.removedAt != nil)
        #expect(try present() == ["Ada", "Bert"])
    }

    @Test func `a person who was admitted again stays admitted, with the name given since`() throws {
        _ = try people.remove(id: id(bert), erasesName: true)
        _ = try people.admit(id: id(bert))
        try people.record(bert, name: "Bertram")
        try trial.backUp()
        _ = try people.remove(id: id(ada))
        _ = try people.admit(id: id(ada))
        // Both lines may have the same millisecond.
        try trial.owner.execute(
            script: "update audit_log set recorded_at = date_trunc('milliseconds', now()) where subject = '\(id(ada))'")
        let prepared = try trial.prepare()
        #expect(prepared.losses.erasures == [])
        _ = try prepared.run()
        #expect(try present() == ["Ada", "Bertram"])
    }

    @Test func `on a new host, a saved line of the log removes the person again`() throws {
        try trial.backUp()
        let removed = try id(bert)
        let line = """
            [{"id": 7, "recorded_at": "2030-01-01T00:00:00.000Z", "action": "person.remove", "author": "ops",
            "author_kind": "host", "token_id": null, "subject": "\(removed)",
            "details": {"issuer": "https://id.test", "subject": "bert"}}]
            """
        let prepared = try trial.prepare { $0.erasures = [(path: "removals.json", text: line)] }
        #expect(prepared.losses.erasures.map(\.subject) == [removed])
        _ = try prepared.run()
        #expect(try present() == ["Ada"])
    }

    @Test func `a removal is repeated by the migration of a backup that is older than the table of people`() throws {
        try TestDatabase.with(template: .owned) { database in
            let old = try BackupFixture(database)
            let migrations = try Migration.all(inFolder: Checkout.path("sql/migrations"))
            _ = try Migrator(old.owner).migrate(Array(migrations.prefix(18)))
            try old.backUp()
            _ = try Migrator(old.owner).migrate(migrations)
            let people = PeopleAdministration(old.owner, by: Author("tests", .host))
            for user in [ada, bert] {
                try people.record(user, name: nil)
                _ = try people.remove(id: try #require(try people.find(user)).id, erasesName: true)
            }
            _ = try people.admit(id: try #require(try people.find(bert)).id)
            let removed = try people.find(ada)
            _ = try old.prepare().run()
            _ = try Migrator(old.owner).migrate(migrations)
            let repeated = try people.find(ada)
            #expect(repeated?.id == removed?.id && repeated?.removedAt != nil)
            #expect(try people.find(bert)?.removedAt == nil)
        }
    }
}
