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

        @Test func `files go out beside their notes, and come in again in another account`() throws {
            let user = try NotesUser("mover-files")
            let almanac = try machine(user, "first")
            let (picture, paper) = (Self.picture(3_000_000), Array("%PDF-1.7 paper".utf8))
            let id = try almanac.output("note", "create", "Trip", "Day 1").filter { !$0.isWhitespace }
            let sources = [try folder.write("photo [1].png", picture), try folder.write("paper.pdf", paper)]
            let attached = try #require(
                try almanac.json("note", "attach", id, sources[0], sources[1]).arrayValue
            ).compactMap(\.objectValue)
            #expect(attached.map { $0["status"] } == ["stored", "stored"])
            let paths = attached.compactMap { $0["path"]?.stringValue }
            #expect(
                try user.client().body(id)
                    == "Day 1\n\n![photo \\[1\\].png](\(paths[0]))\n\n[paper.pdf](\(paths[1]))\n")
            // Another machine fetches what it saves.
            let second = try machine(user, "second")
            _ = try second.output("note", "attachments", id, "--save", "\(folder.path)/saved")
            #expect(try File.read("\(folder.path)/saved/photo [1].png") == picture)
            #expect(try File.read("\(folder.path)/saved/paper.pdf") == paper)
            for place in ["out", "out.zip"] {
                let exported = try #require(try second.json("note", "export", "\(folder.path)/\(place)").objectValue)
                #expect(exported["notes"] == 1 && exported["files"] == 3)
                let other = try machine(try NotesUser("mover-files-\(place)"), place + "-machine")
                let imported = try #require(try other.json("note", "import", "\(folder.path)/\(place)").objectValue)
                #expect(imported["added"] == 1 && imported["files"] == 2 && imported["remarks"] == [])
                let again = try #require(try other.json("note", "import", "\(folder.path)/\(place)").objectValue)
                #expect(again["added"] == 0 && again["files"] == 0 && again["same"] == 1)
                let names = try #require(try other.json("note", "attachments").arrayValue).compactMap { file in
                    file.objectValue.flatMap { "\($0["name"]!) \($0["status"]!)" }
                }
                #expect(Set(names) == [#""photo [1].png" "stored""#, #""paper.pdf" "stored""#])
                _ = try other.output("note", "export", "\(folder.path)/\(place)-again")
                #expect(
                    try Command.run("diff", ["-r", "\(folder.path)/out", "\(folder.path)/\(place)-again"]).output == "")
            }
            #expect(try Command.run("stat", ["-c", "%a", "\(folder.path)/out.zip"]).output == "600\n")
            let first = try #require(attached[0]["id"]?.stringValue)
            _ = try almanac.output("note", "attachments", "--remove", first, "--yes")
            let third = try machine(user, "third")
            let left = try third.run("note", "export", "\(folder.path)/left")
            #expect(left.status == 1 && left.errors.contains("\(paths[0]): not exported"))
        }

        @Test func `a damaged picture is attached with its metadata alone, and imported with a remark`() throws {
            let almanac = try machine(try NotesUser("mover-damaged"), "first")
            let id = try almanac.output("note", "create", "Trip").filter { !$0.isWhitespace }
            let damaged = try folder.write("photo.jpg", [0xFF, 0xD8, 0xFF])
            let refused = try almanac.run("note", "attach", id, damaged)
            #expect(refused.status == 1 && refused.errors.contains("--keep-metadata"))
            let kept = try almanac.json("note", "attach", id, damaged, "--keep-metadata").arrayValue
            #expect(kept?.first?.objectValue?["status"] == "stored" && kept?.count == 1)
            _ = try almanac.output("note", "export", "\(folder.path)/damaged")
            let other = try machine(try NotesUser("mover-damaged-again"), "second")
            let imported = try other.json("note", "import", "\(folder.path)/damaged").objectValue
            #expect(imported?["files"] == 1)
            #expect(imported?["remarks"]?.arrayValue?.first?.objectValue?["reason"] == "file-as-is")
        }

        /// Returns the bytes of a PNG file with image data of this length.
        private static func picture(_ count: Int) -> [UInt8] {
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8
                + [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0, 0, 0, 0]
                + [24, 16, 8, 0].map { UInt8(count >> $0 & 0xFF) } + "IDAT".utf8
                + (0..<count + 4).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
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
