import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of a note's history and its final removal, against the running instance.
@Suite(.timeLimit(.minutes(1))) struct HistoryTests {
    private let folder: Folder
    private let user: SimulatedUser

    init() async throws {
        folder = try Folder()
        user = try await SimulatedUser("history")
    }

    private func device(_ name: String = "phone") throws -> NotesStore {
        try folder.open("\(name).db", user.server(behind: Instance.current().transport))
    }

    @Test func `what was done to a note is told page by page, and a past text comes back as an edit`() async throws {
        let store = try device()
        let id = try await store.create(title: "Groceries", body: "milk").id
        #expect(try await store.history(of: id).revisions.isEmpty)
        try await store.sync()
        try await store.edit(id) { $0.body = "milk\nbread" }
        try await store.sync()
        try await store.delete(id)
        try await store.sync()

        var page = try await store.history(of: id, limit: 2)
        #expect(page.revisions.map(\.action) == [.deleted, .edited] && page.hasOlder)
        #expect(page.revisions[1].body == "milk\nbread" && page.revisions[1].title == nil)
        page = try await store.history(of: id, after: page, limit: 2)
        #expect(page.revisions.map(\.action) == [.created] && !page.hasOlder)
        #expect(try await store.history(of: id, after: page).revisions.isEmpty)
        let first = try #require(page.revisions.first)
        #expect(first.title == "Groceries" && abs(first.date.timeIntervalSinceNow) < 300)

        #expect(try await store.text(of: id, at: first) == StoredNote.Text(title: "Groceries", body: "milk"))
        let restored = try await store.restore(id, to: first)
        #expect(restored.body == "milk" && !restored.isInTrash)
        #expect(try await store.sync().isEmpty)
        #expect(try await user.read("notes/\(id)").text("body") == "milk")
    }

    @Test func `the trash is emptied here and on the server, and only what is in it can be removed for good`()
        async throws
    {
        let store = try device()
        var ids: [String] = []
        for title in ["a", "b", "c", "d"] { ids.append(try await store.create(title: title).id) }
        await #expect(throws: NotesFailure.notInTrash(ids[0])) { try await store.remove(ids[0]) }
        try await store.sync()
        for id in ids[1...] { try await store.delete(id) }
        try await store.remove(ids[1])
        #expect(try await store.trash().count == 2)
        #expect(try await store.emptyTrash() == 2)
        #expect(try await store.trash().isEmpty)
        #expect(try await store.note(ids[1]) == nil)
        await #expect(throws: NotesFailure.noSuchNote(ids[1])) { try await store.restore(ids[1]) }
        #expect(try await store.unsynced().waiting == 3)
        #expect(try await store.sync().isEmpty)
        for id in ids[1...] {
            await #expect(throws: (any Error).self) { try await user.read("notes/\(id)/history") }
        }
        #expect(try await store.notes().map(\.title) == ["a"])
        // A first sync does not restore the removed notes.
        let other = try device("laptop")
        try await other.sync()
        #expect(try await other.notes().map(\.title) == ["a"])
        #expect(try await other.trash().isEmpty)
    }

    @Test func `an edit of another device that the emptying has not seen brings the note back`() async throws {
        let (phone, laptop) = (try device("phone"), try device("laptop"))
        let id = try await phone.create(body: "milk").id
        try await phone.sync()
        try await laptop.sync()
        try await phone.delete(id)
        try await phone.emptyTrash()
        try await laptop.edit(id) { $0.body += "\nbread" }
        try await laptop.sync()
        try await phone.sync()
        #expect(try await phone.note(id)?.body == "milk\nbread")
        #expect(try await phone.unsynced().isEmpty)
    }

    /// A note of 5 MB exceeds the limit of a request.
    @Test func `a note of 5 MB is kept here, and a sync, the status and the question before a sign-out say so`()
        async throws
    {
        let store = try device()
        let long = try await store.create(title: "long", body: String(repeating: "word ", count: 1_000_000)).id
        try await store.create(title: "short", body: "milk")
        let unsynced = try await store.sync()
        #expect((unsynced.waiting, unsynced.refused) == (0, 1))
        #expect(await store.status == .unsynced(unsynced))
        #expect(try await store.unsynced() == unsynced)
        guard case .needsAttention(let problem)? = try await store.summary(long)?.status else {
            Issue.record("the note does not say so")
            return
        }
        #expect(problem.type == "body-too-large")
        #expect(try await device().unsynced().refused == 1)
        try await store.edit(long) { $0.body = "short" }
        #expect(try await store.sync().isEmpty)
        #expect(await store.status == .upToDate)
    }
}
