import AlmanacNotes
import Foundation
import TextMerge

/// The examples of the documentation, to see that they compile; a test of the architecture compares them with it.
enum Examples {
    /// Where an app has its tokens from.
    struct SignIn: Sendable {
        let subject: String

        func token(replacing refused: String?) async throws -> String {
            if refused != nil { throw SignInFailure(needsSignIn: true) }
            return "token"
        }
    }

    struct SignInFailure: Error {
        let needsSignIn: Bool
    }

    static func opened(_ environment: URL, _ path: String, _ signIn: SignIn) throws -> NotesStore {
        let transport = NotesHTTPTransport(environment: environment)
        let server = NotesServer(transport) { refused in
            do {
                return try await signIn.token(replacing: refused)
            } catch let failure as SignInFailure where failure.needsSignIn {
                throw SyncFailure.signInNeeded
            }
        }
        let store = try NotesStore(file: path, account: "\(environment) \(signIn.subject)", server: server)
        return store
    }

    static func firstPage(_ path: String, _ signIn: SignIn, show: (Note?) -> Void) async throws {
        let transport = NotesHTTPTransport(environment: URL(string: "https://notes.example.com/production")!)
        let server = NotesServer(transport) { refused in
            do {
                return try await signIn.token(replacing: refused)
            } catch let failure as SignInFailure where failure.needsSignIn {
                throw SyncFailure.signInNeeded
            }
        }
        let store = try NotesStore(file: path, account: "https://notes.example.com/production alice", server: server)

        let note = try await store.create(title: "Groceries", body: "milk")  // on disk when this returns
        try await store.edit(note.id) { $0.body += "\nbread" }  // works without a network
        let following = Task { await store.follow() }  // sends, fetches, tries again

        for await update in store.updates {  // redraw what changed
            for id in update.notes { show(try await store.note(id)) }
        }
        following.cancel()
    }

    static func writing(_ store: NotesStore) async throws -> (Note, [Note]) {
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
        _ store: NotesStore, list: ([Note], Set<String>) -> Void, status: (SyncState) -> Void
    ) async throws {
        func show(_ notes: [Note], ids: Set<String>) { list(notes, ids) }
        func show(_ state: SyncState) { status(state) }
        for await update in store.updates {
            show(try await store.notes(), ids: update.notes)
            if update.hasNewState { show(await store.state) }
        }
    }

    static func label(_ note: Note) -> String {
        let label =
            switch note.status {
            case .onThisDevice: "on this device"
            case .onServer: "on the server"
            case .needsAttention(let problem): "refused: \(problem.detail)"
            }
        return label
    }

    static func attending(_ store: NotesStore, _ note: Note, keeps: Bool) async throws {
        if keeps { try await store.keepAsNew(note.id) } else { try await store.discard(note.id) }
    }

    static func deciding(
        _ store: NotesStore, asks: (Int, Int) -> Bool, show: (SyncFailure) -> Void
    ) async throws {
        do {
            try await store.sync()
        } catch .decisionNeeded(let leaving, let total) {
            try await store.decide(asks(leaving, total) ? .moveToTrash : .keep)
        } catch {
            show(error)
        }
    }

    static func exchanging(
        _ editor: NoteEditor, title: String, body shown: String, caret place: Int
    ) async throws -> (body: String, caret: Int) {
        var (body, caret) = (shown, place)
        let change = try await editor.exchange(NoteText(title: title, body: body))
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
