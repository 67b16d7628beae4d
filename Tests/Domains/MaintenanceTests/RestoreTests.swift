import AlmanacEnvironments
import AlmanacIdentity
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacMaintenance

/// An environment with its own database, and a folder for its backups.
struct BackupFixture {
    let environment: EnvironmentSettings
    let folder: TemporaryFolder
    let owner: Connection
    let tokens: TokenAdministration
    var file: String { "\(folder.path)/a.dump" }

    /// - Parameter members: Further members of the environment in JSON, after a comma.
    init(_ database: TestDatabase, named name: String = "trial", members: String = "") throws {
        folder = try TemporaryFolder()
        let file = try folder.write(
            "environments.json",
            #"{"\#(name)": {"database": "\#(database.conninfo(user: TestDatabase.owner))"\#(members)}}"#.utf8)
        environment = try EnvironmentsFile.load(file)[0]
        owner = try Connection(database.settings(user: TestDatabase.owner))
        tokens = TokenAdministration(owner, by: Author("tests", .host))
    }

    func backUp(to file: String? = nil) throws {
        _ = try Backup(environment, scratch: nil) { _, _ in }.write(file ?? self.file, replaces: true)
    }

    func prepare(
        _ file: String? = nil, _ choose: (inout Restore.Options) -> Void = { _ in }
    ) throws -> PreparedRestore {
        var choices = Restore.Options()
        choose(&choices)
        return try Restore(environment, by: Author("tests", .host), choices) { _, _ in }.prepare(file ?? self.file)
    }

    @discardableResult
    func token(_ label: String) throws -> String {
        try tokens.create(environment: "trial", label: label, scopes: [.configRead], expiresAt: nil).record.id
    }

    /// Returns the ids of the tokens that are not revoked.
    func validTokens() throws -> Set<String> { Set(try tokens.list().filter { $0.revokedAt == nil }.map(\.id)) }

    /// Makes empty releases.
    func release(_ count: Int) throws {
        for _ in 0..<count {
            try owner.execute(
                script: """
                    update config_head set revision = revision + 1, major = 1, patch = patch + 1,
                        updated_at = greatest(clock_timestamp(), updated_at + interval '1 ms');
                    insert into config_releases
                    select revision, 1, 0, patch, updated_at, 'change', 'me' from config_head
                    """)
        }
    }
}

@Suite(.database(.migrated)) struct RestoreTests {
    private let trial: BackupFixture

    init() throws { trial = try BackupFixture(TestDatabase.current) }

    @Test func `a token that was revoked since the backup stays revoked, and is named`() throws {
        let (kept, revoked) = (try trial.token("kept"), try trial.token("a\tlabel \\ with\nall 😸"))
        let before = try trial.token("revoked before")
        _ = try trial.tokens.revoke(id: before)
        try trial.backUp()
        _ = try trial.tokens.revoke(id: revoked)
        let later = try trial.token("later")
        let prepared = try trial.prepare()
        #expect(prepared.losses.revoked.map(\.label) == ["a\tlabel \\ with\nall 😸"])
        #expect(prepared.losses.tokens.map(\.id) == [later])
        #expect(try trial.validTokens() == [kept, later], "preparing changes nothing")
        _ = try prepared.run()
        #expect(try trial.validTokens() == [kept])
        #expect(try trial.tokens.list().first { $0.id == revoked }?.revokedAt != nil)
    }

    @Test func `only those who ask for it get revoked tokens back`() throws {
        let revoked = try trial.token("revoked")
        try trial.backUp()
        _ = try trial.tokens.revoke(id: revoked)
        let prepared = try trial.prepare { $0.revalidatesTokens = true }
        #expect(prepared.losses.revoked.map(\.id) == [revoked])
        _ = try prepared.run()
        #expect(try trial.validTokens() == [revoked])
    }

    @Test func `a revocation outlives the restores of an older and then of a newer backup`() throws {
        let older = "\(trial.folder.path)/older.dump"
        try trial.backUp(to: older)
        let revoked = try trial.token("revoked")
        try trial.backUp()
        _ = try trial.tokens.revoke(id: revoked)
        _ = try trial.prepare(older).run()
        _ = try trial.prepare().run()
        #expect(try trial.validTokens() == [])
    }

    @Test func `workers are told that config and tokens are others`() throws {
        try trial.backUp()
        let prepared = try trial.prepare()
        for renew in [{ _ = try prepared.run() }, { _ = try trial.owner.renewLineage() }] {
            let listener = try Connection(TestDatabase.current.settings(user: TestDatabase.worker))
            for channel in ["almanac_config", TokenStore.channel] { try listener.listen(channel) }
            try renew()
            var notifiedChannels: Set<String> = []
            #expect(
                try eventually {
                    notifiedChannels.formUnion(try listener.notifications(upTo: .milliseconds(100)).map(\.channel))
                    return notifiedChannels == ["almanac_config", TokenStore.channel]
                }, "\(notifiedChannels)")
        }
    }

