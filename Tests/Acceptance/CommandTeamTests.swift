import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of a team's first tasks: to search, to purge secrets, retire majors and delete accounts, and to preview.
    @Suite struct CommandTeamTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment

        init() throws { (almanac, development) = try (CommandLineProgram(), LiveEnvironment("development")) }

        private func history(of key: String) throws -> [JSONObject] {
            try #require(almanac.json("config", "history", key).arrayValue).compactMap(\.objectValue)
        }

        private func revision() throws -> Int64? {
            try development.client().send("GET", development.path("config")).revision
        }

        @Test func `a value is found by what it says, and a key by its name`() throws {
            try development.reset(to: ["app.url": "https://Example.com/cats", "app.deep": ["x": ["cat"]], "cat": 1])
            #expect(
                try almanac.output("config", "search", "CAT")
                    == "app.deep  {\"x\":[\"cat\"]}\napp.url   \"https://Example.com/cats\"\ncat       1\n")
            #expect(try almanac.output("config", "search", "cat", "--in", "keys") == "cat  1\n")
            let found = try almanac.json("config", "search", "example.com", "--in", "values").arrayValue
            #expect(found?.map { $0.objectValue?["key"] } == ["app.url"])
            let nothing = try almanac.run("config", "search", "zebra")
            #expect(nothing.status == 3 && nothing.output == "" && nothing.errors == "")
            #expect(try almanac.json("config", "search", "").arrayValue?.count == 3)
            let elsewhere = try almanac.run("config", "search", "cat", "--in", "descriptions")
            #expect(elsewhere.status == 2 && elsewhere.errors.contains("expected keys or values"))
        }

        @Test func `a secret that leaked is purged, and only when it was meant`() throws {
            try development.reset(to: ["a": 1])
            _ = try almanac.output("config", "set", "leaked", "hunter2")
            _ = try almanac.output("config", "unset", "leaked")
            #expect(try history(of: "leaked").contains { $0["value"] == "hunter2" })
            let unasked = try almanac.run("config", "purge", "leaked")
            #expect(unasked.status == 2 && unasked.errors.contains("confirm with --yes"))
            #expect(try history(of: "leaked").contains { $0["value"] == "hunter2" })
            let line = try almanac.output("config", "purge", "leaked", "--yes", "-m", "it leaked")
            #expect(line.hasPrefix("leaked purged: revision "), "\(line)")
            let after = try history(of: "leaked")
            #expect(!after.contains { $0["value"] != nil })
            #expect(after.first?["message"] == "it leaked")
            #expect(try almanac.run("config", "purge", "never.there", "--yes").status == 3)
        }

        @Test func `a purge asks in a terminal, and no is no`() throws {
            try development.reset(to: ["a": 1, "leaked": "hunter2"])
            for (answer, status) in [("n\r", 1), ("yes\r", 0)] as [(String, Int32)] {
                let terminal = try almanac.terminal(["config", "purge", "leaked"])
                let question = "Permanently remove leaked and its history from development"
                #expect(eventually { terminal.written.contains(question) })
                terminal.type(answer)
                #expect(terminal.wait(upTo: .seconds(20)) == status, "\(terminal.written)")
                #expect(try history(of: "leaked").contains { $0["value"] != nil } == (status == 1))
            }
        }

        @Test func `a major that nobody asks for is listed and retired`() throws {
            try development.reset(to: ["a": 1, "old": "x"])
            try development.reset(to: ["a": 1])
            let rows = try almanac.output("config", "majors").split(separator: "\n").map(String.init)
            let majors = try #require(almanac.json("config", "majors").arrayValue).compactMap(\.objectValue)
            #expect(rows.count == majors.count + 1)
            #expect(rows.last?.contains("  current  ") == true)
            let old = try #require(majors.last { $0["current"] == false })
            #expect(old["keeps"]?.arrayValue?.contains("old") == true)
            let number = try #require(old["major"]).description
            let row = try #require(rows.first { $0.hasPrefix(number + " ") })
            #expect(row.contains("  served ") && row.hasSuffix("old"), "\(row)")
            #expect(try almanac.run("config", "retire", number).status == 2)
            let line = try almanac.output("config", "retire", number, "--yes", "--message", "no build is left")
            #expect(line.hasPrefix("major \(number) retired: revision "), "\(line)")
            #expect(try almanac.run("config", "get", "old", "--version", number).status == 3)
            #expect(try almanac.run("config", "retire", number, "--yes").status == 3)
            let newest = try #require(majors.last?["major"]).description
            #expect(try almanac.run("config", "retire", newest, "--yes").status == 1)
            #expect(try almanac.run("config", "retire", "01", "--yes").status == 2)
            let retired = try almanac.output("config", "majors").split(separator: "\n")
            #expect(retired.contains { $0.hasPrefix(number + " ") && $0.contains(" retired ") })
        }

        @Test func `an account is erased once its name was typed, here and on the server`() throws {
            let user = try NotesUser("leaver")
            try user.client().create(("n1", "milk"))
            let folder = try TemporaryFolder()
            let program = try CommandLineProgram([
                "ALMANAC_TOKEN_FILE": folder.write("user.token", user.token.utf8), "XDG_DATA_HOME": folder.path,
            ])
            #expect(try program.output("note", "list").contains("N1"))
            let notes = "\(folder.path)/almanac/notes"
            #expect(try Command.run("find", [notes, "-type", "f"]).output.contains(".db"))
            #expect(try program.run("account", "delete").status == 2)
            for (answer, status) in [("yes\r", 1), (user.subject + "\r", 0)] as [(String, Int32)] {
                let terminal = try program.terminal(["account", "delete"])
                #expect(eventually { terminal.written.contains("Type the account: ") })
                terminal.type(answer)
                #expect(terminal.wait(upTo: .seconds(20)) == status, "\(terminal.written)")
                let listed = try user.client().http.send("GET", "/development/notes").text
                #expect(listed.contains("milk") == (status == 1))
            }
            #expect(try Command.run("find", [notes, "-type", "f"]).output == "")
            #expect(try program.json("account", "delete", "--yes").objectValue?["subject"] == .string(user.subject))
            // An API token has no account.
            let operators = try almanac.run("account", "delete", "--yes")
            #expect(operators.status == 5, "\(operators.errors)")
        }

        @Test func `a terminal gets colours and ages, unless it wants none, and a pipe gets neither`() throws {
            try development.reset(to: ["a": 1])
            _ = try almanac.output("config", "set", "a", "2")
            func shown(_ variables: [String: String], _ words: String...) throws -> String {
                let terminal = try almanac.terminal(words, variables: variables)
                #expect(terminal.wait(upTo: .seconds(20)) == 0, "\(terminal.written)")
                return terminal.written
            }
            let colours = ["TERM": "xterm", "NO_COLOR": ""]
            let latest = try #require(try revision()).description
            #expect(try shown(colours, "config", "show", latest).contains("\u{1B}[33m~ a: 1 -> 2\u{1B}[0m"))
            let history = try shown(colours, "config", "history", "--limit", "1")
            #expect(history.contains("\u{1B}[1mrevision") && history.contains("  just now  "), "\(history)")
            for plain in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                let text = try shown(colours.merging(plain) { $1 }, "config", "set", "a", "3", "--dry-run")
                let version = try #require(try almanac.json("status").objectValue?["version"]?.stringValue)
                let next = version.split(separator: ".").last.flatMap { Int($0) }.map { "\($0 + 1)" } ?? ""
                let forecast = version.split(separator: ".").dropLast().joined(separator: ".") + "." + next
                // Older majors may know the key with another type, which the next lines say.
                let expected = "~ a: 2 -> 3\r\nversion \(forecast), now \(version): the value of a changes\r\n"
                #expect(text.hasPrefix(expected))
            }
            let json = try shown(colours, "config", "history", "--limit", "1", "--json")
            #expect(!json.contains("\u{1B}") && json.contains("T"))
            let piped = try almanac.output("config", "history", "--limit", "1")
            #expect(!piped.contains("\u{1B}") && !piped.contains("just now"))
        }

        @Test func `a dry run of set shows what would be, and changes nothing`() throws {
            try development.reset(to: ["a": ["x": 1]])
            _ = try almanac.output("config", "set", "b", "2", "--description", "old")
            let before = try revision()
            let version = try #require(try almanac.json("status").objectValue?["version"]?.stringValue)
            let numbers = version.split(separator: ".").compactMap { Int($0) }
            func shown(_ words: String...) throws -> String {
                let outcome = try almanac.run(["config", "set"] + words + ["--dry-run"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                return outcome.output
            }
            let (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
            let added = "+ new: 1\nversion \(major).\(minor + 1).0, now \(version): new is new\n"
            #expect(try shown("new", "1").hasPrefix(added))
            let retyped = try shown("a", "{\"x\": null}").split(separator: "\n")
            #expect(
                retyped.prefix(2) == [
                    "~ a: {\"x\":1} -> {\"x\":null}",
                    "version \(major + 1).0.0, now \(version): the type of /x in a changes from number to null",
                ])
            #expect(retyped.last == "builds that pin major \(major) keep what was: a")
            #expect(try shown("b", "2") == "nothing to change\n")
            #expect(
                try shown("b", "2", "--description", "new") == """
                    ~ description of b: "old" -> "new"
                    version \(major).\(minor).\(patch + 1), now \(version): the description of b changes

                    """)
            let document = try #require(
                try almanac.json("config", "set", "b", "3", "--description", "new", "--dry-run").objectValue)
            #expect(document["forecast"]?.objectValue?["bump"] == .some("patch"))
            let plan = JSONValue.object(document.removing("forecast"))
            #expect(
                plan == [
                    "changes": [["key": "b", "before": 2, "after": 3]],
                    "description": ["before": "old", "after": "new"],
                ])
            // A preview needs no token.
            let stranger = try CommandLineProgram(["ALMANAC_TOKEN_FILE": ""])
            #expect(try stranger.output("config", "set", "b", "3", "--dry-run") == "~ b: 2 -> 3\n")
            #expect(try almanac.run("config", "set", "b", "{", "--dry-run").status == 2)
            #expect(try revision() == before)
        }
    }
}
