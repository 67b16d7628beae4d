import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandBackupTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let folder: TemporaryFolder
        private var file: String { "\(folder.path)/development.dump" }

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            folder = try TemporaryFolder()
        }

        /// Returns the server's view of all data that a backup contains.
        private func state(_ user: NotesUser) throws -> [String] {
            let client = development.client()
            return try [
                client.send("GET", development.path("config")).text,
                client.send("GET", development.path("releases")).text,
                client.send("GET", development.path("majors")).text.replacing(/"last_asked_at":[^,}]*/, with: ""),
                user.client().body("n1") ?? "",
            ]
        }

        @Test func `a backup that is restored brings back config and notes, in another lineage`() throws {
            try development.reset(to: ["a": 1, "b": ["deep": "Grüße \\ \t \u{1F63A}"]])
            let user = try NotesUser("keeper")
            try user.client().create(("n1", "milk\\N\n\\.\nbread"))
            let before = try state(user)
            let cursor = try #require(
                development.client().send("GET", development.path("config")).header("Almanac-Cursor"))
            let result = try almanac.json("backup", "development", file)
            #expect(result.objectValue?["verified"] == "counted")
            #expect(try Command.run("stat", ["-c", "%a", file]).output == "600\n")
            // The last two are there if another test has stored an attachment.
            let files = ["development.dump", "attachments", "development.dump.hashes"]
            #expect(try Set(File.names(inFolder: folder.path)).subtracting(files[1...]) == [files[0]])

            try development.reset(to: ["c": 3])
            try user.client().act(#"[["updateNote", {"id": "n1", "body": [[0, "milk\\N\n\\.\nbread"], [1, "!"]]}]]"#)
            #expect(try state(user) != before)
            let outcome = try almanac.json("restore", "development", file, "--yes")
            let lineage = try #require(outcome.objectValue?["lineage"]?.stringValue)
            #expect(try eventually { try state(user) == before })
            let delta = try development.client().send("GET", development.path("config?since=\(cursor)"))
            #expect(delta.header("Almanac-Full") == "true")
            #expect(delta.header("Almanac-Cursor")?.hasSuffix(".\(lineage)") == true)
            #expect(!cursor.hasSuffix(lineage))
            // Writes still work after the restore.
            #expect(try development.client().put(development.path("config/d"), 4).status == 201)
            try user.client().create(("n2", "more"))
        }

        @Test func `restores under load refuse nobody, and leave nothing for the doctor to find`() throws {
            try development.reset(to: ["a": 1])
            let user = try NotesUser("busy")
            let load = try EnvironmentLoad("development") { [instance = development.instance] in
                instance.client(token: $0)
            }
            load.start(token: development.token, user: user.token)
            try #require(load.awaitRound())
            _ = try almanac.output("backup", "development", file)
            for _ in 0..<TestDepth.runs(quick: 2, standard: 2, long: 5) {
                _ = try almanac.output("restore", "development", file, "--yes")
                let doctor = try almanac.run("doctor")
                #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
                #expect(load.awaitRound())
            }
            #expect(load.stop() == [])
        }

        @Test func `a backup restored for trial is compared row by row`() throws {
            try development.reset(to: ["a": 1])
            let result = try almanac.json("backup", "development", file, "--scratch", try TestCluster.conninfo)
            #expect(result.objectValue?["verified"] == "restored")
            #expect(result.objectValue?["tables"]?.objectValue?["config_entries"]?.numberValue?.int64 ?? 0 > 0)
            let left = try Connection(TestCluster.settings).run(
                Statement(
                    "-- name: left_over\nselect count(*) as count from pg_database "
                        + "where datname like 'almanac_verify_%'"))
            #expect(try left.single("a count").bigint("count") == 0)
        }

        @Test func `a dump that lacks rows is no backup, and leaves no file`() throws {
            try development.reset(to: ["a": 1])
            let programs = try TemporaryFolder()
            let script = try programs.write(
                "pg_dump",
                Array("#!/bin/sh\nexec /usr/bin/pg_dump --exclude-table-data=public.config_changes \"$@\"\n".utf8))
            _ = try Command.run("chmod", ["755", script])
            let path = "\(programs.path):\(Process.variable("PATH") ?? "/usr/bin:/bin")"
            let broken = try CommandLineProgram(["PATH": path])
            for options in [[], ["--scratch", try TestCluster.conninfo]] {
                let outcome = try broken.run(["backup", "development", file] + options)
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("the backup is broken"))
            }
            #expect(try File.names(inFolder: folder.path) == [])
        }

        @Test func `an older file is not replaced unasked`() throws {
            let path = try folder.write("development.dump", "old".utf8)
            #expect(try almanac.run("backup", "development", path).status == 1)
            #expect(try File.read(path) == Array("old".utf8))
            #expect(try almanac.run("backup", "development", path, "--replace").status == 0)
            #expect(try File.read(path).starts(with: "PGDMP".utf8))
        }

        @Test func `a file that is cut short, or is something else, is refused and nothing is changed`() throws {
            try development.reset(to: ["a": 1])
            _ = try almanac.output("backup", "development", file)
            let whole = try File.read(file)
            let user = try NotesUser("witness")
            try user.client().create(("n1", "text"))
            let before = try state(user)
            for (name, contents) in [
                ("cut", Array(whole.prefix(whole.count * 2 / 3))), ("empty", []), ("text", Array("hello".utf8)),
            ] {
                let path = try folder.write(name, contents)
                let outcome = try almanac.run("restore", "development", path, "--yes")
                #expect(outcome.status == 1, "\(name)")
            }
            try TestDatabase.with { database in
                try Connection(database.settings).execute(
                    script: "create table other (a int); insert into other values (1)")
                let path = "\(folder.path)/other"
                let made = try Command.run("pg_dump", ["-Fc", "-f", path, "-d", database.conninfo()])
                try #require(made.succeeded, "\(made.errors)")
                #expect(
                    try almanac.run("restore", "development", path, "--yes").errors.contains(
                        "not a backup of an environment"))
            }
            #expect(try almanac.run("restore", "development", file).status == 2)
            #expect(try state(user) == before)
        }

        @Test func `a restore brings back an older schema, and says that it is to be migrated`() throws {
            try TestDatabase.with(template: .owned) { database in
                let environments = try folder.write(
                    "environments.json",
                    #"{"trial": {"database": "\#(database.conninfo(user: TestDatabase.owner))"}}"#.utf8)
                let trial = try CommandLineProgram([
                    "ALMANAC_ENVIRONMENTS": environments, "ALMANAC_SQL": Checkout.path("sql"),
                ])
                #expect(try trial.run("backup", "trial", file).errors.contains("no Almanac schema"))
                let old = try TemporaryFolder()
                let migrations = "\(old.path)/migrations"
                try #require(Command.run("mkdir", [migrations]).succeeded)
                for name in try File.names(inFolder: Checkout.path("sql/migrations")).sorted().prefix(2) {
                    let path = Checkout.path("sql/migrations/\(name)")
                    try #require(Command.run("cp", [path, migrations]).succeeded)
                }
                _ = try trial.output("migrate", "trial", "--sql", old.path)
                _ = try trial.output("backup", "trial", file)
                _ = try trial.output("migrate", "trial")
                let outcome = try trial.json("restore", "trial", file, "--yes").objectValue
                #expect(outcome?["needs_migration"] == true)
                #expect(try trial.run("migrate", "trial").output.hasPrefix("trial: 000003_notes.sql"))
            }
        }
    }
}
