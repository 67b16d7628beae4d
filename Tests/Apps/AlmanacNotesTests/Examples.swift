import AlmanacNotes
import Foundation
import TextMerge

/// The examples of the documentation, to see that they compile; a test of the architecture compares them with it.
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
}
