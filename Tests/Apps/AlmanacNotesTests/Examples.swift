import AlmanacNotes
import Foundation
import TextMerge

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The examples of the documentation, compiled. A test in Tests/Architecture compares both.
enum Examples {
    static func opened(
        _ file: URL, _ environment: URL, _ account: UserAccount, _ session: any TokenProvider
    ) throws -> NotesStore {
        let store = try NotesStore(file: file, environment: environment, account: account, tokens: session)
        return store
    }

    static func firstPage(
        _ file: URL, _ account: UserAccount, _ session: any TokenProvider, show: (StoredNote?) -> Void
    ) async throws {
        let environment = URL(string: "https://notes.example.com/production")!
        let store = try NotesStore(file: file, environment: environment, account: account, tokens: session)

        let note = try await store.create(title: "Groceries", body: "milk")  // on disk when this returns
        try await store.edit(note.id) { $0.body += "\nbread" }  // works without a network
        let following = Task { await store.follow() }  // sends, fetches, tries again

        for await update in store.updates {  // redraw what changed
            for id in update.notes { show(try await store.note(id)) }
        }
        following.cancel()
    }

    static func takingOver(
        _ file: URL, _ environment: URL, _ account: UserAccount, _ session: any TokenProvider
    ) throws -> NotesStore {
        var options = NotesOptions()
        options.formerAccount = "production alice"
        let store = try NotesStore(
            file: file, environment: environment, account: account, tokens: session, options: options)
        return store
    }

    static func writing(_ store: NotesStore) async throws -> (StoredNote, [StoredNote]) {
        let note = try await store.create(title: "Groceries", body: "milk")
        try await store.edit(note.id) { $0.body += "\nbread" }
        try await store.move(note.id, after: nil)
        let found = try await store.search("bre")
        try await store.delete(note.id)
        try await store.restore(note.id)
        return (note, found)
    }

    static func filing(_ store: NotesStore, _ note: StoredNote) async throws -> ([StoredNote], [String]) {
        try await store.tag(note.id, add: ["work", "two words"], remove: ["home"])
        try await store.pin(note.id)
        let tagged = try await store.search("tag:work milk")
        let tags = try await store.tags()
        return (tagged, tags.map(\.tag))
    }

    static func following(_ store: NotesStore) -> Task<Void, Never> {
        let following = Task { await store.follow() }
        return following
    }

    static func showing(
        _ store: NotesStore, list: ([StoredNote], Set<String>) -> Void, status: (NotesSyncStatus) -> Void
    ) async throws {
        func show(_ notes: [StoredNote], ids: Set<String>) { list(notes, ids) }
        func show(_ current: NotesSyncStatus) { status(current) }
        for await update in store.updates {
            show(try await store.notes(), ids: update.notes)
            if update.hasNewStatus { show(await store.status) }
        }
    }

    static func label(_ note: StoredNote) -> String {
        let label =
            switch note.status {
            case .onThisDevice: "on this device"
            case .onServer: "on the server"
            case .needsAttention(let problem): "refused: \(problem.detail)"
            }
        return label
    }

    static func attending(_ store: NotesStore, _ note: StoredNote, keeps: Bool) async throws {
        if keeps { try await store.keepAsNew(note.id) } else { try await store.discard(note.id) }
    }

    static func deciding(
        _ store: NotesStore, asks: (Int, Int) -> Bool, show: (NotesSyncFailure) -> Void
    ) async throws {
        do {
            try await store.sync()
        } catch .decisionNeeded(let missing, let total) {
            try await store.decide(asks(missing, total) ? .moveToTrash : .keep)
        } catch {
            show(error)
        }
    }

    static func exchanging(
        _ editor: NotesStore.Editor, title: String, body shown: String, caret place: Int
    ) async throws -> (body: String, caret: Int) {
        var (body, caret) = (shown, place)
        let change = try await editor.exchange(StoredNote.Text(title: title, body: body))
        caret = change.body.map(position: caret)
        body = try change.body.apply(to: body)
        return (body, caret)
    }

    static func merging() -> String {
        let base = "milk\nbread"
        let phone = "oat milk\nbread"
        let laptop = "milk\nbread\neggs"
        let merged = ThreeWay.merge(base: base, theirs: laptop, mine: phone).text  // "oat milk\nbread\neggs"
        return merged
    }

    static func pages(_ store: NotesStore) async throws -> (page: [StoredNote.Summary], found: [StoredNote.Summary]) {
        let page = try await store.summaries(NotesQuery(order: .latestFirst, offset: 100, limit: 50))
        let found = try await store.summaries(NotesQuery(words: "bre"))
        return (page, found)
    }

    static func viewModel(_ store: NotesStore, _ read: StoredNote, title: String, body: String) async throws
        -> StoredNote
    {
        let note = try await store.edit(read, title: title, body: body)
        return note
    }

    static func preview() throws -> NotesStore {
        let store = try NotesStore(preview: [StoredNote.Text(title: "Groceries", body: "milk")])
        return store
    }

    static func status(_ store: NotesStore, show: (String) -> Void) async {
        switch await store.status {
        case .upToDate: show("synced")
        case .unsynced(let notes): show("\(notes)")  // 2 not sent yet, 1 refused by the server
        case .failed(let failure): show("\(failure)")
        case .notStarted, .syncing: show("syncing")
        }
    }

    static func refused(_ store: NotesStore, show: (String) -> Void) async throws {
        let unsynced = try await store.sync()
        if unsynced.refused > 0 { show("The server takes \(unsynced.refused) of your notes no more.") }
    }

    /// A stand-in for `SignInSession`.
    protocol Session {
        func signOut() async throws
    }

    static func signingOut(
        _ store: NotesStore, _ session: any Session, _ file: URL, asks: (String) -> Bool
    ) async throws {
        let unsynced = try await store.unsynced()
        if unsynced.isEmpty || asks("\(unsynced). Sign out all the same?") {
            try await session.signOut()
            try FileManager.default.removeItem(at: file)
        }
    }

    static func history(
        _ store: NotesStore, _ id: String, show: ([StoredNote.PastRevision]) -> Void
    ) async throws {
        var page = try await store.history(of: id)
        show(page.revisions)  // the latest first
        while page.hasOlder {
            page = try await store.history(of: id, after: page)
            show(page.revisions)
        }
    }

    static func goingBack(
        _ store: NotesStore, _ id: String, _ revision: StoredNote.PastRevision, asks: (StoredNote.Text) -> Bool
    ) async throws {
        let text = try await store.text(of: id, at: revision)
        if asks(text) { try await store.restore(id, to: revision) }
    }

    static func emptying(_ store: NotesStore) async throws -> Int {
        let count = try await store.emptyTrash()
        return count
    }
}

#if canImport(SwiftUI)
    struct NotesScreen: View {
        let store: NotesStore
        @State var list: ObservedNotes

        init(store: NotesStore) {
            self.store = store
            _list = State(initialValue: ObservedNotes(store, NotesQuery(order: .latestFirst, limit: 200)))
        }

        var body: some View {
            List(list.notes) { note in
                NavigationLink(note.title) { NoteScreen(note: ObservedNote(store, id: note.id)) }
            }
            .searchable(text: $list.query.words)
            .task { await store.follow() }
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
#endif
