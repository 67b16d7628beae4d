import AlmanacEnvironments
import AlmanacIdentity
import AlmanacMaintenance
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments

@Suite(.database(.migrated)) struct SessionRestoreTests {
    @Test func `a restore ends every session, also one that the backup has`() throws {
        let database = try TestDatabase.current
        let environment = EnvironmentSettings(
            name: try #require(EnvironmentName("trial")), database: database.settings(user: TestDatabase.worker),
            owner: database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [], limits: Limits())
        let owner = try Connection(environment.owner)
        let (_, token) = try TokenAdministration(owner, by: Author("tests", .host)).create(
            environment: "trial", label: "ops", scopes: [.admin], expiresAt: nil)
        func begin(_ secret: String) throws {
            try owner.execute(
                script: """
                    select begin_session(decode(repeat('\(secret)', 32), 'hex'), 'console', 'token', '\(token.id)',
                        null, null, '{}', '1 hour', now() + '1 day', null);
                    insert into session_codes (digest, application, token_id, expires_at)
                    values (decode(repeat('\(secret)', 32), 'hex'), 'console', '\(token.id)', now() + '1 hour');
                    """)
        }
        try begin("ab")
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/trial.dump"
        _ = try Backup(environment, scratch: nil) { _, _ in }.write(file, replaces: false)
        // The session ends after the backup, and the restore must not sign that browser in again.
        try owner.execute(script: "select end_session(id, 'session.revoked', 'me', 'host', null) from sessions")
        try begin("cd")
        let listener = try Connection(environment.owner)
        try listener.listen("almanac_sessions")
        _ = try Restore(environment, by: Author("tests", .host)) { _, _ in }.prepare(file).run()
        let left = Statement(
            """
            -- name: test_left
            select (select count(*) from sessions) + (select count(*) from session_codes) as left
            """)
        #expect(try Connection(environment.owner).run(left)[0].integer("left") == 0)
        // The restore must notify every process.
        #expect(try listener.notifications(upTo: .seconds(30)).contains { $0.payload.isEmpty })
    }
}
