import AlmanacEnvironments
import AlmanacIdentity
import AlmanacMaintenance
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments

@Suite(.database(.migrated)) struct AuditRestoreTests {
    private let environment: EnvironmentSettings
    private let folder: TemporaryFolder

    init() throws {
        let database = try TestDatabase.current
        environment = EnvironmentSettings(
            name: try #require(EnvironmentName("trial")), database: database.settings(user: TestDatabase.worker),
            owner: database.settings(user: TestDatabase.owner), configRead: .everyone, origins: [], limits: Limits())
        folder = try TemporaryFolder()
    }

    private func log() throws -> [String] {
        let lines = Statement(
            """
            -- name: test_audit
            select concat_ws(' ', action, author, author_kind, details ->> 'label') as line from audit_log order by id
            """)
        return try Connection(environment.owner).run(lines).map { try $0.text("line") }
    }

    @Test(arguments: [false, true])
    func `a restore takes nothing out of the audit log, and stands in it`(keepsLineage: Bool) throws {
        let tokens = TokenAdministration(try Connection(environment.owner), by: Author("alice", .host))
        _ = try tokens.create(environment: "trial", label: "before", scopes: [.admin], expiresAt: nil)
        let file = "\(folder.path)/trial.dump"
        _ = try Backup(environment, scratch: nil) { _, _ in }.write(file, replaces: false)
        let (_, later) = try tokens.create(environment: "trial", label: "later", scopes: [.admin], expiresAt: nil)
        _ = try tokens.revoke(id: later.id)
        // The name contains characters with a meaning in psql and SQL.
        let author = Author("o'brien $$; \\! false :database", .host)
        var choices = Restore.Options()
        choices.keepsLineage = keepsLineage
        for _ in 1...2 {
            _ = try Restore(environment, by: author, choices) { _, _ in }.prepare(file).run()
        }
        let restore = "database.restore \(author.name) host"
        #expect(
            try log() == [
                "token.create alice host before", "token.create alice host later", "token.revoke alice host later",
                restore, restore,
            ])
        // The next action appends a line.
        _ = try TokenAdministration(try Connection(environment.owner), by: author).create(
            environment: "trial", label: "next", scopes: [.admin], expiresAt: nil)
        #expect(try log().count == 6)
    }
}
