import AlmanacAttachments
import AlmanacCryptography
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests what a pass over the attachments removes.
@Suite(.database(.migrated)) struct CleaningTests {
    private static let (a, b) = (String(repeating: "a", count: 26), String(repeating: "b", count: 26))
    private static let day: Int64 = 86_400_000

    private let cleaning: CleaningInstance

    init() throws { cleaning = try CleaningInstance() }

    private func script(_ text: String) throws {
        try Connection(cleaning.notes.database.settings).execute(script: text)
    }

    private func usage() throws -> [Int64] {
        let row = try cleaning.notes.query("usage", "select attachments, attachment_bytes from accounts")[0]
        return [try row.bigint("attachments"), try row.bigint("attachment_bytes")]
    }

    @Test func `an attachment that nothing names is removed after 30 days, with a revision and its file`() throws {
        try cleaning.store(Array("cat".utf8), as: Self.a, of: "alice")
        try cleaning.store(Array("dog".utf8), as: Self.b, of: "alice")
        try cleaning.notes.create(("n1", "attachments/\(Self.b).png"))
        #expect(try cleaning.pass() == .init())
        cleaning.now += 30 * Self.day - 1
        #expect(try cleaning.pass() == .init())
        cleaning.now += 1
        let report = try cleaning.pass()
        #expect(report.attachments == 1 && report.blobs == 1 && report.orphans == 0)
        #expect(try usage() == [1, 3])
        let changes = try cleaning.notes.call("GET", "/attachments?since=3").expecting(200)
        #expect(changes[member: "removed"]?.arrayValue == [.string(Self.a)])
        #expect(changes[member: "revision"]?.numberValue?.int64 == 4)
        #expect(try cleaning.notes.call("GET", "/attachments/\(Self.a)").outcome == "410 attachment-removed")
        #expect(try cleaning.blobs().files == cleaning.blobs().rows && cleaning.blobs().rows.count == 1)
    }

    @Test func `an attachment that is named again begins its 30 days anew`() throws {
        try cleaning.store(Array("cat".utf8), as: Self.a, of: "alice")
        try cleaning.pass()
        cleaning.now += 29 * Self.day
        try cleaning.notes.create(("n1", "attachments/\(Self.a).png"))
        try cleaning.pass()
        try cleaning.notes.act(#"[["purgeNote", {"id": "n1"}]]"#)
        cleaning.now += 29 * Self.day
        #expect(try cleaning.pass().attachments == 0)
        cleaning.now += 30 * Self.day
        #expect(try cleaning.pass().attachments == 1)
    }

    @Test func `a text that an older release wrote keeps its attachments`() throws {
        try cleaning.store(Array("cat".utf8), as: Self.a, of: "alice")
        try cleaning.store(Array("dog".utf8), as: Self.b, of: "alice")
        try cleaning.notes.create(("n1", "attachments/\(Self.a).png"), ("n2", "attachments/\(Self.b).png"))
        try cleaning.notes.call("PUT", "/notes/n2", #"{"body": "dogs"}"#, as: "alice", ("If-Match", "*")).expecting(200)
        // An older release writes no rows.
        try script("delete from note_attachments")
        try cleaning.pass()
        cleaning.now += 31 * Self.day
        #expect(try cleaning.pass().attachments == 0)
        let rows = try cleaning.notes.query(
            "rows", "select note_id, until_revision is null as present from note_attachments order by 1")
        #expect(try rows.map { try $0.boolean("present") } == [true, false])
    }

    @Test func `an upload without a piece for a day is forgotten, and its bytes are given back`() throws {
        let user = NotesInstance.user("alice")
        let hash = try #require(BlobHash(bytes: SHA256.digest(Array("catdog".utf8))))
        for id in [Self.a, Self.b] {
            let declaration = AttachmentDeclaration(
                file: DeclaredBytes(count: 6, hash: hash), type: "", name: "a", width: nil, height: nil, preview: nil)
            _ = try cleaning.notes.service.declareAttachment(declaration, id: id, for: user)
            _ = try cleaning.notes.service.append(Array("cat".utf8), to: .file, of: id, at: 0, for: user)
        }
        try script("update attachments set created_at = created_at - interval '2 days'")
        #expect(try cleaning.pass() == .init())
        try script(
            "update upload_pieces set received_at = received_at - interval '25 hours' where attachment_id like 'a%'")
        #expect(try cleaning.pass().uploads == 1)
        #expect(try usage() == [1, 6])
        #expect(try cleaning.notes.query("pieces", "select attachment_id from upload_pieces").count == 1)
        // The id is free again.
        try cleaning.store(Array("cat".utf8), as: Self.a, of: "alice")
    }

    @Test func `files without a row go after a day, and drafts of ended processes`() throws {
        try cleaning.store(Array("cat".utf8), as: Self.a, of: "alice")
        try cleaning.notes.create(("n1", "attachments/\(Self.a).png"))
        let bytes = Array("orphan".utf8)
        let hash = try #require(BlobHash(bytes: SHA256.digest(bytes)))
        try cleaning.folder.write(hash, bytes: bytes.count) { try $0(bytes) }
        let folder = cleaning.folder.path(of: hash).split(separator: "/").dropLast().joined(separator: "/")
        try File.createPrivate("/\(folder)/draft-1", contents: [1])
        cleaning.now += Self.day - 60_000
        #expect(try cleaning.pass().orphans == 0)
        cleaning.now += 120_000
        #expect(try cleaning.pass().orphans == 2)
        #expect(try cleaning.blobs().files == cleaning.blobs().rows)
    }
}
