import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of sending files to a scripted server.
@Suite struct UploadTests {
    private static let size = 2_500_000
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Returns a store with one attached picture.
    private func store(
        _ transport: ScriptedTransport, _ size: Int = size
    ) async throws -> (store: NotesStore, id: String, bytes: [UInt8]) {
        let store = try folder.open("notes.db", transport.server)
        let (url, bytes) = try folder.picture("a.png", size)
        return (store, try await store.attach(url).id, bytes)
    }

    @Test func `a file is sent in pieces of at most a mebibyte, after the notes`() async throws {
        let server = AttachmentServer()
        let transport = server.transport()
        let (store, id, bytes) = try await store(transport)
        try await store.create(body: "![](attachments/\(id).png)")
        #expect(try await store.sync().isEmpty)
        #expect(server.bytes(of: id) == bytes)
        #expect(try await store.attachment(id)?.status == .stored)
        #expect(await store.status == .upToDate)
        let patches = transport.requests.filter { $0.method == "PATCH" }
        #expect(patches.map { $0.header("Upload-Offset") } == ["0", "1048576", "2097152"])
        #expect(patches.allSatisfy { $0.body!.count <= 1 << 20 })
        let methods = transport.requests.map(\.method)
        #expect(try #require(methods.firstIndex(of: "POST")) < (try #require(methods.firstIndex(of: "PUT"))))
        let count = transport.requests.count
        try await store.sync()
        #expect(transport.requests.count <= count + 2)
    }

    @Test func `a preview is sent before its file`() async throws {
        let server = AttachmentServer()
        let transport = server.transport()
        let store = try folder.open("notes.db", transport.server)
        let (small, bytes) = try folder.picture("small.png", 1000)
        let id = try await store.attach(try folder.picture("a.png", 2000).url, preview: small).id
        try await store.sync()
        #expect(transport.requests.filter { $0.method == "PATCH" }.map { $0.value("part") } == ["preview", "file"])
        #expect(server.bytes(of: id, "preview") == bytes)
        #expect(try await store.attachment(id)?.hasPreview == true)
    }

    @Test func `a broken upload resumes at the server's offset after a restart`() async throws {
        let server = AttachmentServer { request, _ throws(TransportFailure) in
            if request.header("Upload-Offset") == "1048576" { throw .unreachable("gone") }
            return nil
        }
        let (first, id, bytes) = try await store(server.transport())
        await #expect(throws: NotesSyncFailure.self) { try await first.sync() }
        #expect(try await first.attachment(id)?.status == .sending(1 << 20))
        guard case .unsynced(let unsynced) = await first.status else {
            Issue.record("the state is \(await first.status)")
            return
        }
        #expect(unsynced.waitingAttachments == 1)
        let again = AttachmentServer { request, _ in
            request.header("Upload-Offset") == "0" ? .problem("sent-again", 400) : nil
        }
        again.read { $0 = server.read { $0 } }
        try await folder.open("notes.db", again.transport().server).sync()
        #expect(again.bytes(of: id) == bytes)
    }

    @Test(arguments: [
        ("wrong-offset", 409, 1), ("hash-mismatch", 422, 2), ("attachment-not-here", 404, 2),
    ])
    func `an upload goes on after an answer that says where`(type: String, status: Int, declarations: Int) async throws
    {
        let once = Once()
        let server = AttachmentServer { request, _ in
            guard request.header("Upload-Offset") == "1048576", once.isFirst() else { return nil }
            return .problem(type, status, [(name: "Upload-Offset", value: "1048576")])
        }
        let transport = server.transport()
        let (store, id, bytes) = try await store(transport)
        try await store.sync()
        #expect(try await store.attachment(id)?.status == .stored)
        #expect(server.bytes(of: id) == bytes)
        #expect(transport.requests.count { $0.method == "PUT" } == declarations)
    }

