import AlmanacCryptography
import AlmanacHTTP
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Glibc
import Testing

@testable import AlmanacAttachments
@testable import AlmanacEnvironments
@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct AttachmentTests {
    private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("pixels".utf8)
    private typealias Name = AttachmentName

    @Test func `an attachment is declared, sent in pieces, read and removed`() throws {
        let instance = try NotesInstance()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let declared = try instance.declare(Name.one, bytes).expecting(201)
        #expect(declared[member: "offset"] == .some(0))
        var offset = 0
        while offset < bytes.count {
            let head = try instance.call("HEAD", "/attachments/\(Name.one)").expecting(200)
            #expect(head["Upload-Offset"] == "\(offset)" && head["Upload-Length"] == "3000000")
            #expect(head["Almanac-Attachment"] == "receiving")
            #expect(
                try instance.declare(Name.one, bytes).expecting(200)[member: "offset"]
                    == .some(.number(JSONNumber(offset))))
            #expect(try instance.call("GET", "/attachments/\(Name.one)").outcome == "404 attachment-not-here")
            let piece = Array(bytes[offset..<min(offset + 1 << 20, bytes.count)])
            offset += piece.count
            let sent = try instance.send(piece, to: Name.one, at: offset - piece.count).expecting(204)
            #expect(sent["Upload-Offset"] == "\(offset)")
        }
        let head = try instance.call("HEAD", "/attachments/\(Name.one)").expecting(200)
        #expect(head["Upload-Offset"] == "3000000" && head["Almanac-Attachment"] == "stored")
        let read = try instance.call("GET", "/attachments/\(Name.one)").expecting(200)
        let address = try #require(read["X-Accel-Redirect"])
        let path = address.replacing("/-/attachments", with: instance.attachments.path)
        #expect(try File.read(path) == bytes)
        #expect(read["Content-Type"] == "application/octet-stream")
        #expect(read["Content-Disposition"] == "attachment; filename*=UTF-8''beach.png")
        #expect(read["Cache-Control"] == "no-store")
        #expect(try instance.query("pieces", "select 1 from upload_pieces").isEmpty)

        #expect(try instance.call("DELETE", "/attachments/\(Name.one)").outcome == "204")
        for method in ["DELETE", "GET", "HEAD"] {
            #expect(try instance.call(method, "/attachments/\(Name.one)").status == 410)
        }
        #expect(try instance.declare(Name.one, bytes).outcome == "410 attachment-removed")
        #expect(try instance.send(png, to: Name.one, at: 0).outcome == "410 attachment-removed")
        #expect(try instance.call("DELETE", "/attachments/\(Name.two)").outcome == "404 attachment-not-here")
    }

    @Test func `storing, a later preview and removing take a revision each, without a change of the notes`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "![](attachments/\(Name.one).png)"))
        #expect(try instance.declare(Name.one, png, preview: png).status == 201)
        #expect(try instance.call("GET", "/notes")[member: "revision"] == .some(1))
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
        let stored = try instance.call("GET", "/attachments?since=1").expecting(200)
        #expect(stored[member: "revision"] == .some(2) && stored[member: "more"] == .some(false))
        let shown = try #require(stored[member: "attachments"]?.arrayValue?.first?.objectValue)
        #expect(shown.text("id") == Name.one && shown.text("name") == "beach.png" && shown["preview"] == .some(.null))
        #expect(shown.number("bytes") == 14 && shown.number("revision") == 2 && shown["width"] == .some(.null))

        _ = try instance.send(png, to: Name.one, at: 0, part: .preview).expecting(204)
        let later = try instance.call("GET", "/attachments?since=\(stored.cursor)").expecting(200)
        let preview = try #require(
            later[member: "attachments"]?.arrayValue?.first?.objectValue?["preview"]?.objectValue)
        #expect(preview.number("bytes") == 14 && later[member: "revision"] == .some(3))

        #expect(try instance.call("DELETE", "/attachments/\(Name.one)").status == 204)
        let removed = try instance.call("GET", "/attachments?since=\(later.cursor)").expecting(200)
        #expect(removed[member: "removed"] == .some([.string(Name.one)]) && removed[member: "attachments"] == .some([]))
        let notes = try instance.call("GET", "/notes?since=1").expecting(200)
        #expect(notes[member: "revision"] == .some(4))
        #expect(try notes.order.isEmpty)
        #expect(try instance.call("GET", "/attachments?since=9").outcome == "410 resync")
        #expect(try instance.call("GET", "/attachments?since=1.other").outcome == "410 resync")
    }

    @Test func `a preview before the file takes no revision`() throws {
        let instance = try NotesInstance()
        _ = try instance.declare(Name.one, png, preview: png).expecting(201)
        _ = try instance.send(png, to: Name.one, at: 0, part: .preview).expecting(204)
        #expect(try instance.call("GET", "/attachments?since=0")[member: "revision"] == .some(0))
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
        let page = try instance.call("GET", "/attachments").expecting(200)
        #expect(page[member: "revision"] == .some(1))
        #expect(page[member: "attachments"]?.arrayValue?.first?.objectValue?["preview"]?.objectValue != nil)
    }

    @Test func `bytes that a restore lacks are not listed, and are sent again without the preview`() throws {
        let instance = try NotesInstance()
        let preview = png + [1]
        _ = try instance.declare(Name.one, png, preview: preview).expecting(201)
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
        _ = try instance.send(preview, to: Name.one, at: 0, part: .preview).expecting(204)
        _ = try instance.query("lost", "delete from blobs")
        #expect(try instance.call("GET", "/attachments").expecting(200)[member: "attachments"] == .some([]))
        #expect(try instance.declare(Name.one, png).expecting(200)[member: "offset"] == .some(0))
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
        let page = try instance.call("GET", "/attachments").expecting(200)
        #expect(page[member: "attachments"]?.arrayValue?.first?.objectValue?["preview"] == .some(.null))
    }

    @Test func `the list comes in pages, each with the limit on a file`() throws {
        var limits = Limits()
        limits.attachmentBytes = 1 << 20
        let instance = try NotesInstance(limits: limits)
        let ids = [Name.one, Name.two, Name.three]
        for id in ids { try instance.attach(id, png) }
        var found: [String] = []
        var query = "since=0"
        while true {
            let page = try instance.call("GET", "/attachments?limit=1&\(query)").expecting(200)
            #expect(page[member: "limits"] == .some(["attachment_bytes": 1_048_576]))
            found += (page[member: "attachments"]?.arrayValue ?? []).compactMap { $0.objectValue?.text("id") }
            guard page[member: "more"] == .some(true) else { break }
            query = "next=\(try #require(page[member: "next"]?.stringValue))"
        }
        #expect(found == ids)
    }

    @Test(
        arguments: [
            (["bytes": 0], "422 attachment-empty"), (["bytes": 26_214_401], "413 attachment-too-large"),
            (["bytes": -1], "422 invalid-value"), (["bytes": "1"], "422 invalid-value"),
            (["sha256": "ab"], "422 invalid-value"),
            (["sha256": .string(String(repeating: "A", count: 64))], "422 invalid-value"),
            (["name": ""], "422 invalid-value"), (["name": "a/b"], "422 invalid-value"),
            (["name": #"a\b"#], "422 invalid-value"), (["name": "a\nb"], "422 invalid-value"),
            (["name": .string(String(repeating: "é", count: 128))], "422 invalid-value"),
            (["name": 3], "422 invalid-value"),
            (["type": .null], "422 invalid-value"), (["width": 0], "422 invalid-value"),
            (["height": 65_536], "422 invalid-value"), (["heigth": 3], "422 invalid-value"),
            (["preview": 3], "422 invalid-value"),
            (
                ["preview": ["bytes": 524_289, "sha256": .string(String(repeating: "a", count: 64))]],
                "413 attachment-too-large"
            ),
            (["preview": ["bytes": 0, "sha256": .string(String(repeating: "a", count: 64))]], "422 attachment-empty"),
            (["width": 50_000, "height": 50_000, "preview": .null, "name": "Ein Bild 🏖️ .png"], "201"),
        ] as [(JSONValue, String)])
    func `a declaration is checked`(members: JSONValue, outcome: String) throws {
        let instance = try NotesInstance()
        #expect(try instance.declare(Name.one, png, members).outcome == outcome)
    }

    @Test func `a piece that does not continue the upload is refused`() throws {
        let instance = try NotesInstance()
        let bytes = Array("0123456789".utf8)
        #expect(try instance.send(bytes, to: Name.one, at: 0).outcome == "404 attachment-not-here")
        _ = try instance.declare(Name.one, bytes).expecting(201)
        let wrong = try instance.send(bytes, to: Name.one, at: 3)
        #expect(wrong.outcome == "409 wrong-offset" && wrong["Upload-Offset"] == "0")
        #expect(try instance.send([], to: Name.one, at: 0).outcome == "422 invalid-value")
        #expect(try instance.send(bytes + [0], to: Name.one, at: 0).outcome == "422 attachment-too-long")
        #expect(try instance.send(Array(repeating: 0, count: 1 << 20 + 1), to: Name.one, at: 0).status == 413)
        #expect(try instance.send(bytes, to: Name.one, at: 0, part: .preview).outcome == "404 attachment-not-here")
        let path = "/attachments/\(Name.one)"
        for offset in ["", "x", "-1", "1.0"] {
            #expect(
                try instance.call("PATCH", path, bytes: bytes, [("Upload-Offset", offset)]).outcome
                    == "400 invalid-header")
        }
        let json = [("Content-Type", "application/json"), ("Upload-Offset", "0")]
        #expect(try instance.call("PATCH", path, bytes: bytes, json).outcome == "415 unsupported-media-type")
        #expect(try instance.call("PATCH", "/attachments/AB", bytes: bytes, []).outcome == "400 invalid-key")
        #expect(try instance.call("GET", path + "?part=other").outcome == "400 invalid-parameter")

        _ = try instance.send(Array(bytes[..<4]), to: Name.one, at: 0).expecting(204)
        #expect(try instance.send(Array(bytes[..<4]), to: Name.one, at: 0)["Upload-Offset"] == "4")
        _ = try instance.send(Array(bytes[4...]), to: Name.one, at: 4).expecting(204)
        let late = try instance.send(Array(bytes[4...]), to: Name.one, at: 4)
        #expect(late.outcome == "409 wrong-offset" && late["Upload-Offset"] == "10")
        #expect(try instance.declare(Name.one, png).outcome == "409 attachment-exists")
        #expect(try instance.declare(Name.one, bytes, preview: png).outcome == "409 attachment-exists")
    }

    @Test func `bytes with another hash are not stored, and the upload begins again`() throws {
        let instance = try NotesInstance()
        _ = try instance.declare(Name.one, png, preview: Array("<svg/>".utf8)).expecting(201)
        _ = try instance.send(Array(png.dropLast()), to: Name.one, at: 0).expecting(204)
        let refused = try instance.send([0], to: Name.one, at: png.count - 1)
        #expect(refused.outcome == "422 hash-mismatch" && refused["Upload-Offset"] == "0")
        #expect(try instance.call("HEAD", "/attachments/\(Name.one)")["Upload-Offset"] == "0")
        #expect(
            try instance.send(Array("<svg/>".utf8), to: Name.one, at: 0, part: .preview).outcome == "422 invalid-value")
        #expect(try instance.query("blobs", "select 1 from blobs").isEmpty)
        var files = 0
        try BlobFolder(environment: "development", root: instance.attachments.path).each { _ in files += 1 }
        #expect(files == 0)
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
    }

    @Test func `declared bytes stay within the quotas, and removing gives them back`() throws {
        var limits = Limits()
        (limits.attachments, limits.attachmentsBytes, limits.attachmentUploads) = (3, 50, 2)
        let instance = try NotesInstance(limits: limits)
        _ = try instance.declare(Name.one, png, preview: png).expecting(201)
        _ = try instance.declare(Name.two, png).expecting(201)
        let fifth = try instance.declare(Name.three, [1])
        #expect(fifth.outcome == "429 too-many-uploads" && fifth["Retry-After"] != nil)
        _ = try instance.send(png, to: Name.two, at: 0).expecting(204)
        #expect(try instance.declare(Name.three, png).outcome == "422 limit-exceeded")
        _ = try instance.declare(Name.three, [1]).expecting(201)
        _ = try instance.call("DELETE", "/attachments/\(Name.three)").expecting(204)
        _ = try instance.call("DELETE", "/attachments/\(Name.one)").expecting(204)
        let usage = try instance.query("usage", "select attachments, attachment_bytes from accounts").single("accounts")
        #expect(try usage.integer("attachments") == 1)
        #expect(try usage.integer("attachment_bytes") == 14)
    }

    @Test func `only types known by their first bytes are shown, and only as images`() throws {
        let instance = try NotesInstance()
        let page = [0xFF, 0xD8, 0xFF] + Array("<script>alert(1)</script>".utf8)
        try instance.attach(Name.one, page)
        for (destination, type) in [
            ("image", "image/jpeg"), ("empty", "image/jpeg"), ("document", "application/octet-stream"),
            ("script", "application/octet-stream"), ("iframe", "application/octet-stream"),
        ] {
            let answer = try instance.call("GET", "/attachments/\(Name.one)", nil, ("Sec-Fetch-Dest", destination))
            #expect(answer["Content-Type"] == type)
            #expect(answer["Content-Disposition"]?.hasPrefix(type == "image/jpeg" ? "inline" : "attachment") == true)
        }
        try instance.attach(Name.two, Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        let svg = try instance.call("GET", "/attachments/\(Name.two)", nil, ("Sec-Fetch-Dest", "image"))
        #expect(svg["Content-Type"] == "application/octet-stream")
    }

    @Test func `nobody else reads, changes or removes an attachment`() throws {
        let instance = try NotesInstance()
        try instance.attach(Name.one, png)
        try instance.create(("n1", "mine"), as: "bob")
        for method in ["GET", "HEAD", "DELETE"] {
            #expect(try instance.call(method, "/attachments/\(Name.one)", as: "bob").status == 404)
        }
        #expect(try instance.send(png, to: Name.one, at: 0, as: "bob").status == 404)
        #expect(try instance.call("GET", "/attachments", as: "bob")[member: "attachments"] == .some([]))
        // The same id and the same bytes are another attachment, whose bytes are sent in full.
        #expect(try instance.declare(Name.one, png, as: "bob").expecting(201)[member: "offset"] == .some(0))
        #expect(try instance.call("GET", "/attachments/\(Name.one)", as: "bob").status == 404)
        _ = try instance.send(png, to: Name.one, at: 0, as: "bob").expecting(204)
        _ = try instance.call("DELETE", "/attachments/\(Name.one)").expecting(204)
        #expect(try instance.call("GET", "/attachments/\(Name.one)", as: "bob").status == 200)
    }

    @Test func `a full or missing folder is reported, and nothing is recorded`() throws {
        let instance = try NotesInstance()
        _ = try instance.declare(Name.one, png).expecting(201)
        let folder = instance.attachments.path
        try #require(Command.run("/bin/mv", [folder, folder + "-away"]).succeeded)
        let away = try instance.send(png, to: Name.one, at: 0)
        #expect(away.outcome == "503 store-away" && away["Retry-After"] != nil && !away.body.contains(folder))
        try #require(Command.run("/bin/mv", [folder + "-away", folder]).succeeded)
        _ = try instance.send(png, to: Name.one, at: 0).expecting(204)
        try #require(Command.run("/bin/mv", [folder, folder + "-away"]).succeeded)
        #expect(try instance.call("GET", "/attachments/\(Name.one)").outcome == "503 store-away")
        try #require(Command.run("/bin/mv", [folder + "-away", folder]).succeeded)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a disk"))
    func `a full disk refuses bytes until it has room, and keeps nothing else from its work`() throws {
        let disk = try SmallDisk(bytes: 2 << 20)
        let instance = try NotesInstance(folder: disk.path)
        let filler = "\(disk.path)/filler"
        try instance.attach(Name.one, png)
        try File.createPrivate(filler, contents: [UInt8](repeating: 0, count: 1 << 20))
        let bytes = [UInt8](repeating: 1, count: 1_500_000)
        _ = try instance.declare(Name.two, bytes).expecting(201)
        _ = try instance.send(Array(bytes[..<(1 << 20)]), to: Name.two, at: 0).expecting(204)
        let last = Array(bytes[(1 << 20)...])
        for _ in 0..<2 {
            let full = try instance.send(last, to: Name.two, at: 1 << 20)
            #expect(full.outcome == "507 store-full" && full["Retry-After"] == "60")
            let head = try instance.call("HEAD", "/attachments/\(Name.two)")
            #expect(head["Upload-Offset"] == "1048576" && head["Almanac-Attachment"] == "receiving")
        }
        let store = BlobFolder(environment: "development", root: disk.path)
        var files: [StoredFile] = []
        try store.each { files.append($0) }
        #expect(files.map(\.bytes) == [png.count])
        let read = try instance.call("GET", "/attachments/\(Name.one)").expecting(200)
        #expect(read["X-Accel-Redirect"] == files.first?.hash.flatMap { store.internalAddress(of: $0) })
        try instance.create(("n1", "![](attachments/\(Name.two).png)"))
        #expect(try instance.body("n1") == "![](attachments/\(Name.two).png)")

        File.remove(filler)
        _ = try instance.send(last, to: Name.two, at: 1 << 20).expecting(204)
        let hash = try #require(BlobHash(bytes: SHA256.digest(bytes)))
        #expect(try store.read(hash, from: 0, count: 2_000_000) == bytes)
    }

    @Test func `an erased account leaves no piece, and an export lists hashes and names`() throws {
        let instance = try NotesInstance()
        try instance.attach(Name.one, png)
        _ = try instance.declare(Name.two, png).expecting(201)
        _ = try instance.send([0x89], to: Name.two, at: 0).expecting(204)
        let export = try instance.call("GET", "/account").expecting(200)
        let listed = (export[member: "attachments"]?.arrayValue ?? []).compactMap(\.objectValue)
        #expect(listed.map { $0.text("name") } == ["beach.png"])
        #expect(listed.first?.text("sha256") == Hex.encode(SHA256.digest(png)))
        _ = try instance.call("DELETE", "/account").expecting(204)
        let left = try instance.query(
            "left", "select 1 from attachments union all select 1 from upload_pieces")
        #expect(left.isEmpty)
    }
}
