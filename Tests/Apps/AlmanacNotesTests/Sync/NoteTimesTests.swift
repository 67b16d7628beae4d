import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

/// The time of a note's last edit.
@Suite struct NoteTimesTests {
    /// Returns a page with a note of three days: created on the first of January, pinned on the third.
    private static func page(_ revision: Int, body: String, edited: String?) -> String {
        let edited = edited.map { #", "edited_at": "2020-01-\#($0)T00:00:00.000Z""# } ?? ""
        return #"{"revision": \#(revision), "cursor": "\#(revision).k3f9", "order": ["n1"], "more": false, "#
            + #""details": {"n1": {"title": "", "body": "\#(body)", "revision": \#(revision), "#
            + #""created_at": "2020-01-01T00:00:00.000Z", "updated_at": "2020-01-03T00:00:00.000Z"\#(edited)}}}"#
    }

    /// Returns the beginning of a day of January 2020.
    private static func day(_ day: Int) -> Date {
        Date(timeIntervalSince1970: 1_577_836_800 + Double(day - 1) * 86_400)
    }

    @Test(arguments: [(edited: "02", day: 2), (edited: nil, day: 3)])
    func `a note has the server's time of its last edit, or of its last change from an older server`(
        edited: String?, day: Int
    ) async throws {
        let transport = ScriptedTransport { _, _ in .text(Self.page(1, body: "milk", edited: edited)) }
        let store = try Folder().open("a.db", transport.server)
        try await store.sync()
        #expect(try await store.note("n1")?.editedAt == Self.day(day))
        #expect(try await store.note("n1")?.createdAt == Self.day(1))
    }

    @Test func `pins, tags and moves don't change the time of the last edit, words do`() async throws {
        let page = Mutex(Self.page(1, body: "milk", edited: "02"))
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            guard request.method == "GET" else { throw .unreachable("offline") }
            return .text(page.withLock { $0 })
        }
        let store = try Folder().open("a.db", transport.server)
        try await store.sync()
        try await store.pin("n1")
        try await store.tag("n1", add: ["work"])
        try await store.move("n1", after: nil)
        try await store.delete("n1")
        try await store.restore("n1")
        #expect(try await store.note("n1")?.editedAt == Self.day(2))
        // The time of another device's edit arrives while the pin is not sent yet.
        page.withLock { $0 = Self.page(2, body: "tea", edited: "05") }
        await #expect(throws: NotesSyncFailure.self) { try await store.sync() }
        let note = try #require(try await store.note("n1"))
        #expect(note.body == "tea" && note.isPinned && note.editedAt == Self.day(5))
        try await store.edit("n1") { $0.body += "!" }
        #expect(try #require(try await store.note("n1")).editedAt > Self.day(5))
    }
}
