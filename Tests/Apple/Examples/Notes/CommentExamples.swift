import AlmanacNotes
import AlmanacSignIn

/// The examples in doc comments, compiled. A test in Tests/Architecture compares both.
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

    static func preview() throws -> NotesStore {
        let store = try NotesStore(preview: [StoredNote.Text(title: "Groceries", body: "milk")])
        return store
    }
}
