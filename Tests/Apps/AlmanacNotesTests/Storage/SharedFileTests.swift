import AlmanacSQLite
import AlmanacTestSupport
import Testing

@testable import AlmanacNotes

/// Tests of two stores that share one file, as an app and its widget do.
@Suite struct SharedFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// No server answers, so the changes can come only from the file.
    @Test(.timeLimit(.minutes(1)))
    func `a store that follows reports the changes of another store with the same file`() async throws {
        let app = try folder.open(
            "a.db", ScriptedTransport { _, _ throws(TransportFailure) in throw .cancelled }.server)
        let widget = try folder.open("a.db")
        // This change precedes the following.
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
        let user = try await SimulatedUser("shared")
        let server = user.server(behind: try Instance.current().transport)
        let app = try folder.open("a.db", server)
        // The widget never syncs.
        let widget = try folder.open("a.db", server)
        let following = Task { await app.follow() }
        defer { following.cancel() }
        for _ in 0..<3 {
            let id = try await widget.create(body: "milk").id
            #expect(try await app.becomes { try await $0.note(id)?.status == .onServer })
        }
        #expect(try await user.read("notes").texts("order").count == 3)
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

    @Test(arguments: [1, 2, 3, 4] as [Int64])
    func `a file of an older version is brought up to date with its notes`(version: Int64) async throws {
        let path = folder.path("notes.db")
        do {
            let database = try SQLiteDatabase(path: path, isDurable: false)
            try Schema.prepare(database, path: path, version: version)
            for (id, body) in [("n1", "milk"), ("n2", "会议记录")] {
                try database.run(
                    SQLiteStatement(
                        """
                        insert into notes (
                            id, title, body, in_trash, created_at, updated_at, in_servers_trash, heard, spells_base,
                            is_dirty
                        ) values (?1, 'title', ?2, 0, 1000, 2000, 0, 0, 0, 1)
                        """), .text(id), .text(body))
            }
            if version >= 3 { try database.run(SQLiteStatement("update notes set excerpt = body")) }
        }
        let store = try folder.open()
        #expect(try await store.summaries().map(\.excerpt) == ["milk", "会议记录"])
        #expect(try await store.search("记录").map(\.id) == ["n2"])
        try await store.edit("n1") { $0.body += "\nbread" }
        try await store.edit("n2") { $0.body = "plain" }
        #expect(try await store.notes().map(\.body) == ["milk\nbread", "plain"])
        #expect(try await store.search("bread").map(\.id) == ["n1"])
        #expect(try await store.search("记录").isEmpty)
        #expect(try await store.unsynced().waiting == 2)
        #expect(try await folder.open().search("title").count == 2)
        #expect(try await store.tag("n1", add: ["work"]).tags == ["work"])
    }

    /// An older version of the app has read past the tags without storing them.
    @Test func `a file of a version without tags reads everything again, and keeps what was not sent`() async throws {
        let path = folder.path("notes.db")
        do {
            let database = try SQLiteDatabase(path: path, isDurable: false)
            try Schema.prepare(database, path: path, version: 3)
            for (id, body) in [("n1", "milk"), ("n2", "milk and bread")] {
                try database.run(
                    SQLiteStatement(
                        """
                        insert into notes (
                            id, title, body, in_trash, created_at, updated_at, shadow_title, shadow_body,
                            shadow_revision, shadow_lineage, in_servers_trash, heard, spells_base, is_dirty
                        ) values (?1, '', ?2, 0, 1000, 2000, '', 'milk', 5, 'k3f9', 0, 5, 0, ?2 <> 'milk')
                        """), .text(id), .text(body))
            }
            for (name, value) in [("phase", "changes"), ("cursor", "5.k3f9")] {
                try database.run(
                    SQLiteStatement("insert into meta (name, value) values (?1, ?2)"), .text(name), .text(value))
            }
        }
        let note = #"{"title": "", "body": "milk", "revision": 5, "tags": ["work"], "pinned": true}"#
        let transport = ScriptedTransport { request, _ in
            if request.method == "POST" {
                let id = request.bodyText.split(separator: #""action_id":""#)[1].prefix { $0 != "\"" }
                return .text(
                    #"{"cursor": "6.k3f9", "results": [{"status": "applied", "action_id": "\#(id)", "revision": 6, "#
                        + #""tags": ["work"], "pinned": true}]}"#)
            }
            if request.value("form") == "manifest" {
                return .text(
                    #"{"cursor": "5.k3f9", "manifest": [{"id": "n1", "revision": 5}, {"id": "n2", "revision": 5}]}"#)
            }
            guard request.value("newest") != nil else { return .text(#"{"cursor": "5.k3f9"}"#) }
            return .text(#"{"cursor": "5.k3f9", "order": ["n1", "n2"], "details": {"n1": \#(note), "n2": \#(note)}}"#)
        }
        let store = try folder.open("notes.db", transport.server)
        #expect(try await store.sync().isEmpty)
        #expect(try await store.notes().map(\.tags) == [["work"], ["work"]])
        #expect(try await store.notes().map(\.body) == ["milk", "milk and bread"])
        #expect(try await store.notes().allSatisfy(\.isPinned))
    }
}

extension NotesUpdates {
    /// Reads updates until all of these notes have appeared.
    fileprivate func see(_ ids: Set<String>) async {
        var missing = ids
        for await update in self {
            missing.subtract(update.notes)
            if missing.isEmpty { return }
        }
    }
}
