import AlmanacSQLite
import AlmanacTestSupport
import Testing

@testable import AlmanacNotes

/// One file that two stores have open, as an app and its widget do.
@Suite struct SharedFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// No server answers, so that only the file can bring the notes.
    @Test(.timeLimit(.minutes(1)))
    func `a store that follows reports the changes of another store with the same file`() async throws {
        let app = try folder.open(
            "a.db", ScriptedTransport { _, _ throws(TransportFailure) in throw .cancelled }.server)
        let widget = try folder.open("a.db")
        // Written before anybody followed.
        let first = try await widget.create(body: "milk").id
        let updates = app.updates
        let following = Task { await app.follow() }
        defer { following.cancel() }
        await updates.see([first])
        let second = try await widget.create(body: "bread").id
        try await widget.edit(first) { $0.body = "oat milk" }
        await updates.see([first, second])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a store that follows sends the changes of another store with the same file`() async throws {
        let user = try SimulatedUser("shared")
        let app = try folder.open("a.db", user.server(behind: Instance.current().transport))
        let widget = try folder.open("a.db")
        let following = Task { await app.follow() }
        defer { following.cancel() }
        for _ in 0..<3 {
            let id = try await widget.create(body: "milk").id
            #expect(try await app.becomes { try await $0.note(id)?.status == .onServer })
        }
        #expect(try user.read("notes").texts("order").count == 3)
    }

    @Test func `a file tells which notes have changed and which are gone since a version`() throws {
        _ = try folder.open()
        let table = NoteTable(database: try SQLiteDatabase(path: folder.path("notes.db"), isDurable: false))
        var record = NoteRecord(id: "n1", text: StoredNote.Text(body: "a"), createdAt: 0, updatedAt: 0)
        try table.save(record)
        try table.save(NoteRecord(id: "n2", text: StoredNote.Text(body: "b"), createdAt: 0, updatedAt: 0))
        let version = try table.version()
        #expect(try table.changed(after: 0) == ["n1", "n2"])
        #expect(try table.changed(after: version) == [])
        record.edit(StoredNote.Text(body: "c"), at: 1)
        try table.save(record)
        #expect(try table.changed(after: version) == ["n1"])
        try table.remove("n2")
        #expect(try table.changed(after: version) == ["n1", "n2"])
        #expect(try table.changed(after: version + 1) == ["n2"])
    }

    @Test func `a file of the first version is brought up to date with its notes`() async throws {
        let id = try await folder.open().create(body: "milk").id
        do {
            let database = try SQLiteDatabase(path: folder.path("notes.db"), isDurable: false)
            for step in [
                "drop index notes_version", "alter table notes drop column version", "drop table removed",
                "pragma user_version = 1",
            ] {
                try database.run(SQLiteStatement(step))
            }
        }
        let store = try folder.open()
        try await store.edit(id) { $0.body += "\nbread" }
        #expect(try await store.notes().map(\.body) == ["milk\nbread"])
        #expect(try await store.search("bread").map(\.id) == [id])
    }
}

extension NotesUpdates {
    /// Reads until all of these notes have been in an update.
    fileprivate func see(_ ids: Set<String>) async {
        var missing = ids
        for await update in self {
            missing.subtract(update.notes)
            if missing.isEmpty { return }
        }
    }
}
