import AlmanacJSON
import AlmanacMigrations
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    /// Tests of an upgrade: the schema is migrated while workers of the previous release run.
    @Suite struct UpgradeTests {
        private let instance: Instance

        init() throws { instance = try Instance.current() }

        /// The schema changes that a later release may make: it only adds. Tables are altered in the order in which
        /// requests lock them, `accounts` first and `config_head` next. Another order could deadlock with a request.
        private static let expansion = """
            alter table accounts add column plan text not null default 'free';
            alter table config_head add column checked_at timestamptz;
            alter table config_entries add column owner text not null default '';
            alter table notes add column color integer;
            create index config_entries_owner on config_entries (owner);
            create table note_labels (account_id bigint not null references accounts, label text not null);
            grant select, insert, delete on note_labels to almanac_worker;
            """

        @Test func `a worker does not start on the schema of the release before, says what to do, and starts after it`()
            throws
        {
            try TestDatabase.with(template: .owned) { database in
                let trial = try TrialEnvironment(database)
                try #require(trial.migrate(Schema.required - 1).succeeded)
                let variables = ["ALMANAC_ENVIRONMENTS": trial.environmentsFile, "ALMANAC_LISTEN": "127.0.0.1:1"]
                let advice =
                    "the schema is at migration \(Schema.required - 1) "
                    + "and must be at \(Schema.required); run almanac migrate"
                for program in ["almanac-worker", "almanac-events"] {
                    let socket = try TemporaryFolder()
                    let outcome = try Command.run(
                        instance.path("bin/\(program)"),
                        environment: variables.merging(["ALMANAC_LISTEN": "unix:\(socket.path)/socket"]) { $1 })
                    #expect(outcome.status == 1)
                    #expect(outcome.errors.contains(advice), "\(outcome.errors)")
                }
                #expect(try trial.almanac.run("environment", "check").output.contains(advice))
                let newest = try File.names(inFolder: Checkout.path("sql/migrations")).max() ?? ""
                #expect(try trial.migrate().output == "trial: \(newest)\n")
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                #expect(try worker.client().send("GET", "/trial/config").status == 200)
            }
        }

        @Test func `a running worker goes on with what it has when the schema becomes older`() throws {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                try TestDatabase.with(template: .owned) { older in
                    try trial.use(older)
                    try #require(trial.migrate(Schema.required - 1).succeeded)
                    worker.send(signal: SIGHUP)
                    #expect(eventually { worker.log.contains("the previous one remains in use") })
                    #expect(worker.log.contains("run almanac migrate"))
                    #expect(try worker.client().send("GET", "/-/ready").status == 200)
                    #expect(try worker.client().send("GET", "/trial/config").status == 200)
                }
            }
        }

        @Test
        func `a worker under which an older schema is restored is not ready, says why, and is again after migrate`()
            throws
        {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let folder = try TemporaryFolder()
                let file = "\(folder.path)/older.dump"
                try TestDatabase.with(template: .owned) { older in
                    try trial.use(older)
                    try #require(trial.migrate(Schema.required - 1).succeeded)
                    _ = try trial.almanac.output("backup", "trial", file)
                    try trial.use(database)
                }
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                let client = worker.client()
                func readiness() throws -> (status: Int, reason: String?) {
                    let answer = try client.send("GET", "/-/ready")
                    let environment = try answer.json().objectValue?["environments"]?.objectValue?["trial"]?.objectValue
                    #expect(environment?["ready"] == .boolean(answer.status == 200))
                    return (answer.status, environment?["reason"]?.stringValue)
                }
                #expect(try readiness() == (200, nil))
                // A backup of an older release names only its database, so the restore needs --other-environment.
                let restored = try trial.almanac.output("restore", "trial", file, "--yes", "--other-environment")
                #expect(restored.contains("run almanac migrate trial"))
                let reason =
                    "the schema is at migration \(Schema.required - 1) "
                    + "and must be at \(Schema.required); run almanac migrate"
                #expect(try eventually { try readiness() == (503, reason) })
                #expect(worker.log.contains(reason))
                #expect(try client.send("GET", "/trial/config").status == 200)
                #expect(try trial.migrate().succeeded)
                #expect(try eventually { try readiness() == (200, nil) })
                #expect(worker.log.contains("usable schema again"))
            }
        }

        @Test
        func `no request fails while a newer schema is brought in under load, and the older worker goes on with it`()
            throws
        {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let (token, user) = (try trial.token(), try trial.userToken("alice"))
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                let load = try EnvironmentLoad("trial") { worker.client(token: $0) }
                load.start(token: token, user: user)
                #expect(load.awaitRound())
                let migrated = try trial.migrate(
                    Schema.required, and: Self.expansion,
                    "-- keeps: \(Schema.required)\ncreate table later (n integer)")
                #expect(migrated.succeeded, "\(migrated.errors)")
                let later = (1...2).map { TrialEnvironment.later(Schema.required + $0) }
                #expect(migrated.output == "trial: \(later.joined(separator: ", "))\n")
                #expect(load.awaitRound())
                #expect(load.stop() == [])
                try check(trial, worker, token: token, user: user)

                // A worker that starts now finds a newer schema than it needs, and accepts it.
                let late = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                try check(trial, late, token: token, user: user)
                #expect(try trial.almanac.run("environment", "check").status == 0)
            }
        }

        @Test func `programs take a schema one migration newer as it is, and warn`() throws {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let (token, user) = (try trial.token(), try trial.userToken("alice"))
                try #require(trial.migrate(Schema.required, and: Self.expansion).succeeded)
                let warning =
                    "the schema is at migration \(Schema.required + 1), newer than this release's \(Schema.required)"
                let migrated = try trial.migrate()
                #expect(migrated.status == 0 && migrated.output == "trial: up to date\n")
                #expect(migrated.errors == "almanac: environment 'trial': \(warning); left as it is\n")
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                #expect(worker.log.contains(warning))
                let notes = worker.client(token: user)
                let action = #"[["createNote", {"action_id": "a1", "id": "n1", "title": "t", "body": "b"}]]"#
                #expect(try notes.send("POST", "/trial/notes", body: Array(action.utf8)).status == 200)
                try check(trial, worker, token: token, user: user)
                let state = try worker.client(token: token).send("GET", "/trial/status").json().objectValue
                #expect(state?["database"]?.objectValue?["schema_warning"] == .some(.string(warning)))
                let found = try trial.almanac.run("environment", "check")
                #expect(found.status == 0 && found.output.contains(warning), "\(found.output)\(found.errors)")
            }
        }

        @Test func `programs refuse a schema two migrations newer, and a running worker keeps serving what it has`()
            throws
        {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                let later = "create table later (n integer)"
                try #require(trial.migrate(Schema.required, and: Self.expansion, later).succeeded)
                let reason =
                    "the schema is at migration \(Schema.required + 2) and works with programs from migration "
                    + "\(Schema.required + 1) on, but this release ends at \(Schema.required); install a release"
                let refused = try trial.migrate()
                #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
                for program in ["almanac-worker", "almanac-events"] {
                    let socket = try TemporaryFolder()
                    let outcome = try Command.run(
                        instance.path("bin/\(program)"),
                        environment: [
                            "ALMANAC_ENVIRONMENTS": trial.environmentsFile,
                            "ALMANAC_LISTEN": "unix:\(socket.path)/socket",
                        ])
                    #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
                }
                #expect(eventually { worker.log.contains(reason) })
                #expect(try worker.client().send("GET", "/-/ready").status == 503)
                #expect(try worker.client().send("GET", "/trial/config").status == 200)
            }
        }

        private func check(_ trial: TrialEnvironment, _ worker: SecondWorker, token: String, user: String) throws {
            #expect(try worker.client().send("GET", "/-/ready").status == 200)
            let client = worker.client(token: token)
            let put = try client.put("/trial/config/after", .number(JSONNumber(Int64.random(in: 0...1_000_000))))
            #expect([200, 201].contains(put.status))
            #expect(try client.send("GET", "/trial/releases").status == 200)
            let context = Array(#"{"context": {"targetingKey": "alice"}}"#.utf8)
            #expect(try client.send("POST", "/trial/ofrep/v1/evaluate/flags", body: context).status == 200)
            let stream = try EventStream("\(worker.url)/trial/events", caFile: instance.caFile)
            #expect(try stream.next("hello") != nil, "\(stream.text)")
            let notes = worker.client(token: user)
            let listed = try notes.send("GET", "/trial/notes").json().objectValue
            #expect(listed?["order"]?.arrayValue?.isEmpty == false)
        }
    }
}
