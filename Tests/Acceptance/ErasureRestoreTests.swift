import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests that a restore repeats the erasures that its backup does not contain.
    @Suite struct ErasureRestoreTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            folder = try TemporaryFolder()
        }

        private func backUp(_ name: String) throws -> String {
            let file = "\(folder.path)/\(name).dump"
            _ = try almanac.output("backup", "development", file)
            return file
        }

        /// Returns the server's texts about the erased data, and the rest of the notes.
        private func texts(_ anna: NotesUser, _ bert: NotesUser) throws -> [String] {
            let client = development.client()
            return try [
                client.send("GET", development.path("config")).text,
                client.send("GET", development.path("config/app.secret/history")).text,
                anna.client().send("GET", "notes").text, anna.client().send("GET", "notes/n2/history").text,
                bert.client().send("GET", "notes").text,
            ]
        }

        @Test func `what was erased since the backup stays erased, after a second restore too`() throws {
            let (anna, bert) = (try NotesUser("anna"), try NotesUser("bert"))
            try development.reset(to: ["app.secret": "hunter2", "app.theme": "dark"])
            try anna.client().create(("n1", "the shopping list"))
            let older = try backUp("older")
            try anna.client().create(("n2", "a diary"))
            try anna.client().act(#"[["updateNote", {"id": "n2", "tags": {"add": ["häusliches"]}}]]"#)
            try bert.client().create(("n1", "a will"))
            let newer = try backUp("newer")
            #expect(try texts(anna, bert).joined().matches(of: /hunter2|a diary|a will/).count >= 3)

            #expect(
                try development.client().send("DELETE", development.path("config/app.secret?purge=true")).status == 200)
            #expect(try anna.client().send("DELETE", "notes/n2?purge=true").status == 200)
            #expect(try bert.client().send("DELETE", "account").status == 204)

            let trial = try almanac.run("restore", "development", newer, "--dry-run")
            #expect(trial.errors.contains("erased since the backup, and erased again: 1 account, 1 note, 1 key\n"))
            for line in [/account\.erase +[0-9a-z]{8} +\{\}/, /note\.purge +[0-9a-z]{8} +\{"note": "n2"\}/] {
                #expect(trial.errors.contains(line), "\(trial.errors)")
            }
            #expect(trial.errors.contains(/config\.purge +app\.secret/), "\(trial.errors)")

            for file in [newer, older, newer, newer] {
                let run = try almanac.run("restore", "development", file, "--yes", "--json")
                try #require(run.status == 0, "\(run.errors)")
                let outcome = try JSONValue(parsing: Array(run.output.utf8)).objectValue
                let erased = outcome?["erased_again"]?.arrayValue?.compactMap { $0.objectValue?["action"]?.stringValue }
                #expect(Set(erased ?? []) == ["account.erase", "note.purge", "config.purge"])
                try #require(
                    try eventually {
                        try development.client().send("GET", development.path("config/app.theme")).status == 200
                    })
                let texts = try texts(anna, bert)
                #expect(texts.joined().contains(/hunter2|a diary|a will|häusliches/) == false, "\(texts)")
                #expect(texts[0].contains("dark") && texts[2].contains("the shopping list"))
                #expect(try anna.client().body("n1") == "the shopping list")
                let doctor = try almanac.run("doctor")
                #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
            }
            // The purged note counts nothing: two letters of the title and seventeen of the body are left.
            #expect(try anna.client().send("GET", "account").text.contains("\"bytes\":19,"))
        }

        @Test func `a key that was set again after its purge keeps its value`() throws {
            try development.reset(to: ["app.secret": "hunter2"])
            let client = development.client()
            #expect(try client.send("DELETE", development.path("config/app.secret?purge=true")).status == 200)
            #expect(try client.put(development.path("config/app.secret"), "a new one").status == 201)
            let file = try backUp("after")
            #expect(try client.send("DELETE", development.path("config/app.secret")).status == 200)
            let outcome = try almanac.json("restore", "development", file, "--yes").objectValue
            #expect(outcome?["erased_again"]?.arrayValue == [])
            #expect(
                try eventually {
                    try client.send("GET", development.path("config/app.secret")).text.contains("a new one")
                })
        }
    }
}
