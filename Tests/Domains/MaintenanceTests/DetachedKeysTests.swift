import AlmanacEnvironments
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacMaintenance

@Suite(.database(.migrated)) struct DetachedKeysTests {
    @Test func `keys that an earlier version kept from builds that can take them are named`() throws {
        let database = try TestDatabase.current
        let environment = EnvironmentSettings(
            name: try #require(EnvironmentName("trial")), database: database.settings(user: TestDatabase.worker),
            owner: database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [], limits: Limits())
        func findings() -> [String] {
            DatabaseCheck(environment).findings { WallClock.milliseconds }.filter { $0.check == "keys" }.map(\.text)
        }
        #expect(findings().isEmpty)
        try Connection(environment.owner).execute(
            script: """
                insert into config_releases (revision, major, minor, patch, released_at, kind, author)
                values (1, 1, 0, 0, now() - interval '2 h', 'change', 'a'), (2, 2, 0, 0, now(), 'change', 'a');
                insert into config_majors (major, minor, patch, released_revision) values (1, 0, 0, 1), (2, 0, 0, 2);
                insert into config_entries (key, majors, value, revision, updated_at) values
                    ('late', '[2,)', '1', 2, now()), ('same', '[1,)', '1', 1, now()),
                    ('slip', '[1,2)', '"a"', 1, now()), ('slip', '[2,)', '"b"', 2, now()),
                    ('retyped', '[1,2)', '"a"', 1, now()), ('retyped', '[2,)', '5', 2, now()),
                    ('removed', '[1,2)', '1', 1, now()), ('removed', '[2,)', null, 2, now());
                """)
        #expect(findings() == ["builds of older majors do not get the newest value of late, slip"])
        try Connection(environment.owner).execute(script: "update config_majors set retired_at = now() where major = 1")
        #expect(findings().isEmpty)
    }
}
