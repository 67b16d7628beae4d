import AlmanacNotes

/// The examples of comments; a test of the architecture compares them.
enum CommentExamples {
    static func editing(_ store: NotesStore, _ id: String) async throws {
        try await store.edit(id) { $0.body += "\nbread" }
    }
}
