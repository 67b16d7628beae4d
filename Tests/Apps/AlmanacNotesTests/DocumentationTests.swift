import AlmanacNotes
import Foundation
import Testing
import TextMerge

/// The example of the library's first page, run without a server.
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
        let store = try NoteExamples.opened(file, nowhere, .alice, FixedToken("token"))
        #expect(throws: NotesFailure.self) {
            try NoteExamples.opened(
                file, nowhere, UserAccount(issuer: UserAccount.alice.issuer, subject: "bob"), FixedToken("token"))
        }
        let (note, found) = try await NoteExamples.writing(store)
        #expect(found.map(\.id) == [note.id])
        #expect(try await store.notes().map(\.body) == ["milk\nbread"])
        #expect(NoteExamples.label(note) == "on this device")
        let (tagged, tags) = try await NoteExamples.filing(store, note)
        #expect(tagged.map(\.isPinned) == [true])
        #expect(tags == ["two words", "work"])
        var failures: [NotesSyncFailure] = []
        try await NoteExamples.deciding(store, asks: { _, _ in false }, show: { failures.append($0) })
        #expect(failures.count == 1)
        #expect(NoteExamples.merging() == "oat milk\nbread\neggs")
    }

    @Test func `the examples of lists, the status and signing out do what they say`() async throws {
        struct Session: NoteExamples.Session {
            func signOut() {}
        }
        let store = try NoteExamples.preview()
        let read = try #require(try await store.notes().first)
        #expect(
            try await NoteExamples.viewModel(store, read, title: "Groceries", body: "milk\nbread").body == "milk\nbread"
        )
        #expect(try await NoteExamples.pages(store).found.map(\.id) == [read.id])
        var shown: [String] = []
        await NoteExamples.status(store) { shown.append($0) }
        let folder = try Folder()
        let file = folder.file("notes.db")
        try Data().write(to: file)
        try await NoteExamples.signingOut(store, Session(), file) { question in
            shown.append(question)
            return false
        }
        #expect(shown == ["syncing", "1 not sent yet. Sign out all the same?"])
        #expect(FileManager.default.fileExists(atPath: file.path))
        try await store.delete(read.id)
        #expect(try await NoteExamples.emptying(store) == 1)
        try await NoteExamples.signingOut(store, Session(), file) { _ in false }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `the examples of attachments do what they say, without a network`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        let (url, bytes) = try folder.picture("photo.png", 100)
        let photo = try await NoteExamples.attaching(store, id, url)
        let body = try #require(try await store.note(id)?.body)
        #expect(body == "milk\n\n![photo.png](attachments/\(photo.id).png)\n")
        var shown: [URL] = []
        try await NoteExamples.picturing(store, body) { shown.append($0) }
        #expect(try shown.map { Array(try Data(contentsOf: $0)) } == [bytes])
        #expect(NoteExamples.state(photo) == "waits to be sent")
    }

    @Test func `the example of the editor moves a caret`() async throws {
        let store = try Folder().open()
        let (editor, text) = try await store.editor(of: try await store.create(title: "a", body: "milk").id)
        try await store.edit(editor.noteID) { $0.body = "oat " + $0.body }
        let (body, caret) = try await NoteExamples.exchanging(
            editor, title: text.title, body: text.body + "!", caret: 5)
        #expect((body, caret) == ("oat milk!", 9))
    }
}
