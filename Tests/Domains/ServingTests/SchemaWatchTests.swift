import AlmanacEnvironments
import AlmanacMigrations
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacServing

@Suite(.database(.migrated)) struct SchemaWatchTests {
    @Test func `a schema one migration newer is used, and one that is two newer is not`() throws {
        let database = try TestDatabase.current
        let clock = TestClock()
        let pool = Pool(database.settings(user: TestDatabase.worker), size: 1)
        let name = try #require(EnvironmentName("trial"))
        let watch = try SchemaWatch(name, pool: pool, clock: clock.server)
        let owner = try Connection(database.settings(user: TestDatabase.owner))
        func failure(after script: String) throws -> String? {
            try owner.execute(script: script)
            clock.advance(by: .seconds(1))
            watch.check()
            return watch.failure
        }
        func insertion(_ steps: Int) -> String {
            "insert into almanac_migrations values (\(Schema.required + steps), 'later', '')"
        }
        #expect(try failure(after: insertion(1)) == nil)
        _ = try SchemaWatch(name, pool: pool, clock: clock.server)
        #expect(try failure(after: insertion(2))?.contains("install a release in between") == true)
        #expect(throws: MigrationFailure.self) { try SchemaWatch(name, pool: pool, clock: clock.server) }
        let removal = "delete from almanac_migrations where number > \(Schema.required)"
        #expect(try failure(after: removal) == nil)
    }
}
