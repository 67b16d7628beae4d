import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of `almanac config` and `almanac restore` in cases that would surprise an operator.
    @Suite struct CommandEdgeCaseTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let staging: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            staging = try LiveEnvironment("staging")
            folder = try TemporaryFolder()
        }

        private func config(_ environment: LiveEnvironment) throws -> JSONValue {
            try environment.client().send("GET", environment.path("config.json")).json()
        }

        @Test func `workers forget restored tokens at once, while there is always something else to do`() throws {
            try development.reset(to: ["a": 1])
            let file = "\(folder.path)/a.dump"
            func token(_ label: String) throws -> (id: String, text: String) {
                let made = try almanac.json(
                    "token", "create", "development", "--scope", "config:write", "--label", label,
                    "--expires-in-days", "1"
                ).objectValue
                return (try #require(made?["id"]?.stringValue), try #require(made?["token"]?.stringValue))
            }
            func opens(_ token: String) throws -> Bool {
                try development.instance.client(token: token).send("GET", development.path("releases")).status == 200
            }
            let revoked = try token("revoked since")
            _ = try almanac.output("backup", "development", file)
            _ = try almanac.output("token", "revoke", "development", revoked.id)
            let later = try token("made since")
            #expect(try eventually { try !opens(revoked.text) && opens(later.text) })
            let shown = try almanac.run("restore", "development", file, "--dry-run")
            #expect(shown.status == 0 && shown.output == "")
            #expect(shown.errors.contains("which stay revoked: \(revoked.id) (revoked since)"))
            #expect(shown.errors.contains("\(later.id) (made since)"))
            #expect(try opens(later.text))
            _ = try almanac.output("restore", "development", file, "--yes")
            #expect(try eventually { try !opens(later.text) })
            #expect(try !opens(revoked.text))
            #expect(try opens(development.token))
        }

        @Test func `another environment's backup is refused, and inspecting one asks no database`() throws {
            try development.reset(to: ["a": 1])
            try staging.reset(to: ["b": 1])
            let file = "\(folder.path)/a.dump"
            _ = try almanac.output("backup", "development", file)
            let refused = try almanac.run("restore", "staging", file, "--yes")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("a backup of 'development', not of 'staging'"))
            #expect(try config(staging) == ["b": 1])
            let away = try CommandLineProgram(["ALMANAC_ENVIRONMENTS": "/nonexistent"])
            #expect(try away.output("backup", "inspect", file).contains("environment  development\n"))
            #expect(try away.json("backup", "inspect", file).objectValue?["environment"] == "development")
            let missing = try almanac.run("backup", "development", "\(folder.path)/none/a.dump")
            #expect(missing.errors.contains("\(folder.path)/none/a.dump: "))
        }

        @Test func `a nested export is imported as what it is, or not at all`() throws {
            let values: JSONValue = ["app.theme": "dark", "app.limits": ["retries": 3], "debug": true]
            try development.reset(to: values)
            try staging.reset()
            let nested = try almanac.output("config", "export", "--nested")
            for target in ["development", "staging"] {
                let refused = try almanac.run("config", "import", "-e", target, input: nested)
                #expect(refused.status == 1)
                #expect(refused.errors.contains("give --nested"), "\(refused.errors)")
            }
            #expect(try config(development) == values)
            #expect(try config(staging) == [:])
            #expect(
                try almanac.output("config", "import", "--nested", "--prune", input: nested)
                    .hasPrefix("nothing to change"))
            let written = try almanac.run("config", "import", "--flat", input: nested)
            #expect(written.output.hasPrefix("app added: "))
            #expect(written.errors.contains("'app' has a value"))
            #expect(try development.client().send("GET", development.path("config.json?nested=true")).status == 200)
        }

        @Test func `an export goes through a link`() throws {
            try development.reset(to: ["a": 1])
            let link = "\(folder.path)/link"
            try #require(Command.run("ln", ["-s", "target.json", link]).succeeded)
            _ = try almanac.output("config", "export", "-o", link)
            #expect(try Command.run("test", ["-L", link]).succeeded)
            #expect(try JSONValue(parsing: File.read("\(folder.path)/target.json")) == ["a": 1])
        }

        @Test func `a change is made again where others have changed other keys`() throws {
            try development.reset(to: ["a": 1, "b": 1])
            func edit(_ meanwhile: String, _ options: String...) throws -> Command.Outcome {
                let script = try folder.write(
                    "editor",
                    "#!/bin/sh\nsed -i 's/\"a\": [0-9]*/\"a\": 2/' \"$1\"\nexec \"$ALMANAC\" \(meanwhile)\n".utf8)
                let program = try CommandLineProgram([
                    "VISUAL": "sh \(script)", "ALMANAC": Instance.current().path("bin/almanac"), "TMPDIR": folder.path,
                ])
                return try program.run(["config", "edit"] + options)
            }
            #expect(try edit("config set b 5").status == 4)
            #expect(try config(development) == ["a": 1, "b": 5])
            #expect(try edit("config set b 6", "--retry").status == 0)
            #expect(try config(development) == ["a": 2, "b": 6])
            try development.reset(to: ["a": 1, "b": 1])
            let same = try edit("config set a 7", "--retry")
            #expect(same.status == 4)
            #expect(same.errors.contains("the same keys"))
            #expect(try config(development) == ["a": 7, "b": 1])
        }

        @Test func `a key that is not there is not promoted`() throws {
            try development.reset(to: ["a": 1])
            try staging.reset(to: ["gone": 1])
            let refused = try almanac.run("config", "promote", "development", "staging", "--key", "a", "--key", "gone")
            #expect(refused.status == 3)
            #expect(refused.errors.contains("'development' has no entry gone"))
            #expect(try config(staging) == ["gone": 1])
            #expect(
                try almanac.output("config", "promote", "development", "staging", "--key", "a").hasPrefix("a added: "))
        }

        @Test func `what a change did is told, and a large release in one short line`() throws {
            try development.reset(to: ["a": 1, "b": 1])
            #expect(try almanac.output("config", "set", "c", "1").hasPrefix("c added: "))
            #expect(try almanac.output("config", "set", "c", "2").hasPrefix("c changed: "))
            #expect(try almanac.output("config", "unset", "c").hasPrefix("c removed: "))
            let import_ = try almanac.output("config", "import", "--prune", input: #"{"a": 2, "d": 1, "e": 1}"#)
            #expect(import_.hasPrefix("4 keys changed (2 added, 1 removed): "))
            let many = JSONValue.object(JSONObject((0..<2000).map { ("key.\($0)", 1) }))
            #expect(try almanac.output("config", "import", input: "\(many)").hasPrefix("2000 keys added: "))
            let history = try almanac.output("config", "history", "--limit", "1")
            #expect(history.utf8.count < 500)
            #expect(history.contains("key.0, key.1, key.10, key.100, key.1000, and 1995 more"))
            try development.reset()
        }

        @Test func `a mistyped environment is no missing key, and what was meant is named`() throws {
            let mistyped = try almanac.run("config", "get", "a", "-e", "stagin")
            #expect(mistyped.status == 5)
            #expect(mistyped.errors.contains("did you mean 'staging'?"), "\(mistyped.errors)")
            let open = try CommandLineProgram(["ALMANAC_TOKEN_FILE": ""])
            let unknown = try open.run("config", "get", "a", "-e", "stagin")
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("there is no environment 'stagin' at "))
            #expect(unknown.errors.contains("did you mean 'staging'?"), "\(unknown.errors)")
            #expect(try almanac.run("token", "list", "stagin").errors.contains("did you mean 'staging'?"))
            #expect(try almanac.output("--version").hasPrefix("almanac "))
            let tokens = try almanac.output("token", "list", "development")
            #expect(tokens.split(separator: "\n").first?.contains("created") == true)
        }

        @Test func `an import that is too large names the limit and its own size`() throws {
            try development.reset()
            let large = JSONValue.object(
                JSONObject((0..<30).map { ("key.\($0)", .string(String(repeating: "x", count: 200_000))) }))
            let refused = try almanac.run("config", "import", input: "\(large)")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("4 MiB"), "\(refused.errors)")
            #expect(refused.errors.contains("this request has 60"), "\(refused.errors)")
            #expect(try config(development) == [:])
        }
    }
}
