import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that plant one fault at a time and expect `almanac doctor` to name it.
    @Suite struct CommandDoctorTests {
        private let almanac: CommandLineProgram
        private var instance: Instance { almanac.instance }

        init() throws { almanac = try CommandLineProgram() }

        /// Returns the failed checks as `check place`.
        private func failures(_ changes: String...) throws -> [String] {
            var options = ["worker", "events"].flatMap { ["--socket", instance.path("run/sockets/\($0).sock")] }
            options += ["--nginx", instance.path("nginx/nginx.conf")]
            for change in stride(from: 0, to: changes.count, by: 2) {
                if let index = options.firstIndex(of: changes[change]) { options.removeSubrange(index...(index + 1)) }
                options += [changes[change], changes[change + 1]]
            }
            let outcome = try almanac.run(["doctor", "--json"] + options)
            let report = try #require(JSONValue(parsing: outcome.outputBytes).objectValue)
            let findings = report["findings"]?.arrayValue?.compactMap(\.objectValue) ?? []
            let failed = findings.filter { $0["outcome"] == "failed" }
            for finding in failed { #expect(finding["advice"]?.stringValue?.isEmpty == false, "\(finding)") }
            #expect(outcome.status == (failed.isEmpty ? 0 : 1))
            #expect(report["healthy"] == .boolean(failed.isEmpty))
            return failed.map { "\($0["check"]?.stringValue ?? "") \($0["place"]?.stringValue ?? "")" }
        }

        private func service(_ action: String, _ name: String) throws {
            let outcome = try Command.run("\(instance.checkout)/deploy/run", ["--\(action)-service", name])
            try #require(outcome.succeeded, "\(outcome.errors)")
        }

        private func ready() -> Bool {
            eventually(within: .seconds(10)) { (try? instance.client().send("GET", "/-/ready"))?.status == 200 }
        }

        /// Writes an environments file with one environment, which has its own database.
        private func file(
            _ folder: TemporaryFolder, _ database: TestDatabase, worker: String, owner: String
        ) throws -> String {
            let document: JSONValue = [
                "trial": [
                    "database": .string(database.conninfo(user: worker)),
                    "owner": ["database": .string(database.conninfo(user: owner))],
                ]
            ]
            return try folder.write("environments.json", document.serialized())
        }

        @Test func `nothing is wrong with the instance`() throws {
            try #require(ready())
            #expect(try failures() == [])
            let text = try almanac.run("doctor").output
            #expect(text.contains("ok    schema             development"))
        }

        @Test func `a database that is away is found`() throws {
            try service("stop", "postgres")
            let found = try failures()
            try service("start", "postgres")
            #expect(
                Set(found).isSuperset(of: ["database development", "owner's login development", "database staging"]))
            #expect(ready())
            #expect(eventually(within: .seconds(10)) { (try? failures()) == [] })
        }

        @Test func `a worker that is away is found`() throws {
            try service("stop", "worker")
            let found = try failures()
            try service("start", "worker")
            #expect(found == ["socket \(instance.path("run/sockets/worker.sock"))", "health \(instance.url)"])
            #expect(ready())
        }

        @Test func `an events process that is away is found`() throws {
            try service("stop", "events")
            let found = try failures()
            try service("start", "events")
            #expect(
                found == ["socket \(instance.path("run/sockets/events.sock"))", "health of streams \(instance.url)"])
            #expect(eventually(within: .seconds(10)) { (try? failures()) == [] })
        }

        @Test func `an nginx that is away is found`() throws {
            try service("stop", "nginx")
            let found = try failures()
            try service("start", "nginx")
            #expect(found == ["server \(instance.url)"])
            #expect(ready())
        }

        @Test func `a configuration that nginx refuses is found`() throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("nginx.conf", "events {}\nhttp { listen 80; }\n".utf8)
            #expect(try failures("--nginx", path) == ["nginx \(path)"])
        }

        @Test func `an environments file with a mistake is found`() throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("environments.json", #"{"trial": {"databse": "x"}}"#.utf8)
            #expect(try failures("--environments", path) == ["environments file \(path)"])
            #expect(try almanac.run("environment", "check", "--environments", path).status == 1)
            #expect(try almanac.run("environment", "check").status == 0)
        }

        @Test func `a schema that is behind is found`() throws {
            let folder = try TemporaryFolder()
            try TestDatabase.with(template: .owned) { database in
                try Connection(database.settings).execute(script: Self.rights(database))
                let path = try file(folder, database, worker: TestDatabase.worker, owner: TestDatabase.owner)
                #expect(try failures("--environments", path) == ["schema trial"])
                _ = try almanac.output("migrate", "--environments", path, "--sql", Checkout.path("sql"))
                #expect(try failures("--environments", path) == [])
            }
        }

        @Test(arguments: [
            ("grant create on schema public to almanac_worker", "create tables"),
            ("grant temporary on database \"DATABASE\" to almanac_worker", "create temporary tables"),
            ("grant execute on function pg_catalog.lo_creat(integer) to public", "create large objects"),
            ("grant truncate on config_head to almanac_worker", "truncate tables"),
            ("alter table config_head owner to almanac_worker", "alter and drop tables"),
        ])
        func `a worker's role that can do too much is found`(fault: String, power: String) throws {
            let folder = try TemporaryFolder()
            try TestDatabase.with(template: .migrated) { database in
                let superuser = try Connection(database.settings)
                try superuser.execute(script: Self.rights(database))
                let path = try file(folder, database, worker: TestDatabase.worker, owner: TestDatabase.owner)
                #expect(try failures("--environments", path) == [])
                try superuser.execute(script: fault.replacing("DATABASE", with: database.name))
                #expect(try failures("--environments", path).first == "worker's role trial")
                #expect(try almanac.run("doctor", "--environments", path).output.contains(power))
            }
        }

        @Test func `workers that can open the database of another environment are found`() throws {
            let folder = try TemporaryFolder()
            try TestDatabase.with(template: .migrated) { database in
                try Connection(database.settings).execute(script: Self.rights(database))
                let shared = "almanac_development_worker"
                let path = try file(folder, database, worker: shared, owner: TestDatabase.owner)
                #expect(try failures("--environments", path) == ["worker's role trial"])
                #expect(try almanac.run("doctor", "--environments", path).output.contains("open almanac_development"))
            }
        }

        @Test func `workers that log in as a superuser, or as the owner, are found`() throws {
            let folder = try TemporaryFolder()
            try TestDatabase.with(template: .migrated) { database in
                try Connection(database.settings).execute(script: Self.rights(database))
                let superuser = try file(folder, database, worker: "postgres", owner: TestDatabase.owner)
                #expect(try failures("--environments", superuser) == ["worker's role trial"])
                let owner = try file(folder, database, worker: TestDatabase.owner, owner: TestDatabase.owner)
                #expect(try failures("--environments", owner) == ["worker's role trial", "owner's role trial"])
            }
        }

        @Test func `a certificate that clients don't trust is found`() throws {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/other.pem"
            let made = try Command.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=other", "-keyout", "\(folder.path)/other.key", "-out", path,
                ])
            try #require(made.succeeded)
            #expect(try failures("--ca-file", path) == ["certificate \(instance.url)"])
        }

        @Test func `a certificate for another name, and one that ends soon, are found`() throws {
            let folder = try TemporaryFolder()
            let (key, certificate) = ("\(folder.path)/server.key", "\(folder.path)/server.pem")
            for (name, outcome) in [("DNS:elsewhere.example", "FAIL"), ("DNS:localhost", "WARN")] {
                let made = try Command.run(
                    "openssl",
                    [
                        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "5",
                        "-subj", "/CN=trial", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
                    ])
                try #require(made.succeeded, "\(made.errors)")
                let server = try BackgroundCommand(
                    "openssl", ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key])
                var port: Substring = ""
                try #require(
                    eventually {
                        let text = String(decoding: server.outputBytes, as: UTF8.self)
                        port = text.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)\n/)?.output.1 ?? ""
                        return !port.isEmpty
                    })
                let text = try almanac.run("doctor", "--url", "https://localhost:\(port)", "--ca-file", certificate)
                    .output
                #expect(text.contains(try Regex("\(outcome)  certificate +https://localhost:\(port)")), "\(text)")
            }
        }

        @Test func `a clock that is wrong is found`() throws {
            let server = try ScriptedServer { _ in
                .response(headers: ["Date: Sat, 17 Oct 2020 18:43:19 GMT"], body: "{}".utf8)
            }
            #expect(try failures("--url", server.base) == ["clock \(server.base)"])
        }

        /// Returns the grants of `sql/roles.sql` for a database. Copies of templates lack them.
        private static func rights(_ database: TestDatabase) -> String {
            """
            revoke all on database \(database.name) from public;
            grant connect on database \(database.name) to almanac_worker;
            revoke all on schema public from public;
            grant usage on schema public to almanac_worker;
            revoke all on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid),
                pg_catalog.lo_from_bytea(oid, bytea) from public;
            """
        }
    }
}