    @Test(arguments: [
        ("attachment-too-large", 413), ("attachment-exists", 409), ("limit-exceeded", 422), ("invalid-value", 400),
    ])
    func `a refused file stays here, stops no other, and can be sent again`(type: String, status: Int) async throws {
        let once = Once()
        let server = AttachmentServer { request, _ in
            request.bodyText.contains("a.png") && once.isFirst() ? .problem(type, status) : nil
        }
        let (store, id, bytes) = try await store(server.transport(), 1000)
        let other = try await store.attach(try folder.picture("b.png", 2000).url).id
        let unsynced = try await store.sync()
        #expect((unsynced.waitingAttachments, unsynced.refusedAttachments) == (0, 1))
        #expect("\(unsynced)" == "1 file refused by the server")
        #expect(
            try await store.attachment(id)?.status == .refused(StoredNote.Problem(type: type, detail: "no")))
        #expect(try await store.attachment(other)?.status == .stored)
        #expect(try Data(contentsOf: await store.file(of: id)).elementsEqual(bytes))
        try await store.sendAgain(attachment: id)
        #expect(try await store.sync().isEmpty)
        #expect(server.bytes(of: id) == bytes)
    }

    @Test(arguments: [429, 503, 507])
    func `a server that has no room now is asked again later, and notes are in sync`(status: Int) async throws {
        let server = AttachmentServer { request, _ in
            request.method == "PUT" ? .problem("store-full", status, [(name: "Retry-After", value: "7")]) : nil
        }
        let (store, id, _) = try await store(server.transport(), 1000)
        let note = try await store.create(body: "milk").id
        await #expect(throws: NotesSyncFailure.retryLater(after: .seconds(7))) { try await store.sync() }
        #expect(try await store.note(note)?.status == .onServer)
        #expect(try await store.attachment(id)?.status == .kept)
    }

    @Test func `a copy that was damaged on this device is refused, and not sent forever`() async throws {
        let server = AttachmentServer { request, _ in
            request.method == "PATCH" ? .problem("hash-mismatch", 422) : nil
        }
        let transport = server.transport()
        let (store, id, bytes) = try await store(transport, 1000)
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        #expect(try await store.attachment(id)?.status == .kept)
        #expect(transport.requests.count < 20)
        try Data(bytes.reversed()).write(to: await store.file(of: id))
        try await store.sync()
        guard case .refused(let problem)? = try await store.attachment(id)?.status else {
            Issue.record("it was not refused")
            return
        }
        #expect(problem.type == "file-damaged")
    }

    @Test func `a removal reaches the server, and an id that was removed is never sent`() async throws {
        let server = AttachmentServer()
        let (store, id, _) = try await store(server.transport(), 1000)
        try await store.sync()
        let other = try await store.attach(try folder.picture("b.png", 2000).url).id
        server.read { $0.removed.append(other) }
        try await store.remove(attachment: id)
        #expect(try await store.unsynced().waitingAttachments == 2)
        try await store.sync()
        #expect(server.read { $0.removed.contains(id) })
        #expect(try await store.attachment(other)?.status == .removed)
        #expect(try await store.unsynced().isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a text does not wait for a file`() async throws {
        let (opening, opened) = AsyncStream<Void>.makeStream()
        let server = AttachmentServer { request, _ in
            if request.method == "PATCH" { for await _ in opening { break } }
            return nil
        }
        let (store, id, bytes) = try await store(server.transport(), 1000)
        let following = Task { await store.follow() }
        defer { following.cancel() }
        #expect(try await store.becomes { try await $0.attachment(id)?.status == .kept })
        let note = try await store.create(body: "milk").id
        #expect(try await store.becomes { try await $0.note(note)?.status == .onServer })
        #expect(try await store.attachment(id)?.status == .kept)
        opened.yield()
        #expect(try await store.becomes { try await $0.attachment(id)?.status == .stored })
        #expect(server.bytes(of: id) == bytes)
    }
}
