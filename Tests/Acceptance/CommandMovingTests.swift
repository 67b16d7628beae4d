import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// `almanac note import` and `export`, through the server.
    @Suite struct CommandMovingTests {
        private let folder: TemporaryFolder
        private let exports = Checkout.path("Tests/Programs/AlmanacCommandTests/moving")

        init() throws {
            folder = try TemporaryFolder()
        }

        /// The program of a user on a machine that knows nothing of them yet.
        private func machine(_ user: NotesUser, _ name: String) throws -> CommandLineProgram {
            try CommandLineProgram([
                "ALMANAC_TOKEN_FILE": try folder.write("\(name).token", user.token.utf8),
                "XDG_DATA_HOME": "\(folder.path)/\(name)",
            ])
        }

        /// Compares what is in two folders, but for what is no note.
        private func expectSame(_ one: String, _ other: String) throws {
            let difference = try Command.run("diff", ["-r", "-x", "_resources", one, other])
            #expect(difference.status == 0, "\(difference.output)")
        }

        @Test(arguments: ["simplenote", "joplin"])
        func `an export comes in, and goes out again unchanged, from here and from another account`(
            form: String
        ) throws {
            let user = try NotesUser("mover-\(form)")
            let almanac = try machine(user, "first")
            let source = "\(exports)/\(form)"
            let trial = try #require(try almanac.json("note", "import", source, "--dry-run").objectValue)
            #expect(try user.client().order() == [])
            let outcome = try #require(try almanac.json("note", "import", source).objectValue)
            #expect(outcome["added"] == trial["added"] && outcome["remarks"] == trial["remarks"])
            #expect(outcome["synced"] == true)
            _ = try almanac.output("note", "export", "\(folder.path)/out", "--form", form)
            try expectSame(source, "\(folder.path)/out")

            // The times are the server's by now, and so is the order.
            for note in try #require(try almanac.json("note", "list").arrayValue).compactMap(\.objectValue) {
                let id = try #require(note["id"]?.stringValue)
                let there = try #require(try user.client().send("GET", "notes/\(id)").json().objectValue)
                for name in ["title", "body", "created_at", "updated_at"] { #expect(note[name] == there[name]) }
                #expect(there["created_at"]?.stringValue?.hasPrefix("20") == true)
            }

            let zip = "\(folder.path)/notes.zip"
            _ = try almanac.output("note", "export", zip)
            #expect(try Command.run("stat", ["-c", "%a", zip]).output == "600\n")
            let other = try machine(try NotesUser("other-mover-\(form)"), "second")
            #expect(try other.json("note", "import", zip).objectValue?["added"] == outcome["added"])
            _ = try other.output("note", "export", "\(folder.path)/other", "--form", form)
            try expectSame(source, "\(folder.path)/other")
        }

        @Test func `an import that was broken off is made again, and makes no second copies`() throws {
            let user = try NotesUser("mover-again")
            let almanac = try machine(user, "first")
            let source = "\(exports)/joplin"
            _ = try almanac.output("note", "import", source, "--offline")
            #expect(try user.client().order() == [])
            let again = try #require(try almanac.json("note", "import", source).objectValue)
            #expect(again["added"] == 0 && again["same"] == 10)
            let order = try user.client().order()
            #expect(order.count == 10)
            // Elsewhere, where nothing is known of it, too.
            let other = try machine(user, "second")
            #expect(try other.json("note", "import", source).objectValue?["same"] == 10)
            #expect(try user.client().order() == order)
            // What was changed here since stays.
            let first = try #require(order.first)
            _ = try other.output("note", "edit", first, "--text", "changed")
            let third = try #require(try other.json("note", "import", source).objectValue)
            #expect(third["added"] == 0 && third["same"] == 9)
            #expect(third["remarks"]?.arrayValue?.contains { $0.objectValue?["reason"] == "different" } == true)
            #expect(try user.client().body(first) == "changed")
        }

        @Test func `a place that is not free, and a form that is not known, are refused before anything is done`()
            throws
        {
            let almanac = try machine(try NotesUser("mover-places"), "first")
            let taken = try folder.write("taken", "x".utf8)
            #expect(try almanac.run("note", "export", taken).errors.contains("new or empty"))
            #expect(try almanac.run("note", "export", folder.path).errors.contains("new or empty"))
            #expect(try almanac.run("note", "export", "\(folder.path)/x.zip", "--form", "word").status == 2)
            #expect(try almanac.run("note", "export", "--form", "joplin").status == 2)
            #expect(try almanac.run("note", "import", "\(folder.path)/nowhere").status == 1)
        }
    }
}
