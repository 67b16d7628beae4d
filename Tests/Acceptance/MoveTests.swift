import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of moving an environment to another database, as in deploy/OPERATING.md.
    @Suite struct MoveTests {
        private let instance: Instance
        private let folder: TemporaryFolder
        private var file: String { "\(folder.path)/trial.dump" }

        init() throws { (instance, folder) = try (Instance.current(), TemporaryFolder()) }

        /// Locks the workers out of a database, and waits until their last connection has ended.
        private func close(_ database: TestDatabase) throws {
            let superuser = try Connection(TestCluster.settings)
            // A copy of a template lacks the grants of sql/roles.sql.
            try superuser.execute(script: "revoke connect on database \(database.name) from public, almanac_worker")
            let rows = try superuser.run(
                Statement(
                    """
                    -- name: end_workers
                    select coalesce(bool_and(pg_terminate_backend(pid, 10000)), false) as ended
                    from pg_stat_activity where datname = $1 and usename = '\(TestDatabase.worker)'
                    """), .text(database.name))
            let haveEnded = try rows.single("the ends").boolean("ended")
            try #require(haveEnded)
        }

        @Test func `a moved environment loses no acknowledged write, and clients go on from their cursors`() throws {
            try TestDatabase.with(template: .migrated) { old in
                try TestDatabase.with(template: .owned) { new in
                    let trial = try TrialEnvironment(old)
                    let (token, user) = (try trial.token(), try trial.userToken("alice"))
                    let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                    let (client, device) = (worker.client(token: token), worker.client(token: user))
                    try #require(client.put("/trial/config/before", 1).status == 201)
                    let writes = try AcknowledgedWrites(
                        "trial", config: { worker.client(token: token) }, notes: { worker.client(token: user) })
                    try #require(writes.awaitProgress())
                    let config = try #require(client.send("GET", "/trial/config").header("Almanac-Cursor"))
                    let notes = try #require(
                        device.send("GET", "/trial/notes").json().objectValue?["cursor"]?.stringValue)

                    try close(old)
                    #expect(writes.awaitRefusal())
                    let meanwhile = try client.send("GET", "/trial/config")
                    #expect(meanwhile.status == 200)
                    #expect(eventually { (try? client.send("GET", "/trial/config").header("Almanac-Stale")) == "true" })
                    _ = try trial.almanac.output("backup", "trial", file)
                    try trial.use(new)
                    let restored = try trial.almanac.json("restore", "trial", file, "--keep-lineage", "--yes")
                        .objectValue
                    #expect(restored?["lineage"]?.stringValue == config.split(separator: ".").last.map(String.init))
                    #expect(restored?["needs_migration"] == false)
                    worker.send(signal: SIGHUP)
                    #expect(writes.awaitProgress())

                    let delta = try client.send("GET", "/trial/config?since=\(config)")
                    #expect(delta.header("Almanac-Full") == nil)
                    #expect(try delta.json().arrayValue?.contains { $0.objectValue?["key"] == "before" } == false)
                    let changed = try device.send("GET", "/trial/notes?since=\(notes)")
                    #expect(changed.status == 200, "\(changed.text)")
                    #expect(try device.send("GET", "/trial/notes").json().objectValue?["cursor"]?.stringValue != notes)

                    let outcome = writes.stop()
                    #expect(outcome.faults == [])
                    try expectAll(outcome.count, client, device)
                    #expect(try client.send("GET", "/-/ready").status == 200)
                    // The worker reads from the new database.
                    #expect(
                        try Connection(new.settings).run(Self.revision).single("the head").bigint("revision")
                            >= outcome.count)
                }
            }
        }

        private static let revision = Statement("-- name: moved_revision\nselect revision from config_head")

        /// Expects each number once in the key's history, and once as a note.
        private func expectAll(_ count: Int, _ client: HTTPClient, _ device: HTTPClient) throws {
            let history = try client.send("GET", "/trial/config/count/history?limit=1000").json().arrayValue ?? []
            let numbers = history.compactMap { $0.objectValue?["value"]?.numberValue?.int64 }.sorted()
            #expect(numbers.prefix(count) == Array(0..<Int64(count))[...])
            #expect(numbers.count <= count + 1)
            let order = try device.send("GET", "/trial/notes").json().objectValue?["order"]?.arrayValue ?? []
            let ids = Set(order.compactMap(\.stringValue))
            #expect((0..<count).filter { !ids.contains("n\($0)") } == [])
            #expect(order.count == ids.count)
        }

        @Test func `a lineage is not kept where the database shows that writes would be lost`() throws {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let (token, user) = (try trial.token(), try trial.userToken("alice"))
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                let (client, device) = (worker.client(token: token), worker.client(token: user))
                let note = Array(#"[["createNote", {"action_id": "a1", "id": "n1", "title": "", "body": "b"}]]"#.utf8)
                _ = try trial.almanac.output("backup", "trial", file)
                // A restore of the unchanged state loses nothing.
                _ = try trial.almanac.output("restore", "trial", file, "--keep-lineage", "--yes")

                try #require(device.send("POST", "/trial/notes", body: note).status == 200)
                let notesLost = try trial.almanac.run("restore", "trial", file, "--keep-lineage", "--yes")
                #expect(notesLost.status == 1)
                #expect(notesLost.errors.contains("notes have changed since this backup"), "\(notesLost.errors)")
                _ = try trial.almanac.output("backup", "trial", file, "--replace")
                try #require(client.put("/trial/config/a", 1).status == 201)
                let configLost = try trial.almanac.run("restore", "trial", file, "--keep-lineage", "--yes")
                #expect(configLost.status == 1)
                #expect(configLost.errors.contains("the config has changed since this backup"), "\(configLost.errors)")
                #expect(configLost.errors.contains("restore without --keep-lineage"))
                // The refused restore has changed nothing, and the advice in its message works.
                #expect(try client.send("GET", "/trial/config/a").status == 200)
                let before = try client.send("GET", "/trial/config").header("Almanac-Cursor")
                _ = try trial.almanac.output("restore", "trial", file, "--yes")
                #expect(try eventually { try client.send("GET", "/trial/config/a").status == 404 })
                let delta = try client.send("GET", "/trial/config?since=\(try #require(before))")
                #expect(delta.header("Almanac-Full") == "true")
                // After a plain restore the database has a new history, so the check finds no lost writes.
                _ = try trial.almanac.output("restore", "trial", file, "--keep-lineage", "--yes")
            }
        }
    }
}
