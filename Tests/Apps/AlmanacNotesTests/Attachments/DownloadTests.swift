import AlmanacSQLite
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

/// Tests of fetching files from a scripted server, and of its list.
@Suite struct DownloadTests {
    private static let size = 2_500_000
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Returns a server with a picture that a phone has sent.
    private func stored(
        _ server: AttachmentServer = AttachmentServer(), _ size: Int = size
    ) async throws -> (id: String, bytes: [UInt8], phone: NotesStore) {
        let phone = try folder.open("phone.db", server.transport().server)
        let (url, bytes) = try folder.picture("photo.png", size)
        let photo = try await phone.attach(url)
        try await phone.create(body: photo.markdown)
        try await phone.sync()
        return (photo.id, bytes, phone)
    }

    @Test func `a file is fetched in ranges, on disk under its own name, and fetched once`() async throws {
        let server = AttachmentServer()
        let (id, bytes, _) = try await stored(server)
        let transport = server.transport()
        let laptop = try folder.open("laptop.db", transport.server)
        async let one = laptop.file(of: id)
        async let two = laptop.file(of: id)
        let (file, same) = try await (one, two)
        #expect(file == same && file.lastPathComponent == "\(id).png")
        #expect(try Data(contentsOf: file).elementsEqual(bytes))
        let ranges = transport.requests.compactMap { $0.header("Range") }
        #expect(ranges == ["bytes=0-1048575", "bytes=1048576-2097151", "bytes=2097152-2499999"])
        let known = try #require(try await laptop.attachment(id))
        #expect((known.name, known.status, known.isHere) == ("photo.png", .stored, true))
        let count = transport.requests.count
        _ = try await folder.open("laptop.db", transport.server).file(of: id)
        #expect(transport.requests.count == count)
    }

