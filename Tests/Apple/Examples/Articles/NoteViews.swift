import AlmanacNotes
import SwiftUI

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
