import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacMaintenance
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.serialized, .database(.migrated)) struct EnvironmentChangeTests {
    private let folder: TemporaryFolder
    private let secrets: TemporaryFolder
    private let file: String
    private let database = "almanac_test_" + String(UInt64.random(in: .min ... .max), radix: 36)
    private let author = Author("alice", .host)

    init() throws {
        folder = try TemporaryFolder()
        secrets = try TemporaryFolder()
        let password = try secrets.write("worker.password", "as good as any\n".utf8)
        let model = try TestDatabase.current
        // The unusual white space must survive the change.
        file = try folder.write(
            "environments.json",
            """
            {
                "model": {
                    "database":   "\(model.conninfo(user: TestDatabase.worker))",
                    "password_file": "\(password)",
                    "owner": { "database": "\(model.conninfo(user: TestDatabase.owner))" },
                    "origins": [ "https://a.example.com" ],  "config_read": "public"
                }
            }

            """.utf8)
    }

    private func request(_ name: String = "trial", sql: String = Checkout.path("sql")) throws
        -> EnvironmentAddition.Request
    {
        var request = EnvironmentAddition.Request(name: try #require(EnvironmentName(name)), file: file, sql: sql)
        request.database = database
        request.superuser = try TestCluster.conninfo
        return request
    }

    private func isThere(_ what: String) throws -> Bool {
        let query = Statement(
            """
            -- name: test_is_there
            select exists (select from pg_database where datname = $1)
                or exists (select from pg_roles where rolname = $1) as is_there
            """)
        return try Connection(TestCluster.settings).run(query, .text(what))[0].boolean("is_there")
    }

    private func clean() {
        let cluster = try? Connection(TestCluster.settings)
        try? cluster?.execute(script: "drop database if exists \(database) with (force)")
        try? cluster?.execute(script: "drop role if exists \(database)_worker")
    }

    private func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return ""
    }

    @Test func `an environment is made with all that belongs to it, and goes without a trace`() throws {
        defer { clean() }
        _ = try Command.run("chmod", ["640", file])
        let link = "\(folder.path)/link.json"
        _ = try Command.run("ln", ["-s", file, link])
        let former = try File.read(file)
        var request = EnvironmentAddition.Request(
            name: try #require(EnvironmentName("trial")), file: link, sql: Checkout.path("sql"))
        request.database = database
        request.superuser = try TestCluster.conninfo
        let addition = try EnvironmentAddition(request, by: author)
        // Planning the addition changes nothing.
        #expect(addition.steps.count == 4)
        #expect(try File.read(file) == former && !isThere(database) && !isThere("\(database)_worker"))

        var done: [String] = []
        let left = try addition.run { done.append($0) }
        #expect(done == addition.steps && left.count == 1)
        let environments = try EnvironmentsFile.load(file)
        #expect(environments.map(\.name.text) == ["model", "trial"])
        #expect(environments[1].configRead == .token && environments[1].identity == nil)
        #expect(environments[1].database.place.contains("dbname=\(database)"))
        // All other bytes of the file are unchanged, and the path to it is still a link.
        let text = String(decoding: try File.read(file), as: UTF8.self)
        let before = String(decoding: former, as: UTF8.self)
        #expect(text.hasPrefix(before.prefix(before.count - 5)))
        #expect(try Command.run("stat", ["-c", "%a %F", file, link]).output == "640 regular file\n777 symbolic link\n")
        #expect(try File.names(inFolder: folder.path).filter { !$0.hasPrefix("link") } == ["environments.json"])
        // Workers may log in to the new database, and its audit log records the addition.
        #expect(throws: Never.self) { try Connection(environments[1].database) }
        let lines = Statement(
            "-- name: test_audit\nselect action || ' ' || author || ' ' || subject as line from audit_log")
        #expect(
            try Connection(environments[1].owner).run(lines).map { try $0.text("line") } == [
                "environment.add alice trial"
            ])

        let removal = try EnvironmentRemoval(
            "trial", in: link, dropsDatabase: true, superuser: try TestCluster.conninfo, by: author)
        #expect(try isThere(database))
        #expect(try removal.run { _ in } == [])
        #expect(try File.read(file) == former && !isThere(database) && !isThere("\(database)_worker"))
    }

    @Test func `a removed environment's database stays unless it is to go, and is taken again`() throws {
        defer { clean() }
        _ = try EnvironmentAddition(try request(), by: author).run { _ in }
        let removal = try EnvironmentRemoval("trial", in: file, dropsDatabase: false, superuser: nil, by: author)
        #expect(try removal.run { _ in }.first?.contains("drop database \"\(database)\"") == true)
        #expect(try EnvironmentsFile.load(file).map(\.name.text) == ["model"])
        #expect(try isThere(database))
        let refusal = message { _ = try EnvironmentAddition(try request(), by: author) }
        #expect(refusal.contains("the database \(database) exists already"))
        var again = try request()
        again.usesExistingDatabase = true
        _ = try EnvironmentAddition(again, by: author).run { _ in }
        #expect(try EnvironmentsFile.load(file).count == 2)
    }

    @Test func `a step that fails takes back those before it, and says so`() throws {
        defer { clean() }
        let former = try File.read(file)
        // A migration fails after the database was created.
        let sql = try TemporaryFolder()
        for name in ["migrations", "roles.sql"] {
            _ = try Command.run("cp", ["-r", Checkout.path("sql/\(name)"), sql.path])
        }
        let count = try File.names(inFolder: "\(sql.path)/migrations").count
        let number = "\(count + 1)"
        let padded = String(repeating: "0", count: 6 - number.count) + number
        try sql.write("migrations/\(padded)_broken.sql", "select 1 / 0".utf8)
        let broken = message { _ = try EnvironmentAddition(try request(sql: sql.path), by: author).run { _ in } }
        #expect(broken.contains("broken.sql") && broken.contains("All steps were undone"), "\(broken)")
        #expect(try File.read(file) == former && !isThere(database) && !isThere("\(database)_worker"))

        // Another program edits the file in the meantime.
        let addition = try EnvironmentAddition(try request(), by: author)
        let edited = former + Array("\n".utf8)
        try folder.write("environments.json", edited)
        let changed = message { _ = try addition.run { _ in } }
        #expect(changed.contains("was changed by somebody else") && changed.contains("All steps were undone"))
        #expect(try File.read(file) == edited && !isThere(database))
        // No draft of the file is left beside it.
        #expect(try File.names(inFolder: folder.path) == ["environments.json"])
    }

    @Test func `what cannot be done is refused before anything is`() throws {
        let former = try File.read(file)
        func refusal(_ change: (inout EnvironmentAddition.Request) throws -> Void = { _ in }, name: String = "trial")
            -> String
        {
            message {
                var request = try request(name)
                try change(&request)
                _ = try EnvironmentAddition(request, by: author)
            }
        }
        #expect(refusal(name: "model").contains("already has an environment 'model'"))
        #expect(refusal { $0.template = "nowhere" }.contains("no environment 'nowhere'"))
        #expect(refusal { $0.database = "a; drop" }.contains("not a valid name for a database"))
        #expect(refusal { $0.superuser = "host=/nonexistent" }.contains("PostgreSQL's superuser"))
        #expect(
            refusal {
                $0.superuser = try TestCluster.conninfo + " dbname=\(try TestDatabase.current.name) user=almanac_owner"
            }
            .contains("is not a superuser"))
        #expect(refusal { $0.identity = ["issuer": "nonsense", "audience": "x"] }.contains("would not be valid"))
        #expect(
            message { _ = try EnvironmentAddition(try request(sql: "/nonexistent"), by: author) }.contains("roles.sql"))
        let only = message {
            _ = try EnvironmentRemoval("model", in: file, dropsDatabase: false, superuser: nil, by: author)
        }
        #expect(only.contains("the only environment"))
        let unknown = message {
            _ = try EnvironmentRemoval("nowhere", in: file, dropsDatabase: false, superuser: nil, by: author)
        }
        #expect(unknown.contains("no environment 'nowhere'; expected model"))
        #expect(try File.read(file) == former)
        #expect(try File.names(inFolder: folder.path) == ["environments.json"])
    }
}
