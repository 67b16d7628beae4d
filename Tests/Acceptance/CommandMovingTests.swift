import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandMovingTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Returns the program of a user on a new machine.
        private func machine(_ user: NotesUser, _ name: String) throws -> CommandLineProgram {
            try CommandLineProgram([
                "ALMANAC_TOKEN_FILE": try folder.write("\(name).token", user.token.utf8),
                "XDG_DATA_HOME": "\(folder.path)/\(name)",
            ])
        }

        /// Writes an export of three notes: one pinned with tags, one in the trash, and one of unusual characters.
        private func export() throws -> String {
            let exportFolder = "\(folder.path)/export"
            try File.makePrivateFolder(exportFolder)
            let times = "created: 2022-01-01T09:00:00.000Z\nupdated: 2022-01-01T10:00:00.000Z\n"
            for (name, text) in [
                (
                    "Bread_ the dark one.md",
                    "title: \"Bread: the dark one\"\nid: n1\n\(times)tags:\n  - \"/Recipes\"\n  - dinner\n"
                        + "pinned: true\n---\n\n---\nauthor: Scott Joplin\n---\n\nflour\nwater"
                ),
                ("Old plan.md", "title: Old plan\nid: n2\n\(times)trashed: true\n---\n\nsleep\n"),
                ("مذكرة 🌱.md", "title: مذكرة 🌱\nid: n3\n\(times)---\n\nzwei\tTabs"),
            ] {
                try File.createPrivate("\(exportFolder)/\(name)", contents: Array("---\n\(text)".utf8))
            }
            return exportFolder
        }

        @Test func `an export comes in, and goes out again unchanged, from here and from another account`() throws {
            let user = try NotesUser("mover")
            let almanac = try machine(user, "first")
            let source = try export()
            let trial = try #require(try almanac.json("note", "import", source, "--dry-run").objectValue)
            #expect(try user.client().order() == [])
            let outcome = try #require(try almanac.json("note", "import", source).objectValue)
            #expect(outcome["added"] == 3 && outcome["remarks"] == [])
            #expect(outcome["added"] == trial["added"] && outcome["remarks"] == trial["remarks"])
            #expect(outcome["synced"] == true)
            _ = try almanac.output("note", "export", "\(folder.path)/out")
            #expect(try Command.run("diff", ["-r", source, "\(folder.path)/out"]).output == "")

            // The times and the order are now the server's.
            for note in try #require(try almanac.json("note", "list").arrayValue).compactMap(\.objectValue) {
                let id = try #require(note["id"]?.stringValue)
                let there = try #require(try user.client().send("GET", "notes/\(id)").json().objectValue)
                for name in ["title", "body", "created_at", "updated_at"] { #expect(note[name] == there[name]) }
                #expect(there["created_at"]?.stringValue?.hasPrefix("20") == true)
            }

            let zip = "\(folder.path)/notes.zip"
            _ = try almanac.output("note", "export", zip)
            #expect(try Command.run("stat", ["-c", "%a", zip]).output == "600\n")
            let other = try machine(try NotesUser("other-mover"), "second")
            #expect(try other.json("note", "import", zip).objectValue?["added"] == outcome["added"])
            _ = try other.output("note", "export", "\(folder.path)/other")
            #expect(try Command.run("diff", ["-r", source, "\(folder.path)/other"]).output == "")
        }

        @Test func `an import that was broken off is made again, and makes no second copies`() throws {
            let user = try NotesUser("mover-again")
            let almanac = try machine(user, "first")
            let source = try export()
            _ = try almanac.output("note", "import", source, "--offline")
            #expect(try user.client().order() == [])
            let again = try #require(try almanac.json("note", "import", source).objectValue)
            #expect(again["added"] == 0 && again["same"] == 3)
            let order = try user.client().order()
            #expect(order.count == 2)
            // A machine without any record of the import finds the same notes.
            let other = try machine(user, "second")
            #expect(try other.json("note", "import", source).objectValue?["same"] == 3)
            #expect(try user.client().order() == order)
            // Another import leaves a changed note alone.
            let first = try #require(order.first)
            _ = try other.output("note", "edit", first, "--text", "changed")
            let third = try #require(try other.json("note", "import", source).objectValue)
            #expect(third["added"] == 0 && third["same"] == 2)
            #expect(third["remarks"]?.arrayValue?.contains { $0.objectValue?["reason"] == "different" } == true)
            #expect(try user.client().body(first) == "changed")
        }

        @Test func `a place that is not free is refused before anything is done`() throws {
            let almanac = try machine(try NotesUser("mover-places"), "first")
            let taken = try folder.write("taken", "x".utf8)
            #expect(try almanac.run("note", "export", taken).errors.contains("new or empty"))
            #expect(try almanac.run("note", "export", folder.path).errors.contains("new or empty"))
            #expect(try almanac.run("note", "import", "\(folder.path)/nowhere").status == 1)
        }
    }
}
