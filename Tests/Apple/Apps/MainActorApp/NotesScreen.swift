import AlmanacNotes
import SwiftUI

/// The user's notes on this device, filtered by the search field, with the sync status.
struct NotesScreen: View {
    @State var list: ObservedNotes
    let store: NotesStore
    @State private var opened: ObservedNote?

    init(_ store: NotesStore) {
        self.store = store
        _list = State(initialValue: ObservedNotes(store))
    }

    var body: some View {
        NavigationStack {
            if let opened {
                NoteScreen(note: opened)
                Button("Back") { self.opened = nil }
            } else {
                List(list.notes) { note in
                    Button(note.title) { opened = ObservedNote(store, id: note.id) }
                }
                .searchable(text: $list.query.words)
                Button("New") { Task { try await store.create(title: "Untitled") } }
                Text(status)
            }
        }
        .task { await store.follow() }
    }

    private var status: String {
        switch list.status {
        case .notStarted, .syncing: "Syncing"
        case .upToDate: "On the server"
        case .unsynced(let notes): "\(notes)"
        case .failed(let failure): "On this device: \(failure)"
        }
    }
}

/// A note whose text fields edit the stored note.
struct NoteScreen: View {
    @Bindable var note: ObservedNote

    var body: some View {
        Form {
            TextField("Title", text: $note.title)
            TextEditor(text: $note.body)
        }
        .task { _ = note.stored }
    }
}
