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

    @Test(arguments: [false, true])
    func `a restore closes open proposals, and erases purged values in them again`(keepsLineage: Bool) throws {
        let connection = try Connection(environment.owner)
        try connection.execute(
            script: """
                insert into proposals (title, state, author, author_kind, failure)
                select s, s, 'ada', 'host', '{"conflicts":[{"key":"banner","now":"s3cr3t"}]}'
                from unnest('{draft,open,applied}'::text[]) s;
                insert into proposal_edits (number, key, path, after, author, round)
                select number, case number when 2 then 'theme' else 'banner' end, '', '"s3cr3t"', 'ada', 1
                from proposals
                """)
        let file = "\(folder.path)/proposals.dump"
        _ = try Backup(environment, scratch: nil) { _, _ in }.write(file, replaces: false)
        try connection.execute(
            script:
                """
                insert into audit_log (action, author, author_kind, subject)
                values ('config.purge', 'x', 'host', 'banner')
                """
        )
        var choices = Restore.Options()
        choices.keepsLineage = keepsLineage
        _ = try Restore(environment, by: Author("alice", .host), choices) { _, _ in }.prepare(file).run()
        let rows = try Connection(environment.owner).run(
            Statement(
                """
                -- name: test_proposals
                select concat_ws(' ', p.state, p.closed_as, e.key, coalesce(e.after::text, '-'),
                    coalesce(p.failure::text, '-')) as line
                from proposals p join proposal_edits e using (number) order by number
                """))
        #expect(
            try rows.map { try $0.text("line") } == [
                "closed purged banner - -", #"closed restored theme "s3cr3t" -"#,
                "applied banner - -",
            ])
    }

    @Test(arguments: [("trial", "-"), ("production", "restored")])
    func `a restore closes open deliveries, and disables the hooks of another environment`(
        _ source: String, _ reason: String
    ) throws {
        let connection = try Connection(environment.owner)
        try connection.execute(
            script: """
                update upkeep set environment = '\(source)';
                insert into hooks (id, url, label, format, types, secret, author, author_kind)
                values ('aaaaaaaaaaaa', 'https://chat.example.com', 'Chat', 'slack', '{release.created}', 'whsec_x',
                    'ada', 'host');
                insert into deliveries (hook_id, event_id, type, state, leased_until)
                select 'aaaaaaaaaaaa', s, 'release.created', s, now() from unnest('{open,delivered}'::text[]) s
                """)
        let file = "\(folder.path)/hooks.dump"
        _ = try Backup(environment, scratch: nil) { _, _ in }.write(file, replaces: false)
        var choices = Restore.Options()
        choices.allowsOtherEnvironment = true
        _ = try Restore(environment, by: Author("alice", .host), choices) { _, _ in }.prepare(file).run()
        let rows = try Connection(environment.owner).run(
            Statement(
                """
                -- name: test_deliveries
                select concat_ws(' ', d.event_id, d.state, coalesce(h.disabled_reason, '-')) as line
                from deliveries d join hooks h on h.id = d.hook_id order by d.id
                """))
        #expect(try rows.map { try $0.text("line") } == ["open failed \(reason)", "delivered delivered \(reason)"])
    }
}
