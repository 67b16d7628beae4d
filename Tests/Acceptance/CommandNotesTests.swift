import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of `almanac note` with and without the server.
    @Suite struct CommandNotesTests {
        private let user: NotesUser
        private let home: TemporaryFolder
        private let almanac: CommandLineProgram

        init() throws {
            user = try NotesUser("writer")
            home = try TemporaryFolder()
            almanac = try Self.almanac(home, user)
        }

        private static func almanac(
            _ home: TemporaryFolder, _ user: NotesUser, _ variables: [String: String] = [:]
        ) throws -> CommandLineProgram {
            let own = [
                "ALMANAC_TOKEN_FILE": try home.write("user.token", user.token.utf8),
                "XDG_DATA_HOME": "\(home.path)/data",
            ]
            return try CommandLineProgram(own.merging(variables) { $1 })
        }

        @Test func `a note is made, changed, moved, found, deleted and restored`() throws {
            let first = try almanac.output("note", "create", "Groceries", "milk").filter { !$0.isNewline }
            let second = try almanac.output("note", "create", "Später", "-", input: "Grün\n").filter { !$0.isNewline }
            #expect(try user.client().body(second) == "Grün\n")
            #expect(try almanac.output("note", "edit", first, "--append", "\nbread") == "\(first): on the server\n")
            #expect(try user.client().body(first) == "milk\nbread")
            _ = try almanac.output("note", "edit", first, "--title", "-5 °C", "--text", "")
            #expect(try almanac.output("note", "show", first) == "-5 °C\n\n\n")
            _ = try almanac.output("note", "move", second, "--first")
            #expect(try user.client().order() == [second, first])
            #expect(try almanac.output("note", "search", "gru").contains(second))
            #expect(try almanac.output("note", "delete", first, second).contains("in the trash, on the server"))
            #expect(try user.client().order() == [])
            #expect(try almanac.json("note", "list", "--trash").arrayValue?.count == 2)
            _ = try almanac.output("note", "restore", first)
            #expect(try user.client().order() == [first])
            #expect(try almanac.run("note", "delete", first, "other").status == 3)
            #expect(try user.client().order() == [first])

            let note = try #require(try almanac.json("note", "show", first).objectValue)
            let server = try #require(try user.client().send("GET", "notes/\(first)").json().objectValue)
            for name in ["title", "body", "tags", "pinned", "position", "revision", "created_at", "edited_at"] {
                #expect(note[name] == server[name], "\(name)")
            }
            #expect(note["updated_at"] == note["edited_at"])
            #expect(note["status"] == "server" && note["synced"] == true)
            #expect(try Command.run("stat", ["-c", "%a", "\(home.path)/data/almanac/notes"]).output == "700\n")
        }

        @Test func `a note is filed under tags and pinned, found by them, and both are seen`() throws {
            try user.client().create(("n1", "milk"), ("n2", "milk and bread"))
            let tagged = try almanac.output("note", "tag", "n2", "--add", "two words", "--add", "work")
            #expect(tagged == "n2: on the server\n")
            #expect(try almanac.output("note", "pin", "n2") == "n2: on the server\n")
            let note = try #require(try user.client().send("GET", "notes/n2").json().objectValue)
            #expect(note["tags"] == ["two words", "work"] && note["pinned"] == true)
            #expect(try almanac.output("note", "search", "tag:work", "milk").contains("n2"))
            #expect(try almanac.output("note", "list", "--search", "tag:\"two words\"").contains("n2"))
            #expect(try !almanac.output("note", "search", "tag:work").contains("n1"))
            #expect(try almanac.json("note", "list").arrayValue?.map { $0.objectValue?["id"] } == ["n2", "n1"])
            let list = try almanac.output("note", "list")
            #expect(list.contains("yes") && list.contains("two words, work"), "\(list)")
            #expect(
                try almanac.output("note", "show", "n2")
                    == "N2\ntags: [\"two words\",\"work\"]\npinned: true\n\nmilk and bread\n")
            _ = try almanac.output("note", "tag", "n2", "--remove", "two words", "--add", "home")
            _ = try almanac.output("note", "unpin", "n2")
            #expect(try almanac.output("note", "show", "n2") == "N2\ntags: [\"home\",\"work\"]\n\nmilk and bread\n")
            for mistake in [[], ["--add", ""], ["--add", "a\nb"], ["--add", "a", "--remove", "a"]] {
                let outcome = try almanac.run(["note", "tag", "n2"] + mistake)
                #expect([1, 2].contains(outcome.status) && !outcome.errors.isEmpty, "\(mistake)")
            }
            let editor = try home.write("editor", "#!/bin/sh\nsed -i -e 's/home/moved/' -e 2apinned:\\ true $1\n".utf8)
            _ = try Command.run("chmod", ["755", editor])
            #expect(try Self.almanac(home, user, ["VISUAL": editor]).output("note", "edit", "n2").contains("server"))
            #expect(
                try almanac.output("note", "show", "n2")
                    == "N2\ntags: [\"moved\",\"work\"]\npinned: true\n\nmilk and bread\n")
        }

        @Test func `a change without the server is kept, shown, and merged later`() throws {
            try user.client().create(("n1", "milk"))
            #expect(try almanac.output("note", "list").contains("N1"))
            try user.instance.run("--stop-service", "nginx")
            defer { _ = try? user.instance.run("--start-service", "nginx") }
            let edited = try almanac.run("note", "edit", "n1", "--append", " and bread")
            #expect(edited.status == 0 && edited.output == "n1: on this machine\n")
            #expect(edited.errors.contains("saved on this machine"))
            let id = try almanac.run("note", "create", "Offline").output.filter { !$0.isNewline }
            let list = try almanac.run("note", "list", "--json")
            #expect(list.status == 0 && list.errors.contains("could not be reached"), "\(list.errors)")
            let notes = try JSONValue(parsing: list.outputBytes).arrayValue?.compactMap(\.objectValue)
            #expect(notes?.map { $0["status"] } == ["device", "device"])
            #expect(notes?.map { $0["synced"] } == [false, false])
            #expect(try almanac.output("note", "list").contains("on this machine"))
            #expect(try almanac.output("note", "search", "brea").contains("N1"))
            #expect(try almanac.run("note", "sync").status == 1)
            let missing = try almanac.run("note", "show", "n2")
            #expect(missing.status == 1 && missing.errors.contains("on this machine"))

            try user.instance.run("--start-service", "nginx")
            try user.client().act(#"[["updateNote", {"id": "n1", "base": 1, "body": ["oat ", 4]}]]"#)
            #expect(try almanac.output("note", "sync") == "2 notes, in sync with the server\n")
            #expect(try user.client().body("n1") == "oat milk and bread")
            #expect(try user.client().body(id) == "")
            #expect(try almanac.output("note", "show", "n1") == "N1\n\noat milk and bread\n")
        }

        @Test func `processes that write at the same time lose and double nothing`() throws {
            let id = "n1"
            try user.client().create((id, "|"))
            let almanac = almanac
            // All programs create the notes file at the same time.
            let outcomes = try concurrently(6) { writer in
                try (0..<5).map { round in
                    let word = "<\(writer).\(round)>"
                    return round == 2
                        ? try almanac.run("note", "create", word)
                        : try almanac.run("note", "edit", id, "--append", word)
                }
            }.joined()
            for outcome in outcomes { #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)") }
            #expect(try almanac.run("note", "sync").status == 0)
            let body = try #require(try user.client().body(id))
            let titles = try almanac.json("note", "export").arrayValue?.compactMap {
                $0.objectValue?["title"]?.stringValue
            }
            for writer in 0..<6 {
                for round in 0..<5 {
                    let word = "<\(writer).\(round)>"
                    #expect(body.ranges(of: word).count == (round == 2 ? 0 : 1), "\(word) in \(body)")
                    #expect(titles?.count { $0 == word } == (round == 2 ? 1 : 0))
                }
            }
            #expect(try user.client().order().count == 7)
        }

        @Test func `a new file of notes is made by many processes at once`() throws {
            for round in 0..<10 {
                let almanac = try Self.almanac(home, user, ["XDG_DATA_HOME": "\(home.path)/data\(round)"])
                let outcomes = try concurrently(12) { writer in
                    try almanac.run("note", "create", "\(writer)", "--offline")
                }
                for outcome in outcomes { #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)") }
                #expect(try almanac.json("note", "list", "--offline").arrayValue?.count == 12)
            }
        }

        @Test func `an editor changes a note that somebody else changes meanwhile`() throws {
            try user.client().create(("n1", "milk\nbread"))
            let action = #"[["updateNote", {"id": "n1", "base": 1, "body": [10, "\njam"]}]]"#
            let client = "curl -sS --cacert \(user.instance.caFile) -H @\(home.path)/header --json '\(action)'"
            try home.write("header", "Authorization: Bearer \(user.token)".utf8)
            let editor = try home.write(
                "editor",
                """
                #!/bin/sh
                head -c 10 "$1" | grep -q N1 || exit 1
                \(client.replacing("$", with: "\\$")) \(user.instance.url)/development/notes \
                >\(home.path)/answer || exit 1
                # Another terminal fetches it, so that it is in the file of the notes before the editor ends.
                \(user.instance.path("bin/almanac")) note sync >\(home.path)/answer || exit 1
                sed -i -e 's/milk/oat milk/' -e '1s/.*/Groceries/' "$1"
                """.utf8)
            _ = try Command.run("chmod", ["755", editor])
            let program = try Self.almanac(home, user, ["VISUAL": editor])
            #expect(try program.output("note", "edit", "n1") == "n1: on the server\n")
            #expect(try program.output("note", "show", "n1") == "Groceries\n\noat milk\nbread\njam\n")
            #expect(try user.client().body("n1") == "oat milk\nbread\njam")
            // If the editor fails, the note is unchanged and the edited text stays in a file.
            let failing = try Self.almanac(home, user, ["VISUAL": "false"]).run("note", "edit", "n1")
            #expect(failing.status == 1 && failing.errors.contains("is kept in"))
            let draftPath = try #require(failing.errors.firstMatch(of: /is kept in (\S+)/)?.output.1)
            File.remove(String(draftPath))
        }

        @Test func `a server that was never heard is no empty list`() throws {
            let lost = try Self.almanac(home, user, ["ALMANAC_URL": "http://127.0.0.1:1"])
            let list = try lost.run("note", "list")
            #expect(list.status == 1 && list.errors.contains("were never complete"), "\(list.errors)")
            let id = try lost.run("note", "create", "First", "--offline").output.filter { !$0.isNewline }
            #expect(try lost.run("note", "list").status == 0)
            #expect(try lost.run("note", "show", id, "--offline").errors == "")
            // Notes of one server are never sent to another server.
            #expect(try almanac.output("note", "list") == "id  edited  title\n")
        }

        @Test func `a change that the server refuses stays, is said, and can be let go of`() throws {
            try user.client().create(("n1", "milk"))
            let long = String(repeating: "x", count: 1025)
            let refused = try almanac.run("note", "edit", "n1", "--title", long)
            #expect(refused.status == 1 && refused.output == "n1: refused\n")
            #expect(refused.errors.contains("'almanac note discard'"), "\(refused.errors)")
            let note = try #require(try almanac.json("note", "show", "n1").objectValue)
            #expect(note["status"] == "refused" && note["title"] == .string(long))
            #expect(try almanac.run("note", "sync").status == 1)
            _ = try almanac.output("note", "discard", "n1")
            #expect(try almanac.output("note", "show", "n1") == "N1\n\nmilk\n")
            #expect(try almanac.run("note", "discard", "n1").status == 1)
        }

        @Test func `a token that the server refuses has a status of its own, and what is here is shown`() throws {
            try user.client().create(("n1", "milk"))
            _ = try almanac.output("note", "sync")
            let parts = user.token.split(separator: ".")
            try home.write("user.token", "\(parts[0]).\(parts[1]).AAAA".utf8)
            let outcome = try almanac.run("note", "list")
            #expect(outcome.status == 5 && outcome.output.contains("N1"))
            #expect(!outcome.errors.contains(parts[1]))
            try home.write("user.token", "nonsense".utf8)
            #expect(try almanac.run("note", "list").status == 5)
        }
    }
}
