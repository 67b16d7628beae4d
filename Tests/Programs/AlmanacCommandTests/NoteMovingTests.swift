import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacCommand
@testable import AlmanacZip

/// Reading and writing exports of notes; the page's tests read the same vectors.
@Suite struct NoteMovingTests {
    private static let folder = Checkout.path("Tests/Programs/AlmanacCommandTests/moving")

    private static func vectors(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: try File.read("\(folder)/\(name)"))
    }

    /// Compares texts by their bytes, which is what JSON's values do.
    private func expectEqual(_ found: JSONValue, _ expected: JSONValue?, _ what: String) {
        #expect(found == expected, "\(what)\nfound    \(found)\nexpected \(expected?.description ?? "nothing")")
    }

    private static func json(_ note: MovedNote) -> JSONValue {
        [
            "id": .string(note.id), "title": .string(note.title), "body": .string(note.body),
            "tags": .array(note.tags.map { .string($0) }), "pinned": .boolean(note.isPinned),
            "trashed": .boolean(note.isInTrash), "createdAt": json(note.createdAt), "updatedAt": json(note.updatedAt),
        ]
    }

    private static func json(_ time: Int64?) -> JSONValue { time.map { .number(JSONNumber($0)) } ?? .null }

    private static func json(_ found: FoundNotes) -> (notes: JSONValue, remarks: JSONValue) {
        let notes = found.notes.map { ["note": json($0.note), "source": .string($0.source)] as JSONValue }
        let remarks = found.remarks.map { remark in
            [
                "source": .string(remark.source), "what": .string(remark.reason.rawValue),
                "detail": .string(remark.detail),
            ] as JSONValue
        }
        return (.array(notes), .array(remarks))
    }

    private static func json(_ files: [MovedFile]) throws -> JSONValue {
        .array(
            try files.map { file in
                let text = try #require(String(validating: file.bytes, as: UTF8.self))
                return ["path": .string(file.path), "text": .string(text)]
            })
    }

    private static let writers: [(name: String, files: @Sendable ([MovedNote]) -> [MovedFile])] = [
        ("markdown", { MarkdownNotes.files($0) }), ("simplenote", { SimplenoteNotes.files($0) }),
        ("joplin", { MarkdownNotes.joplinFiles($0) }),
    ]

    /// The files of a folder, by their paths.
    private static func tree(_ root: String, _ base: String = "") throws -> [String: [UInt8]] {
        try File.names(inFolder: root + base).reduce(into: [:]) { files, name in
            let path = "\(base)/\(name)"
            if try File.kind(root + path) == .folder {
                files.merge(try tree(root, path)) { $1 }
            } else {
                files[String(path.dropFirst())] = try File.read(root + path)
            }
        }
    }

    @Test(arguments: ["simplenote", "joplin"])
    func `an export comes in, and goes out again unchanged`(form: String) throws {
        let expected = try #require(try Self.vectors("expected.json").objectValue?[form]?.objectValue)
        let found = try ImportSource.read("\(Self.folder)/\(form)")
        let (notes, remarks) = Self.json(found)
        expectEqual(notes, expected["notes"], form)
        expectEqual(remarks, expected["remarks"], form)
        for writer in Self.writers {
            expectEqual(
                try Self.json(writer.files(found.notes.map(\.note))), expected[writer.name], "\(form) as \(writer.name)"
            )
        }
        let writer = try #require(Self.writers.first { $0.name == form })
        let written = Dictionary(
            uniqueKeysWithValues: writer.files(found.notes.map(\.note)).map { (Array($0.path.utf8), $0.bytes) })
        let before = try Self.tree("\(Self.folder)/\(form)").filter { !$0.key.hasPrefix("_resources/") }
        #expect(written == Dictionary(uniqueKeysWithValues: before.map { (Array($0.key.utf8), $0.value) }))
    }

    @Test(arguments: ["simplenote", "joplin"])
    func `an export is the same after it went through a zip of Markdown to another account`(form: String) throws {
        let notes = try ImportSource.read("\(Self.folder)/\(form)").notes.map(\.note)
        let place = try TemporaryFolder()
        let zip = try ZipWriter.archive(
            of: MarkdownNotes.files(notes).map { ($0.path, $0.bytes) }, seconds: 1_767_258_000)
        let again = try ImportSource.read(try place.write("notes.zip", zip))
        #expect(again.remarks.isEmpty)
        func inOrder(_ notes: [MovedNote]) -> JSONValue { .array(notes.sorted { $0.id < $1.id }.map(Self.json)) }
        expectEqual(inOrder(again.notes.map(\.note)), inOrder(notes), form)
        let plan = ImportPlan(again, known: notes)
        #expect(plan.added.isEmpty && plan.remarks.isEmpty && plan.same == notes.count)
    }

    @Test func `other folders come in as the vectors say`() throws {
        for vector in try #require(try Self.vectors("trees.json").arrayValue).compactMap(\.objectValue) {
            let name = try #require(vector["name"]?.stringValue)
            let files = try #require(vector["files"]?.objectValue).members.map { member in
                MovedFile(member.name, Array(try #require(member.value.stringValue).utf8))
            }
            let found = try ImportSource.notes(in: files, name)
            let (notes, remarks) = Self.json(found)
            expectEqual(notes, vector["notes"], name)
            expectEqual(remarks, vector["remarks"], name)
            expectEqual(
                try Self.json(MarkdownNotes.joplinFiles(found.notes.map(\.note))), vector["joplin"], name)
        }
    }

    @Test func `front matter, its texts and its times are read and written as the vectors say`() throws {
        for vector in try #require(try Self.vectors("front-matter.json").arrayValue).compactMap(\.objectValue) {
            let text = try #require(vector["text"]?.stringValue)
            let found = FrontMatter(text).map { front in
                [
                    "fields": .array(
                        front.fields.map { field in
                            [
                                "name": .string(field.name), "lines": .array(field.lines.map { .string($0) }),
                                "value": field.value.map(Self.json) ?? .null,
                            ]
                        }), "rest": .string(front.rest),
                ] as JSONValue
            }
            expectEqual(found ?? .null, vector["found"], text)
        }
        for vector in try #require(try Self.vectors("scalars.json").arrayValue).compactMap(\.objectValue) {
            let text = try #require(vector["text"]?.stringValue)
            let found: JSONValue = [
                "text": .string(text), "ours": .string(FrontMatter.scalar(text)),
                "inField": .string(JoplinScalar.text(text, indent: 2)),
                "inList": .string(JoplinScalar.text(text, indent: 4)), "fileName": .string(FileNames.name(of: text)),
            ]
            expectEqual(found, .object(vector), text)
        }
        for vector in try #require(try Self.vectors("times.json").arrayValue).compactMap(\.objectValue) {
            let text = try #require(vector["text"]?.stringValue)
            expectEqual(Self.json(MarkdownNotes.time(text)), vector["time"], text)
        }
    }

    private static func json(_ value: FrontMatter.Value) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .list(let texts): .array(texts.map { .string($0) })
        }
    }

    @Test func `archives are read or refused as the vectors say`() throws {
        let place = try TemporaryFolder()
        for vector in try #require(try Self.vectors("archives.json").arrayValue).compactMap(\.objectValue) {
            let name = try #require(vector["name"]?.stringValue)
            let path = try place.write("archive.zip", try Self.bytes(vector))
            expectEqual(Self.outcome(path), vector["command"], name)
        }
    }

    @Test func `no more of an archive is read than the limits allow`() throws {
        let place = try TemporaryFolder()
        let files = (0..<4).map { ("\($0).md", [UInt8](repeating: 97, count: 1000)) }
        let path = try place.write("archive.zip", try ZipWriter.archive(of: files, seconds: 1_767_258_000))
        var limits = ZipReader.Limits()
        (limits.files, limits.file, limits.all) = (4, 1000, 3999)
        let archive = try ZipReader(path: path, limits: limits)
        for place in 0..<3 { #expect(try archive.contents(at: place) == files[place].1) }
        #expect(throws: ZipFailure.tooLarge(file: nil)) { try archive.contents(at: 3) }
        limits.file = 999
        #expect(throws: ZipFailure.tooLarge(file: "0.md")) {
            try ZipReader(path: path, limits: limits).contents(at: 0)
        }
        limits.files = 3
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
        func note(_ id: String, _ change: (inout MovedNote) -> Void = { _ in }) -> MovedNote {
            var note = MovedNote(id: id, title: id)
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

    @Test func `a note of another program has its file's time where its text says none`() throws {
        let place = try TemporaryFolder()
        let (file, made, late): (Int64, Int64, Int64) = (1_714_566_610_000, 1_709_251_200_000, 1_748_736_000_000)
        let files = [
            ("late.md", "---\ncreated: 2025-06-01T00:00:00Z\n---\n\nmilk"),
            ("made.md", "---\ncreated: 2024-03-01T00:00:00Z\n---\n\nmilk"),
            ("ours.md", "---\ntitle: ours\nid: n1\n---\n\nmilk"), ("plain.md", "milk"),
        ].map { ($0, Array($1.utf8)) }
        let zip = try ZipWriter.archive(of: files, seconds: file / 1000)
        let notes = try ImportSource.read(try place.write("notes.zip", zip)).notes.map(\.note)
        #expect(notes.map(\.title) == ["late", "made", "ours", "plain"])
        #expect(notes.map(\.createdAt) == [late, made, nil, file])
        #expect(notes.map(\.updatedAt) == [late, file, nil, file])
    }

    @Test func `a second vault's file of the same name comes in as another note, once`() throws {
        var known: [MovedNote] = []
        func plan(_ body: String) throws -> ImportPlan {
            ImportPlan(try ImportSource.notes(in: [MovedFile("Ideas.md", Array(body.utf8))], "vault"), known: known)
        }
        known += try plan("of the first vault").added
        let second = try plan("of the second vault")
        #expect(second.remarks.map(\.reason) == [.another])
        known += second.added
        #expect(known.map(\.body) == ["of the first vault", "of the second vault"])
        #expect(Set(known.map(\.id)).count == 2)
        for body in ["of the first vault", "of the second vault"] {
            let again = try plan(body)
            #expect(again.added.isEmpty && again.same == 1 && again.remarks.isEmpty)
        }
        // A note that is in the trash, or has other tags, is the same note.
        known[0].isInTrash = true
        #expect(try plan("of the first vault").remarks.map(\.reason) == [.different])
    }

    @Test func `tags come in composed, and as the account spells them`() {
        var found = FoundNotes()
        found.notes = [
            ("a", ["Work", "WORK", "HOME", "Home"]), ("b", ["cafe\u{301}", "caf\u{e9}"]),
            ("c", ["na\u{ef}ve", "New"]),
        ].map { (MovedNote(id: $0, title: $0, tags: $1), $0) }
        let known = MovedNote(id: "x", tags: ["work", "Home", "home", "nai\u{308}ve"])
        let tags = ImportPlan(found, known: [known]).added.map(\.tags)
        let expected = [["Home", "home", "work"], ["caf\u{e9}"], ["New", "nai\u{308}ve"]]
        #expect(tags.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
    }

    @Test func `files of an export have names that are different on every system`() throws {
        let titles = [
            "Caf\u{e9}", "Cafe\u{301}", "CAF\u{c9}", "nul", "NUL", "Stra\u{df}e", "STRASSE", "σοφός", "ΣΟΦΌΣ",
        ]
        let notes = titles.enumerated().map { MovedNote(id: "n\($0)", title: $1) }
        for writer in Self.writers {
            // Texts are equal in Swift whichever way their accents are written.
            let paths = writer.files(notes).map { $0.path.uppercased() }
            #expect(Set(paths).count == paths.count, "\(writer.name): \(paths)")
        }
    }

    @Test func `an archive is refused where no file of it can be read`() throws {
        let place = try TemporaryFolder()
        let reasons = ["encrypted": "password", "another checksum": "damaged", "no file at all": "expected Markdown"]
        var refused = 0
        for vector in try #require(try Self.vectors("archives.json").arrayValue).compactMap(\.objectValue) {
            guard let name = vector["name"]?.stringValue, let reason = reasons[name] else { continue }
            let path = try place.write("archive.zip", try Self.bytes(vector))
            #expect { try ImportSource.read(path) } throws: { "\($0)".contains(reason) }
            refused += 1
        }
        #expect(refused == reasons.count)
    }

    @Test func `files that are no export are refused, with what was expected`() throws {
        let place = try TemporaryFolder()
        func refusal(_ name: String, _ text: String) throws -> String {
            let path = try place.write(name, text.utf8)
            do {
                _ = try ImportSource.read(path)
            } catch let failure as AlmanacCommand.CommandFailure {
                return failure.description
            }
            return ""
        }
        #expect(try refusal("a.json", "[1]").contains("activeNotes"))
        #expect(try refusal("a.json", "{\"activeNotes\": {}}").contains("activeNotes"))
        #expect(try refusal("a.json", "{").contains("a.json"))
        #expect(try refusal("a.json", #"{"activeNotes": [{"content": "a\u0000b"}]}"#).contains("U+0000"))
        #expect(try refusal("a.zip", "PK").contains("zip archive"))
        #expect(try refusal("a", "PK\u{3}\u{4}").contains(".zip"))
        #expect(try refusal("a.md.zip", "no archive").contains("zip archive"))
        let link = try TemporaryFolder()
        _ = try link.write("a.md", "x".utf8)
        _ = try Command.run("ln", ["-s", "/etc/passwd", "\(link.path)/b.md"])
        let found = try ImportSource.read(link.path)
        #expect(found.notes.map(\.source) == ["a.md"])
        #expect(found.remarks.map(\.reason) == [.notANote])
    }
}
