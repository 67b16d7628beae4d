import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacCommand
@testable import AlmanacZip

/// Tests exporting and importing notes. The page's tests run the same cases.
@Suite struct NoteExchangeTests {
    private static let folder = Checkout.path("Tests/Web/moving")

    private static func vectors(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: try File.read("\(folder)/\(name)"))
    }

    /// Compares JSON values, whose texts are equal only if their bytes are.
    private func expectEqual(_ found: JSONValue, _ expected: JSONValue?, _ what: String) {
        #expect(found == expected, "\(what)\nfound    \(found)\nexpected \(expected?.description ?? "nothing")")
    }

    private static func json(_ note: ExchangedNote) -> JSONValue {
        [
            "id": .string(note.id), "title": .string(note.title), "body": .string(note.body),
            "tags": .array(note.tags.map { .string($0) }), "pinned": .boolean(note.isPinned),
            "trashed": .boolean(note.isInTrash), "createdAt": json(note.createdAt), "updatedAt": json(note.updatedAt),
        ]
    }

    private static func json(_ time: Int64?) -> JSONValue { time.map { .number(JSONNumber($0)) } ?? .null }

    private static func json(_ files: [ExchangedFile]) throws -> JSONValue {
        .array(
            try files.map { file in
                let text = try #require(String(validating: file.bytes, as: UTF8.self))
                return ["path": .string(file.path), "text": .string(text)]
            })
    }

    /// Parses a note of a case file.
    private static func note(_ value: JSONValue) throws -> ExchangedNote {
        let fields = try #require(value.objectValue)
        return ExchangedNote(
            id: try #require(fields["id"]?.stringValue), title: try #require(fields["title"]?.stringValue),
            body: try #require(fields["body"]?.stringValue),
            tags: try #require(fields["tags"]?.arrayValue).compactMap(\.stringValue),
            isPinned: fields["pinned"] == true, isInTrash: fields["trashed"] == true,
            createdAt: fields["createdAt"]?.numberValue?.int64, updatedAt: fields["updatedAt"]?.numberValue?.int64)
    }

    @Test(arguments: ["simplenote", "joplin"])
    func `notes go out as the cases say, and come in again as they were`(program: String) throws {
        let expected = try #require(try Self.vectors("expected.json").objectValue?[program]?.objectValue)
        let values = try #require(expected["notes"]?.arrayValue).compactMap { $0.objectValue?["note"] }
        let notes = try values.map(Self.note)
        let files = MarkdownNotes.files(notes)
        expectEqual(try Self.json(files), expected["markdown"], program)

        let folder = try TemporaryFolder()
        let zip = try ZipWriter.archive(of: files.map { ($0.path, $0.bytes) }, seconds: 1_767_258_000)
        let found = try ImportSource.read(try folder.write("notes.zip", zip))
        #expect(found.remarks.isEmpty)
        expectEqual(.array(found.notes.map { Self.json($0.note) }), .array(values), program)
        let plan = ImportPlan(found, known: notes)
        #expect(plan.added.isEmpty && plan.remarks.isEmpty && plan.same == notes.count)
    }

    @Test func `texts are written as the cases say, and read again as they were`() throws {
        for vector in try #require(try Self.vectors("scalars.json").arrayValue).compactMap(\.objectValue) {
            let text = try #require(vector["text"]?.stringValue)
            expectEqual(.string(FrontMatter.scalar(text)), vector["ours"], text)
            expectEqual(.string(FileNames.name(of: text)), vector["fileName"], text)
            let note = ExchangedNote(id: "n1", title: text, body: text, tags: [text])
            let again = try #require(try FrontMatter.note(FrontMatter.file(of: note)))
            #expect(again.isSame(as: note), "\(text)")
        }
    }

    @Test func `a file that is no exported note is left out and named, and the others come in`() throws {
        let folder = try TemporaryFolder()
        let good = FrontMatter.file(of: ExchangedNote(id: "n1", title: "Groceries", body: "milk"))
        let files = [
            ("Diary.md", "# Monday\n"), ("Joplin.md", "---\ntitle: Soup\n---\n\nleek"), ("Groceries.MD", good),
            ("From Windows.md", "\u{FEFF}" + good.replacing("\n", with: "\r\n").replacing("n1", with: "n2")),
            ("Author.md", "---\nid: n3\nauthor: Me\n---\n\n"), ("Quote.md", "---\nid: n4\ntitle: \"a\n---\n\n"),
            ("Time.md", "---\nid: n5\ncreated: yesterday\n---\n\n"), ("pot.png", "PNG"),
            ("Id.md", "---\nid: not an id\n---\n\n"), ("Pinned.md", "---\nid: n6\npinned: maybe\n---\n\n"),
        ]
        var archive = files.map { ($0, Array($1.utf8)) }
        archive.append(("Latin.md", [0x66, 0xFC, 0x72]))
        let zip = try ZipWriter.archive(of: archive, seconds: 1_767_258_000)
        let found = try ImportSource.read(try folder.write("notes.zip", zip))
        #expect(found.notes.map(\.note.id) == ["n1", "n2"])
        #expect(found.notes.allSatisfy { $0.note.title == "Groceries" && $0.note.body == "milk" })
        #expect(
            found.remarks.map { "\($0.source) \($0.reason.rawValue) \($0.detail)" } == [
                "Diary.md not-a-note ", "Joplin.md not-a-note ", "Author.md front-matter author: Me",
                "Quote.md front-matter title: \"a", "Time.md front-matter created: yesterday", "pot.png not-a-note ",
                "Id.md not-a-note ", "Pinned.md front-matter pinned: maybe", "Latin.md not-text ",
            ])
    }

    @Test func `a text's references are those of its attachments, with the text of their links`() {
        let (a, b) = (String(repeating: "a", count: 26), String(repeating: "b", count: 26))
        let text =
            "![photo \\[1\\].png](attachments/\(a).png) [my paper](./attachments/\(b).pdf) attachments/\(a)x "
            + "attachments/\(a).png `attachments/\(b)`"
        let found = AttachedFiles.references(in: text)
        #expect(found.map(\.path) == ["attachments/\(a).png", "attachments/\(b).pdf", "attachments/\(b)"])
        #expect(found.map(\.name) == ["photo [1].png", "\(b).pdf", b])
        #expect(AttachedFiles.id(of: "x/attachments/\(a).png") == a)
        #expect(AttachedFiles.id(of: "\(a).png") == nil && AttachedFiles.id(of: "attachments/\(a)a.png") == nil)
    }

    @Test func `files that no note of an export names are left out and named`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (String(repeating: "a", count: 26), String(repeating: "b", count: 26))
        let note = FrontMatter.file(of: ExchangedNote(id: "n1", title: "Trip", body: "![p.png](attachments/\(a).png)"))
        let picture = try folder.write("picture", Array("PNG".utf8))
        let zip = try folder.write("notes.zip", [UInt8]())
        try ZipWriter.write(
            [
                ("Trip.md", .bytes(Array(note.utf8))), ("attachments/\(a).png", .file(picture)),
                ("attachments/\(b).png", .file(picture)),
            ], seconds: 1_767_258_000, to: zip)
        let found = try ImportSource.read(zip)
        #expect(found.files.map(\.source) == ["attachments/\(a).png"])
        #expect(found.remarks.map(\.source) == ["attachments/\(b).png"])
        var read: [String] = []
        let remarks = try ImportSource.readFiles(of: found, in: zip) { reference, _, path in
            read.append("\(reference.id) \(String(decoding: try File.read(path), as: UTF8.self))")
        }
        #expect(read == ["\(a) PNG"] && remarks.isEmpty)
    }

    /// A vector has a `command` if the command reads the archive otherwise than the page.
    @Test func `archives are read or refused as the vectors say`() throws {
        let folder = try TemporaryFolder()
        for vector in try #require(try Self.vectors("archives.json").arrayValue).compactMap(\.objectValue) {
            let name = try #require(vector["name"]?.stringValue)
            let path = try folder.write("archive.zip", try Self.bytes(vector))
            expectEqual(Self.outcome(path), vector["command"] ?? vector["page"], name)
        }
    }

    @Test func `no more of an archive is read than the limits allow`() throws {
        let folder = try TemporaryFolder()
        let files = (0..<4).map { ("\($0).md", [UInt8](repeating: 97, count: 1000)) }
        let path = try folder.write("archive.zip", try ZipWriter.archive(of: files, seconds: 1_767_258_000))
        var limits = ZipReader.Limits()
        (limits.maxFiles, limits.maxFileBytes, limits.maxTotalBytes) = (4, 1000, 3999)
        let archive = try ZipReader(path: path, limits: limits)
        for index in 0..<3 { #expect(try archive.contents(at: index) == files[index].1) }
        #expect(throws: ZipFailure.tooLarge(file: nil)) { try archive.contents(at: 3) }
        limits.maxFileBytes = 999
        #expect(throws: ZipFailure.tooLarge(file: "0.md")) {
            try ZipReader(path: path, limits: limits).contents(at: 0)
        }
        limits.maxFiles = 3
        #expect(throws: ZipFailure.tooLarge(file: nil)) { try ZipReader(path: path, limits: limits) }
    }

    private static func bytes(_ vector: JSONObject) throws -> [UInt8] {
        let digits = Array(try #require(vector["bytes"]?.stringValue))
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    private static func outcome(_ path: String) -> JSONValue {
        do throws(ZipFailure) {
            let (files, odd) = try ImportSource.archive(path)
            let texts = files.map { file in
                let isRead = file.path.hasSuffix(".md")
                let text: JSONValue = isRead ? .string(String(decoding: file.bytes, as: UTF8.self)) : .null
                return [.string(file.path), text] as JSONValue
            }
            let remarks = odd.map { [.string($0.source), .string($0.reason.rawValue)] as JSONValue }
            return ["files": .array(texts), "remarks": .array(remarks)]
        } catch {
            let word =
                switch error {
                case .damaged: "zip-damaged"
                case .tooLarge: "zip-large"
                case .encrypted: "zip-encrypted"
                case .unknownMethod: "zip-method"
                case .system(let text): text
                }
            return ["failure": .string(word)]
        }
    }

    @Test func `what an account cannot take is named and left out, and what is there stays`() throws {
        func note(_ id: String, _ change: (inout ExchangedNote) -> Void = { _ in }) -> ExchangedNote {
            var note = ExchangedNote(id: id, title: id)
            change(&note)
            return note
        }
        var found = FoundNotes()
        found.notes = [
            note("fits") {
                $0.title = String(repeating: "ä", count: 512)
                $0.body = String(repeating: "ä", count: 1 << 19)
                $0.tags = [String(repeating: "😀", count: 64)]
            },
            note("long-title") { $0.title = String(repeating: "ä", count: 512) + "a" },
            note("long-body") { $0.body = String(repeating: "ä", count: 1 << 19) + "a" },
            note("nul") { $0.body = "a\0b" },
            note("empty") { ($0.title, $0.isInTrash) = ("", true) },
            note("tags") { $0.tags = ["", "a", "b\u{85}", String(repeating: "😀", count: 65)] },
            note("many-tags") { $0.tags = (10..<44).map { "t\($0)" } },
            note("there") { $0.title = "other" }, note("same"), note("fits"), note("last"), note("too-many"),
        ].map { ($0, $0.id) }
        let known = (0..<9994).map { note("x\($0)") } + [note("there"), note("same")]
        let plan = ImportPlan(found, known: known)
        #expect(plan.added.map { "\($0.id) \($0.tags.count)" } == ["fits 1", "tags 1", "many-tags 32", "last 0"])
        #expect(plan.same == 1)
        #expect(
            plan.remarks.map { "\($0.source) \($0.reason.rawValue)" } == [
                "long-title title-too-long", "long-body body-too-long", "nul unfit-text", "empty empty", "tags tag",
                "tags tag",
                "tags tag", "many-tags too-many-tags", "many-tags too-many-tags", "there different", "fits different",
                "too-many too-many-notes",
            ])
    }

    @Test func `files of an export have names that are different on every system`() throws {
        let titles = [
            "Caf\u{e9}", "Cafe\u{301}", "CAF\u{c9}", "nul", "NUL", "Stra\u{df}e", "STRASSE", "σοφός", "ΣΟΦΌΣ",
        ]
        let notes = titles.enumerated().map { ExchangedNote(id: "n\($0)", title: $1) }
        // Swift treats texts as equal if only the encoding of accents differs.
        let paths = MarkdownNotes.files(notes).map { $0.path.uppercased() }
        #expect(Set(paths).count == paths.count, "\(paths)")
    }

    @Test func `an archive is refused where no file of it can be read`() throws {
        let folder = try TemporaryFolder()
        let reasons = ["encrypted": "password", "another checksum": "damaged", "no file at all": "no notes found"]
        var refused = 0
        for vector in try #require(try Self.vectors("archives.json").arrayValue).compactMap(\.objectValue) {
            guard let name = vector["name"]?.stringValue, let reason = reasons[name] else { continue }
            let path = try folder.write("archive.zip", try Self.bytes(vector))
            #expect { try ImportSource.read(path) } throws: { "\($0)".contains(reason) }
            refused += 1
        }
        #expect(refused == reasons.count)
    }

    @Test func `files that are no export are refused, with what was expected`() throws {
        let folder = try TemporaryFolder()
        func refusal(_ name: String, _ text: String) throws -> String {
            let path = try folder.write(name, text.utf8)
            do {
                _ = try ImportSource.read(path)
            } catch let failure as AlmanacCommand.CommandFailure {
                return failure.description
            }
            return ""
        }
        #expect(try refusal("notes.json", "{}").contains("expected a folder, or a name that ends with .zip or .md"))
        #expect(try refusal("a.md", "milk").contains("expected Markdown with front matter and an id"))
        #expect(try refusal("a.zip", "PK").contains("zip archive"))
        #expect(try refusal("a.md.zip", "no archive").contains("zip archive"))
        let link = try TemporaryFolder()
        _ = try link.write("a.md", "---\nid: n1\n---\n\nx".utf8)
        _ = try Command.run("ln", ["-s", "/etc/passwd", "\(link.path)/b.md"])
        let found = try ImportSource.read(link.path)
        #expect(found.notes.map(\.source) == ["a.md"])
        #expect(found.remarks.map(\.reason) == [.notANote])
    }
}
