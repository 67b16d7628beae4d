import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandConfigTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let staging: LiveEnvironment

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            staging = try LiveEnvironment("staging")
        }

        @Test func `a value is set, read and removed`() throws {
            try development.reset()
            // A key without history from earlier runs.
            let key = "a.\(UInt64.random(in: 0 ... .max))"
            #expect(try almanac.output("config", "set", key, "dark", "-m", "für später").hasPrefix("\(key) added"))
            #expect(try almanac.output("config", "get", key) == "dark\n")
            let refused = try almanac.run("config", "set", key, "2026")
            #expect(refused.status == 2)
            #expect(refused.errors.contains("\(key) is a string, and the new value is a number: give --string to"))
            #expect(try almanac.run("config", "set", key, "2026", "--dry-run").status == 2)
            _ = try almanac.output("config", "set", key, "2026", "--string")
            _ = try almanac.output(
                "config", "set", key, "-", "--retype", "--description", "d", input: "{\"x\": 0.10}\n")
            #expect(try almanac.output("config", "get", key) == "{\"x\":0.10}\n")
            #expect(try almanac.json("config", "get", key).objectValue?["description"] == "d")
            #expect(try almanac.output("config", "list", "a.") == "\(key)  {\"x\":0.10}\n")
            let history = try almanac.json("config", "history", key).arrayValue?.compactMap(\.objectValue)
            #expect(history?.map { $0["message"] } == ["", "", "für später"])
            #expect(try almanac.output("config", "unset", key).hasPrefix("\(key) removed"))
            #expect(try almanac.run("config", "get", key).status == 3)
        }

        @Test func `a failure has an exit status of its own and says what to do`() throws {
            try development.reset(to: ["a": 1, "b": 2])
            let before = try development.client().send("GET", development.path("config")).revision
            #expect(try almanac.run("config", "get", "nothing").status == 3)
            #expect(try almanac.run("config", "unset", "a", "nothing").status == 3)
            #expect(try almanac.run("config", "set", "a", "{").status == 2)
            #expect(try almanac.run("config", "set", "a").status == 2)
            #expect(try almanac.run("config", "import", "--prune", input: #"{"a": null}"#).status == 1)
            #expect(try almanac.run("config", "import", "--prune", input: "[]").status == 1)
            #expect(try almanac.run("config", "set", "a", "1", "--message", "two\nlines").status == 2)
            let stranger = try CommandLineProgram(["ALMANAC_TOKEN_FILE": ""])
            #expect(try stranger.run("config", "history").status == 5)
            let needsToken = try stranger.run("config", "set", "a", "2")
            #expect(needsToken.status == 5)
            #expect(needsToken.errors.contains("--token-file"))
            let away = try CommandLineProgram(["ALMANAC_URL": "https://localhost:1"])
            #expect(try away.run("config", "list").status == 1)
            let distrust = try CommandLineProgram(["ALMANAC_CA_FILE": "/dev/null"])
            #expect(try distrust.run("config", "list").status == 1)
            #expect(try development.client().send("GET", development.path("config")).revision == before)
        }

        @Test func `an export that is imported again makes the same config`() throws {
            let values: JSONValue = [
                "text": "Grüße \u{1F63A}\n\"quoted\"", "e\u{301}": 1, "deep": ["a": ["b": [1, "x", true]]],
                "big": 1,
            ]
            let keys = try #require(values.objectValue).removing("e\u{301}")
            try development.reset(to: .object(keys))
            _ = try almanac.output("config", "set", "big", "9007199254740993.10")
            try staging.reset(to: ["other": 1, "text": "old"])
            let export = try almanac.output("config", "export")
            let plan = try almanac.output("config", "import", "-e", "staging", "--prune", "--dry-run", input: export)
            #expect(plan.contains("- other: 1\n"))
            #expect(plan.contains("~ text: \"old\" -> "))
            #expect(try almanac.run("config", "diff", "development", "staging").status == 3)
            let result = try almanac.json("config", "import", "-e", "staging", "--prune", input: export)
            #expect(result.objectValue?["entries"]?.arrayValue?.count == 4)
            #expect(try almanac.output("config", "export", "-e", "staging") == export)
            #expect(try almanac.run("config", "diff", "development", "staging").status == 0)
            #expect(
                try almanac.output("config", "import", "-e", "staging", input: export).hasPrefix("nothing to change"))
        }

        @Test func `a promotion shows what it would do, then does it in one release`() throws {
            try development.reset(to: ["a": 1, "b": ["x": 1], "new": "n"])
            try staging.reset(to: ["a": 2, "b": ["x": 1, "y": 2], "gone": true])
            let before = try #require(staging.client().send("GET", staging.path("config")).revision)
            let plan = try almanac.output("config", "promote", "development", "staging", "--dry-run")
            #expect(
                plan.split(separator: "\n").prefix(4) == [
                    "~ a: 2 -> 1", #"~ b: {"x":1,"y":2} -> {"x":1}"#, "- gone: true", #"+ new: "n""#,
                ])
            let forecast = plan.split(separator: "\n").dropFirst(4)
            #expect(forecast.first?.hasSuffix(": /y is removed from b, gone is removed") == true)
            #expect(forecast.last?.hasPrefix("builds that pin major ") == true)
            #expect(forecast.last?.hasSuffix(" keep what was: b, gone") == true)
            #expect(try staging.client().send("GET", staging.path("config")).revision == before)
            _ = try almanac.output("config", "promote", "development", "staging", "--key", "new", "-m", "one key")
            _ = try almanac.output("config", "promote", "development", "staging", "-m", "release 2")
            let config = try staging.client().send("GET", staging.path("config.json"))
            #expect(try config.json() == ["a": 1, "b": ["x": 1], "new": "n"])
            #expect(config.revision == before + 2)
            let releases = try almanac.json("config", "history", "-e", "staging", "--limit", "2").arrayValue
            #expect(releases?.compactMap { $0.objectValue?["message"]?.stringValue } == ["release 2", "one key"])
        }

        @Test func `the past is listed and comes back`() throws {
            let first = try #require(try development.reset(to: ["a": 1, "b": 1]).revision)
            try development.reset(to: ["a": 2])
            #expect(try almanac.output("config", "list", "--at", "\(first)") == "a  1\nb  1\n")
            let plan = try almanac.output("config", "restore", "\(first)", "--dry-run")
            #expect(plan.hasPrefix("~ a: 2 -> 1\n+ b: 1\nversion ") && plan.contains(": b is new\n"), "\(plan)")
            _ = try almanac.output("config", "restore", "\(first)", "-m", "back")
            #expect(try almanac.output("config", "list") == "a  1\nb  1\n")
            #expect(try almanac.run("config", "restore", "999999999").status == 3)
        }

        @Test func `an editor changes one value or the whole config`() throws {
            try development.reset(to: ["a": "cat", "b": "cat"])
            let editor = try CommandLineProgram(["VISUAL": "sed -i s/cat/dog/"])
            _ = try editor.output("config", "edit", "a")
            #expect(try almanac.output("config", "list") == "a  \"dog\"\nb  \"cat\"\n")
            #expect(try editor.output("config", "edit", "a").hasPrefix("nothing"))
            let removal = try CommandLineProgram(["VISUAL": "sed -i /dog/d"])
            let trial = try removal.run("config", "edit", "--dry-run")
            #expect(trial.output.hasPrefix("- a: \"dog\"\nversion ") && trial.output.contains(": a is removed\n"))
            let draftPath = try #require(trial.errors.firstMatch(of: /kept in (\S+)/)?.output.1)
            #expect(try Command.run("cat", [String(draftPath)]).output == "{\n  \"b\": \"cat\"\n}\n")
            #expect(try almanac.output("config", "list") == "a  \"dog\"\nb  \"cat\"\n")
            _ = try removal.output("config", "edit")
            #expect(try almanac.output("config", "list") == "b  \"cat\"\n")
        }

        @Test func `a key that is set anew by a file or an editor has its old builds named`() throws {
            try development.reset(to: ["again": 1])
            _ = try almanac.output("config", "unset", "again")
            let imported = try almanac.run("config", "import", input: #"{"again": "two"}"#)
            #expect(imported.status == 0 && imported.errors.contains("keep the old value of again"))
            for (words, command) in [
                (["config", "edit"], "s/two/three/"), (["config", "edit", "again", "--dry-run"], "s/three/four/"),
            ] {
                let edited = try CommandLineProgram(["VISUAL": "sed -i \(command)"]).run(words)
                #expect(edited.status == 0, "\(edited.errors)")
                #expect(edited.errors.contains("keep the old value of again"), "\(edited.errors)")
            }
        }

        @Test func `members that become null are imported and promoted too`() throws {
            try development.reset(to: ["odd": ["m": 1, "n": 1]])
            try staging.reset(to: ["odd": ["m": 1]])
            _ = try almanac.output("config", "import", input: #"{"odd": {"m": null}}"#)
            #expect(try almanac.output("config", "get", "odd") == "{\"m\":null}\n")
            _ = try almanac.output("config", "promote", "development", "staging")
            #expect(try almanac.run("config", "diff", "development", "staging").status == 0)
        }

        @Test func `an edit that comes too late, or is broken, changes nothing and keeps the text`() throws {
            try development.reset(to: ["a": 1])
            let folder = try TemporaryFolder()
            let script = try folder.write(
                "editor", Array("#!/bin/sh\nsed -i s/1/2/ \"$1\"\nexec \"$ALMANAC\" config set other 5\n".utf8))
            let late = try CommandLineProgram([
                "VISUAL": "sh \(script)", "ALMANAC": Instance.current().path("bin/almanac"), "TMPDIR": folder.path,
            ])
            let outcome = try late.run("config", "edit")
            #expect(outcome.status == 4)
            let draftPath = try #require(outcome.errors.firstMatch(of: /kept in (\S+)/)?.output.1)
            #expect(try Command.run("cat", [String(draftPath)]).output == "{\n  \"a\": 2\n}\n")
            #expect(try Command.run("stat", ["-c", "%a", String(draftPath)]).output == "600\n")
            #expect(try almanac.output("config", "list") == "a      1\nother  5\n")
            let broken = try CommandLineProgram(["VISUAL": "sed -i s/1/{/", "TMPDIR": folder.path])
            #expect(try broken.run("config", "edit").status == 1)
            let quitter = try CommandLineProgram(["VISUAL": "false", "TMPDIR": folder.path])
            #expect(try quitter.run("config", "edit").status == 1)
            #expect(try almanac.output("config", "list") == "a      1\nother  5\n")
        }

        @Test func `flags go before variables, and those before the profile`() throws {
            try development.reset(to: ["where": "development"])
            try staging.reset(to: ["where": "staging"])
            let folder = try TemporaryFolder()
            let file = try folder.write(
                "profile.json",
                """
                {"default": "stage", "profiles": {
                    "stage": {"url": "\(almanac.instance.url)", "environment": "staging",
                              "ca_file": "\(almanac.instance.caFile)"},
                    "dev": {"url": "\(almanac.instance.url)", "environment": "development",
                            "ca_file": "\(almanac.instance.caFile)"}}}
                """.utf8)
            let nothing = ["ALMANAC_URL": "", "ALMANAC_CA_FILE": "", "ALMANAC_TOKEN_FILE": ""]
            func selectedEnvironment(_ variables: [String: String], _ flags: String...) throws -> String {
                let program = try CommandLineProgram(
                    nothing.merging(["ALMANAC_PROFILE_FILE": file]) { $1 }.merging(variables) { $1 })
                let outcome = try program.run(["config", "get", "where"] + flags)
                return outcome.succeeded ? outcome.output : outcome.errors
            }
            #expect(try selectedEnvironment(["ALMANAC_ENVIRONMENT": ""]) == "staging\n")
            #expect(try selectedEnvironment(["ALMANAC_ENVIRONMENT": "development"]) == "development\n")
            #expect(try selectedEnvironment(["ALMANAC_ENVIRONMENT": "development"], "-e", "staging") == "staging\n")
            #expect(try selectedEnvironment(["ALMANAC_ENVIRONMENT": "staging"], "--profile", "dev") == "development\n")
            #expect(try selectedEnvironment(["ALMANAC_ENVIRONMENT": "", "ALMANAC_PROFILE": "dev"]) == "development\n")
            #expect(try selectedEnvironment([:], "--profile", "nobody").contains("stage, dev"))
            let program = try CommandLineProgram(
                nothing.merging(["ALMANAC_PROFILE_FILE": file, "ALMANAC_ENVIRONMENT": ""]) { $1 })
            #expect(try program.run("config", "diff", "dev", "stage").output.hasPrefix("~ where:"))
        }

        @Test func `a user's notes are listed, shown and exported with the user's token`() throws {
            let user = try NotesUser("reader")
            try user.client().create(("n1", "milk\nbread"), ("n2", "Grün"))
            let folder = try TemporaryFolder()
            let program = try CommandLineProgram(["ALMANAC_TOKEN_FILE": folder.write("user.token", user.token.utf8)])
            #expect(try program.output("note", "list").contains("N1"))
            #expect(try program.json("note", "list", "--search", "bread").arrayValue?.count == 1)
            #expect(try program.output("note", "show", "n2") == "N2\n\nGrün\n")
            #expect(try program.run("note", "show", "other").status == 3)
            let path = "\(folder.path)/notes.json"
            _ = try program.output("note", "export", "--output", path)
            let notes = try JSONValue(parsing: Command.run("cat", [path]).outputBytes).arrayValue
            #expect(notes?.compactMap { $0.objectValue?["body"]?.stringValue } == ["milk\nbread", "Grün"])
            #expect(try Command.run("stat", ["-c", "%a", path]).output == "600\n")
            #expect(try almanac.run("note", "list").status == 5)
        }
    }
}
