import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of a worker and an events process while the database of one environment is missing.
    @Suite(.database(.migrated)) struct AwayDatabaseTests {
        /// Writes a file with the instance's environment `development`, and `away` on the test's own database.
        private func environments(_ instance: Instance, in folder: TemporaryFolder) throws -> String {
            let text = try File.read(instance.path("environments.json"))
            let development = try #require(try JSONValue(parsing: text).objectValue?["development"])
            let conninfo = try TestDatabase.current.conninfo(user: TestDatabase.worker)
            let document: JSONValue = [
                "development": development,
                "away": ["database": .string(conninfo), "config_read": "public"],
            ]
            return try folder.write("environments.json", document.serialized())
        }

        /// Renames the test's database, so that connections fail.
        private func hide() throws {
            let name = try TestDatabase.current.name
            try Connection(TestCluster.settings).execute(script: "alter database \(name) rename to \(name)_away")
        }

        private func show() throws {
            let name = try TestDatabase.current.name
            try Connection(TestCluster.settings).execute(script: "alter database \(name)_away rename to \(name)")
        }

        @Test func `a worker serves the others, says what is missing, and takes it up when it comes`() throws {
            let instance = try Instance.current()
            let folder = try TemporaryFolder()
            let file = try environments(instance, in: folder)
            try hide()
            let worker = try SecondWorker(beside: instance, environments: file)
            let client = worker.client()
            #expect(try client.send("GET", "/development/config").status == 200)
            let refused = try client.send("GET", "/away/config")
            #expect(refused.status == 503 && refused.problem == "database-away", "\(refused.text)")
            #expect(refused.header("Retry-After") == "1")
            let ready = try client.send("GET", "/-/ready")
            #expect(ready.status == 503)
            #expect(ready["environments"]?.objectValue?["development"]?.objectValue?["ready"] == true)
            #expect(ready["environments"]?.objectValue?["away"]?.objectValue?["ready"] == false)
            #expect(!ready.text.contains("almanac_test"))
            #expect(worker.log.contains("environment not started yet"))
            #expect(try MetricsPage(client)[#"almanac_environment_up{environment="away"}"#] == 0)

            try show()
            #expect(try eventually(within: .seconds(20)) { try client.send("GET", "/-/ready").status == 200 })
            #expect(try client.send("GET", "/away/config").status == 200)
            #expect(worker.log.contains("environment started"))
        }

        @Test func `the events process does so too`() throws {
            let instance = try Instance.current()
            let folder = try TemporaryFolder()
            let file = try environments(instance, in: folder)
            try hide()
            defer { #expect(throws: Never.self) { try show() } }
            let events = try BackgroundCommand(
                instance.path("bin/almanac-events"),
                environment: ["ALMANAC_ENVIRONMENTS": file, "ALMANAC_LISTEN": "unix:\(folder.path)/socket"])
            defer { events.kill() }
            func log() -> String { String(decoding: events.errorBytes, as: UTF8.self) }
            #expect(eventually(within: .seconds(20)) { log().contains(#""environments":"development""#) }, "\(log())")
            #expect(log().contains("environment not started yet"))
        }
    }
}
