import Foundation
import NotesSync
import Testing
import TextMerge

/// The example of the library's first page, compiled and run as far as it goes without a server.
@Suite struct DocumentationTests {
    @Test(.timeLimit(.minutes(1))) func `the example of the first page does what it says`() async throws {
        let folder = try Folder()
        let path = folder.path("notes.db")
        let transport = URLSessionTransport(environment: URL(string: "http://127.0.0.1:9/production")!)
        let server = NotesServer(transport) { refused in refused ?? "token" }
        let store = try NotesStore(file: path, account: "https://notes.example.com/production alice", server: server)
        let updates = store.updates

        let note = try await store.create(title: "Groceries", body: "milk")
        try await store.edit(note.id) { $0.body += "\nbread" }
        let following = Task { await store.follow() }

        var shown: [String?] = []
        for await update in updates {
            for id in update.notes { shown.append(try await store.note(id)?.body) }
            if case .failed(.unreachable) = await store.state { break }
        }
        following.cancel()
        await following.value
        #expect(shown == ["milk\nbread"])
        #expect(try await store.note(note.id)?.status == .onThisDevice)
    }

    @Test func `the example of the editor moves a caret`() async throws {
        let store = try Folder().open()
        let (editor, text) = try await store.editor(of: try await store.create(title: "a", body: "milk").id)
        try await store.edit(editor.noteID) { $0.body = "oat " + $0.body }
        var (title, body, caret) = (text.title, text.body + "!", 5)

        let change = try await editor.exchange(NoteText(title: title, body: body))
        caret = change.body.map(position: caret)
        body = try change.body.apply(to: body)

        title = change.text.title
        #expect((title, body, caret) == ("a", "oat milk!", 9))
    }
}