    @Test func `a broken transfer resumes after a restart with the piece that is missing`() async throws {
        let server = AttachmentServer()
        let (id, bytes, _) = try await stored(server)
        let faulty = AttachmentServer { request, _ throws(TransportFailure) in
            if request.header("Range")?.hasPrefix("bytes=1048576-") == true { throw .unreachable("gone") }
            return nil
        }
        faulty.read { $0 = server.read { $0 } }
        await #expect(throws: NotesSyncFailure.self) {
            try await folder.open("laptop.db", faulty.transport().server).file(of: id)
        }
        let transport = server.transport()
        let file = try await folder.open("laptop.db", transport.server).file(of: id)
        #expect(transport.requests.compactMap { $0.header("Range") }.first == "bytes=1048576-2097151")
        #expect(try Data(contentsOf: file).elementsEqual(bytes))
    }

    @Test(arguments: [
        (206, "bytes 0-9/10", "other byte"), (206, "bytes 0-8/10", "012345678"), (206, "bytes 0-9/11", "0123456789"),
        (200, "", "012345678"), (200, "", "01234567890"), (204, "", ""),
    ])
    func `bytes that are not those of the list are refused, and fetched anew`(
        status: Int, range: String, body: String
    ) async throws {
        let once = Once()
        let server = AttachmentServer()
        let (id, bytes, _) = try await stored(server, 10)
        let faulty = AttachmentServer { request, _ in
            guard request.header("Range") != nil, once.isFirst() else { return nil }
            return TransportResponse(
                status: status, headers: [(name: "Content-Range", value: range)], bytes: Array(body.utf8))
        }
        faulty.read { $0 = server.read { $0 } }
        let laptop = try folder.open("laptop.db", faulty.transport().server)
        await #expect {
            try await laptop.file(of: id)
        } throws: {
            if case NotesSyncFailure.unexpectedResponse? = $0 as? NotesSyncFailure { true } else { false }
        }
        #expect(try Data(contentsOf: await laptop.file(of: id)).elementsEqual(bytes))
    }

    @Test func `a file that is not stored yet, and a removed one, say so`() async throws {
        let server = AttachmentServer()
        let (id, _, phone) = try await stored(server, 10)
        let laptop = try folder.open("laptop.db", server.transport().server)
        await #expect(throws: NotesSyncFailure.refused(status: 404, problem: "attachment-not-here")) {
            try await laptop.file(of: String(repeating: "a", count: 26))
        }
        let file = try await laptop.file(of: id)
        try await phone.remove(attachment: id)
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.attachment(id)?.status == .removed)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        await #expect(throws: NotesSyncFailure.refused(status: 410, problem: "attachment-removed")) {
            try await laptop.file(of: id)
        }
    }

    @Test func `a store whose texts name no attachment asks for none, also of an older server`() async throws {
        let server = AttachmentServer { request, _ in
            request.url.contains("/attachments") ? .text("", status: 404) : nil
        }
        let transport = server.transport()
        let store = try folder.open("notes.db", transport.server)
        try await store.create(body: "milk")
        try await store.sync()
        #expect(!transport.requests.contains { $0.url.contains("/attachments") })
        try await store.create(body: "![](attachments/\(String(repeating: "a", count: 26)).png)")
        #expect(try await store.sync().isEmpty)
        #expect(transport.requests.contains { $0.url.contains("/attachments") })
    }

    @Test func `a file of an earlier version whose texts name attachments asks for them`() async throws {
        do {
            let database = try SQLiteDatabase(path: folder.path("notes.db"), isDurable: false)
            try Schema.prepare(database, path: folder.path("notes.db"), version: 5)
            let text = StoredNote.Text(body: "![](attachments/\(String(repeating: "a", count: 26)).png)")
            try NoteTable(database: database).save(NoteRecord(id: "n1", text: text, createdAt: 0, updatedAt: 0))
            try database.run(SQLiteStatement("delete from meta"))
        }
        let transport = AttachmentServer().transport()
        try await folder.open("notes.db", transport.server).sync()
        #expect(transport.requests.contains { $0.url.contains("/attachments") })
    }

    @Test func `a file that an older backup of the server lacks is sent again`() async throws {
        let server = AttachmentServer()
        let (id, bytes, phone) = try await stored(server, 1000)
        try await phone.sync()
        server.read { state in
            state.entries = [:]
            state.declared = [:]
            state.received = [:]
            state.revision += 10
            state.firstRevision = state.revision
        }
        try await phone.sync()
        try await phone.sync()
        #expect(server.bytes(of: id) == bytes)
        #expect(try await phone.attachment(id)?.status == .stored)
    }

    @Test func `least recently used files leave this device above its limit, unsent ones never`() async throws {
        let server = AttachmentServer()
        let phone = try folder.open("phone.db", server.transport().server)
        var ids: [String] = []
        for name in ["a", "b", "c"] {
            ids.append(try await phone.attach(try folder.picture("\(name).png", 1000).url).id)
        }
        try await phone.sync()
        var options = NotesOptions()
        options.isDurable = false
        options.attachmentsByteLimit = 2500
        options.transport = server.transport()
        let laptop = try NotesStore(
            file: folder.file("laptop.db"), environment: Folder.environment, account: .alice,
            tokens: FixedToken("token"), options: options)
        let unsent = try await laptop.attach(try folder.picture("d.png", 5000).url).id
        for (index, id) in ids.enumerated() {
            let file = try await laptop.file(of: id)
            // The order must not depend on the clock's resolution.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: Double(index - 100))], ofItemAtPath: file.path)
        }
        _ = try await laptop.file(of: ids[1])
        let last = try await laptop.attach(try folder.picture("e.png", 100).url).id
        #expect(try await laptop.attachment(ids[0])?.isHere == false)
        #expect(try await laptop.attachment(ids[1])?.isHere == true)
        #expect(try await laptop.attachment(unsent)?.isHere == true)
        #expect(try await laptop.attachment(last)?.isHere == true)
        _ = try await laptop.file(of: ids[0])
        #expect(try await laptop.attachment(ids[2])?.isHere == false)
        #expect(try await laptop.attachment(ids[1])?.isHere == true)
        // A killed process has left two unfinished copies, one of them long ago.
        let place = try #require(laptop.attachmentsFolder)
        for (name, age) in [("old.part", 100_000.0), ("new.part", 10)] {
            let path = place.appendingPathComponent(name).path
            try Data("left".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        }
        _ = try await laptop.file(of: ids[2])
        let left = try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasSuffix("part") }
        #expect(left == ["new.part"])
    }
}
