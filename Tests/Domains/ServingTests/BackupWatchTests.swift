import AlmanacEnvironments
import AlmanacMetrics
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacServing

@Suite(.database(.migrated)) struct BackupWatchTests {
    @Test func `the age of the newest backup is shown, counted from the beginning where there is none`() throws {
        let database = try TestDatabase.current
        let clock = TestClock()
        let watch = BackupWatch(
            try #require(EnvironmentName("trial")),
            pool: Pool(database.settings(user: TestDatabase.worker), size: 1), clock: clock.server)
        let owner = try Connection(database.settings(user: TestDatabase.owner))
        func age() -> Double? {
            watch.check()
            var exposition = Exposition()
            watch.write(to: &exposition)
            let line = exposition.text.split(separator: "\n").last { $0.hasPrefix("almanac_backup_age_seconds{") }
            return line?.split(separator: " ").last.flatMap { Double($0) }
        }
        func set(_ column: String, secondsAgo: Int) throws {
            let now = clock.server.milliseconds()
            try owner.execute(
                script: "update upkeep set \(column) = to_timestamp(\(now) / 1000.0) - interval '\(secondsAgo) s'")
        }
        try set("watched_since", secondsAgo: 500)
        #expect(age() == 500)
        try set("backed_up_at", secondsAgo: 60)
        #expect(age() == 500, "asked once in a while only")
        clock.advance(by: .seconds(15))
        #expect(age() == 75)
        // The backup's age still grows while the database cannot be read.
        try owner.execute(script: "alter table upkeep rename to other")
        clock.advance(by: .seconds(100))
        #expect(age() == 175)
    }
}
