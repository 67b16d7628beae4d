import AlmanacNotes
import AlmanacSignIn
import SwiftUI

/// The examples of comments; a test of the architecture compares them.
enum CommentExamples {
    static func editing(_ store: NotesStore, _ id: String) async throws {
        try await store.edit(id) { $0.body += "\nbread" }
    }

    static func signingOut(
        _ store: NotesStore, _ session: SignInSession, confirms: (String) -> Bool
    ) async throws {
        let unsynced = try await store.unsynced()
        if unsynced.isEmpty || confirms("Lose these notes: \(unsynced)?") { try await session.signOut() }
    }

    @MainActor
    static func preview() throws -> ViewHost {
        let store = try NotesStore(preview: [StoredNote.Text(title: "Groceries", body: "milk")])
        return ViewHost(NotesScreen(list: ObservedNotes(store)))
    }
}

struct NoteScreen: View {
    @State var note: ObservedNote

    var body: some View {
        TextField("Title", text: $note.title)
        TextEditor(text: $note.body)
            .onDisappear { Task { try await note.save() } }
    }
}

struct NotesScreen: View {
    @State var list: ObservedNotes

    var body: some View {
        List(list.notes) { Text($0.title) }
            .searchable(text: $list.query.words)
    }
}
