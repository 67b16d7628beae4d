import AlmanacNotes
import Foundation
import Testing
import TextMerge

/// The example of the library's first page, compiled and run as far as it goes without a server.
@Suite struct DocumentationTests {
    private let nowhere = URL(string: "http://127.0.0.1:9/production")!

    @Test(.timeLimit(.minutes(1))) func `the example of the first page does what it says`() async throws {
        let folder = try Folder()
        let store = try NotesStore(
            file: folder.file("notes.db"), environment: nowhere, account: .alice, tokens: FixedToken("token"))
        let updates = store.updates

        let note = try await store.create(title: "Groceries", body: "milk")
        try await store.edit(note.id) { $0.body += "\nbread" }
        let following = Task { await store.follow() }

        var shown: [String?] = []
        for await update in updates {
            for id in update.notes { shown.append(try await store.note(id)?.body) }
            if case .failed(.unreachable) = await store.status { break }
        }
        following.cancel()
        await following.value
        #expect(shown == ["milk\nbread"])
        #expect(try await store.note(note.id)?.status == .onThisDevice)
    }

    @Test func `the examples of the articles do what they say, without a network`() async throws {
        let folder = try Folder()
        let file = folder.file("notes.db")
        let store = try Examples.opened(file, nowhere, .alice, FixedToken("token"))
        #expect(throws: NotesFailure.self) {
            try Examples.opened(
                file, nowhere, UserAccount(issuer: UserAccount.alice.issuer, subject: "bob"), FixedToken("token"))
        }
        let (note, found) = try await Examples.writing(store)
        #expect(found.map(\.id) == [note.id])
        #expect(try await store.notes().map(\.body) == ["milk\nbread"])
        #expect(Examples.label(note) == "on this device")
        var failures: [NotesSyncFailure] = []
        try await Examples.deciding(store, asks: { _, _ in false }, show: { failures.append($0) })
        #expect(failures.count == 1)
        #expect(Examples.merging() == "oat milk\nbread\neggs")
    }

    @Test func `the example of the editor moves a caret`() async throws {
        let store = try Folder().open()
        let (editor, text) = try await store.editor(of: try await store.create(title: "a", body: "milk").id)
        try await store.edit(editor.noteID) { $0.body = "oat " + $0.body }
        let (body, caret) = try await Examples.exchanging(editor, title: text.title, body: text.body + "!", caret: 5)
        #expect((body, caret) == ("oat milk!", 9))
    }
}