    @Test func `both revisions are shown, and what is lost, before anything is changed`() throws {
        try trial.release(2)
        try trial.backUp()
        try trial.release(3)
        try trial.owner.execute(
            script: "insert into accounts (issuer, subject, revision) values ('i', 'a', 4), ('i', 'b', 3)")
        let prepared = try trial.prepare()
        #expect(prepared.backup.state.revision == 2)
        #expect(prepared.backup.state.version == "1.0.2")
        #expect(prepared.backup.state.environment == "trial")
        #expect(Timestamp(prepared.backup.state.changedAt) != nil, "\(prepared.backup.state.changedAt)")
        #expect(prepared.present?.revision == 5)
        #expect(prepared.present?.accounts == 2)
        #expect(prepared.losses.releases == 3)
        #expect(prepared.losses.noteChanges == 7)
        #expect(try prepared.run().revision == 2)
        #expect(try trial.prepare().losses.releases == 0)
    }

    @Test func `a backup of another environment is refused, unless it is asked for`() throws {
        try trial.backUp()
        try TestDatabase.with(template: .migrated) { database in
            let other = try BackupFixture(database, named: "other")
            let refusal = #expect(throws: MaintenanceFailure.self) { try other.prepare(trial.file) }
            #expect(refusal?.description.contains("a backup of 'trial', not of 'other'") == true)
            #expect(refusal?.description.contains("--other-environment") == true)
            _ = try other.prepare(trial.file) { $0.allowsOtherEnvironment = true }.run()
            // The restored database now belongs to the other environment.
            try other.backUp()
            #expect(try other.prepare().backup.state.environment == "other")
        }
    }

    @Test func `the database of another environment is not replaced, unless that is asked for`() throws {
        try trial.backUp()
        let wrong = try BackupFixture(TestDatabase.current, named: "wrong")
        try trial.owner.execute(script: "update upkeep set environment = null")
        try wrong.backUp()
        try trial.owner.execute(script: "update upkeep set environment = 'trial'")
        let refusal = #expect(throws: MaintenanceFailure.self) { try wrong.prepare() }
        #expect(refusal?.description.contains("belongs to 'trial'") == true)
    }

    @Test func `a backup that names no environment is of the database that it was made of`() throws {
        try trial.owner.execute(script: "drop table upkeep")
        try trial.owner.execute(script: "delete from almanac_migrations where number >= \(Self.upkeepMigration)")
        try trial.backUp()
        #expect(try trial.prepare().backup.state.environment == nil)
        try TestDatabase.with(template: .migrated) { database in
            let other = try BackupFixture(database)
            let refusal = #expect(throws: MaintenanceFailure.self) { try other.prepare(trial.file) }
            #expect(refusal?.description.contains("names no environment") == true)
            #expect(try other.prepare(trial.file) { $0.allowsOtherEnvironment = true }.run().needsMigration)
        }
    }

