import Migrations
import PostgreSQL
import Support
import Testing

@Suite struct MigratorTests {
    @Test func `a copy of the migrated database can be used and migrated on`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let owner = try Connection(database.settings(user: TestDatabase.owner))
            #expect(try Migrator(owner).migrate(Migration.all(inFolder: Checkout.path("sql/migrations"))).isEmpty)
            try owner.execute(script: "create table later (n integer)")
            try Schema.check(Connection(database.settings(user: TestDatabase.worker)))
        }
    }
}