    @Test func `on a new host, the erasures of a saved audit log are repeated and kept`() throws {
        try trial.owner.execute(script: "insert into accounts (issuer, subject) values ('i', 'anna'), ('i', 'bert')")
        try trial.backUp()
        let words = try trial.owner.run(
            Statement("-- name: test_words\nselect word from accounts order by subject")
        ).map { try $0.text("word") }
        let line = """
            {"id": 7, "recorded_at": "2026-01-02T09:00:00.000Z", "action": "account.erase", "author": "it's \\\\ me",
            "author_kind": "host", "subject": "\(words[0])", "details": {}}
            """
        let other = line.replacing("account.erase", with: "token.create").replacing(words[0], with: words[1])
        try TestDatabase.with(template: .migrated) { database in
            let host = try BackupFixture(database)
            for text in ["{}", "[{}]", "[", #"[{"action": "account.erase", "subject": "x"}]"#] {
                let refusal = #expect(throws: MaintenanceFailure.self) {
                    try host.prepare(trial.file) { options in
                        options.allowsOtherEnvironment = true
                        options.erasures = [("saved.json", text)]
                    }
                }
                #expect(refusal?.description.hasPrefix("saved.json: expected the array") == true, "\(text)")
            }
            for _ in 1...2 {
                let prepared = try host.prepare(trial.file) { options in
                    options.allowsOtherEnvironment = true
                    options.erasures = [("saved.json", "[\(line), \(other)]"), ("again.json", "[\(line)]")]
                }
                #expect(prepared.losses.erasures.map(\.subject) == [words[0]])
                _ = try prepared.run()
                let state = Statement(
                    """
                    -- name: test_state
                    select (select string_agg(subject, ' ') from accounts) as accounts,
                        (select string_agg(author, ',') from audit_log where action = 'account.erase') as authors,
                        (select count(*) from audit_log where action = 'token.create' and author like 'it%') as others
                    """)
                let row = try host.owner.run(state)[0]
                #expect(try row.text("accounts") == "bert" && row.text("authors") == #"it's \ me"#)
                #expect(try row.bigint("others") == 0)
            }
        }
    }

    private static var upkeepMigration: Int {
        get throws {
            let names = try File.names(inFolder: Checkout.path("sql/migrations"))
            return try #require(names.firstIndex { $0.hasSuffix("_upkeep.sql") }) + 1
        }
    }

    @Test func `the age of the newest backup is that of this database, whatever is restored`() throws {
        let start = try trial.owner.newestBackup()
        try trial.backUp()
        let first = try trial.owner.newestBackup()
        #expect(first >= start)
        let second = "\(trial.folder.path)/second.dump"
        try trial.backUp(to: second)
        let newest = try trial.owner.newestBackup()
        #expect(newest > first)
        _ = try trial.prepare().run()
        #expect(try trial.owner.newestBackup() == newest)
    }

    @Test func `a file that is none, or cut short, is named with what is wrong`() throws {
        try trial.backUp()
        let whole = try File.read(trial.file)
        let cut = try trial.folder.write("cut", whole.prefix(whole.count / 2))
        let text = try trial.folder.write("text", "hello".utf8)
        for path in [cut, text, "\(trial.folder.path)/nothing", trial.folder.path, "/dev/null"] {
            let failure = #expect(throws: MaintenanceFailure.self) { try BackupFile(path) }
            #expect(failure?.description.hasPrefix(path + ": ") == true, "\(String(describing: failure))")
        }
    }

    @Test func `a backup goes through a link, and never takes a device's place`() throws {
        let backupPath = "\(trial.folder.path)/place.dump"
        try #require(Command.run("ln", ["-s", "place.dump", trial.file]).succeeded)
        try trial.backUp()
        #expect(try Command.run("test", ["-L", trial.file]).succeeded)
        #expect(try BackupFile(backupPath).state.environment == "trial")
        let fifo = "\(trial.folder.path)/fifo"
        try #require(Command.run("mkfifo", [fifo]).succeeded)
        for path in [fifo, trial.folder.path, "\(trial.folder.path)/none/a.dump"] {
            let failure = #expect(throws: MaintenanceFailure.self) { try trial.backUp(to: path) }
            #expect(failure?.description.hasPrefix(path + ": ") == true, "\(String(describing: failure))")
        }
        #expect(try Command.run("test", ["-p", fifo]).succeeded)
    }

    @Test func `old backups go when a new one is there, and nothing else in the folder`() throws {
        let backups = BackupFolder("\(trial.folder.path)/all", of: trial.environment)
        let start = try #require(Timestamp("2026-11-22T02:15:00Z"))
        for name in ["trial-notes.txt", "other-20200101T000000Z.dump", "trial-20200101T000000Z.dump.part"] {
            try File.makePrivateFolder("\(trial.folder.path)/all/trial")
            try trial.folder.write("all/trial/\(name)", "mine".utf8)
        }
        for day in 0..<5 as Range<Int64> {
            let time = start.advanced(bySeconds: day * 86_400)
            let result = try backups.add(at: time, keeping: 3, scratch: nil) { _, _ in }
            #expect(result.removed.count == (day < 3 ? 0 : 1))
        }
        let names = try File.names(inFolder: "\(trial.folder.path)/all/trial")
        #expect(
            names == [
                "other-20200101T000000Z.dump", "trial-20200101T000000Z.dump.part", "trial-20261124T021500Z.dump",
                "trial-20261125T021500Z.dump", "trial-20261126T021500Z.dump", "trial-notes.txt",
            ])
        // A failed backup must not remove an older one.
        #expect(throws: MaintenanceFailure.self) {
            try backups.add(at: start.advanced(bySeconds: 4 * 86_400), keeping: 1, scratch: nil) { _, _ in }
        }
        #expect(try File.names(inFolder: "\(trial.folder.path)/all/trial") == names)
    }
}
