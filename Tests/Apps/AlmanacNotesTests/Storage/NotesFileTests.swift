import AlmanacSQLite
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

@Suite struct NotesFileTests {
    private static let make = SQLiteStatement("create table things (number integer, text text)")
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func database(_ name: String = "a.db") throws -> SQLiteDatabase {
        try SQLiteDatabase(path: folder.path(name), isDurable: true)
    }

    @Test func `a file of something else is refused and left as it was`() throws {
        let text = try folder.folder.write("text.db", Array(repeating: UInt8(ascii: "t"), count: 5000))
        #expect(throws: NotesFailure.self) { try folder.open("text.db") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: text)).count == 5000)

        try database("other.db").run(Self.make)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("other.db")))
        #expect { try folder.open("other.db") } throws: {
            if case NotesFailure.file(.notANotesFile)? = $0 as? NotesFailure { true } else { false }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("other.db"))) == before)
    }

    @Test func `a file of a later version, a damaged one and one below a file are told apart`() async throws {
        _ = try await folder.open("newer.db").create(body: "a")
        try database("newer.db").run(SQLiteStatement("pragma user_version = 99"))
        #expect { try folder.open("newer.db") } throws: {
            if case NotesFailure.file(.newer)? = $0 as? NotesFailure { true } else { false }
        }
        for index in 0..<200 {
            _ = try await folder.open("damaged.db").create(body: "\(index) " + String(repeating: "word ", count: 200))
            if index == 20 { break }
        }
        try database("damaged.db").run(SQLiteStatement("pragma wal_checkpoint(truncate)"))
        let path = folder.path("damaged.db")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect { try folder.open("damaged.db") } throws: {
            if case NotesFailure.file(.corrupt)? = $0 as? NotesFailure { true } else { false }
        }
        _ = try folder.folder.write("text", Array("text".utf8))
        #expect { try folder.open("text/notes.db") } throws: {
            if case NotesFailure.file(.cannotOpen)? = $0 as? NotesFailure { true } else { false }
        }
    }

    @Test func `a missing folder is made for its owner alone`() async throws {
        _ = try await folder.open("missing/deeper/notes.db").create(body: "milk")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("missing/deeper"))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `on a full disk an edit fails, says so, and changes nothing`() async throws {
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        try await store.fill()
        await #expect {
            try await store.edit(id) { $0.body = String(repeating: "word ", count: 100_000) }
        } throws: {
            if case NotesFailure.file(.full)? = $0 as? NotesFailure { true } else { false }
        }
        #expect(try await store.notes().map(\.body) == ["milk"])
        #expect(try await folder.open().search("milk").count == 1)
    }

    @Test func `the files can be read by their owner only, those of an older version too`() async throws {
        func modes() throws -> [String: Int] {
            var modes: [String: Int] = [:]
            for part in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("notes.db" + part))
                modes[part] = attributes[.posixPermissions] as? Int
            }
            return modes
        }
        let mine = ["": 0o600, "-wal": 0o600, "-shm": 0o600]
        let store = try folder.open()
        try await store.create(body: "milk")
        #expect(try modes() == mine)
        for part in mine.keys {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: folder.path("notes.db" + part))
        }
        let other = try folder.open()
        #expect(try modes() == mine)
        #expect(try await other.notes().count == 1)
        _ = try await store.notes()
    }

    @Test func `a store for previews has its notes, and asks no server`() async throws {
        let store = try NotesStore(preview: [StoredNote.Text(title: "a"), StoredNote.Text(title: "b")])
        #expect(try await store.notes().map(\.title) == ["a", "b"])
        try await store.create(title: "c")
        #expect(try await store.summaries().map(\.title) == ["a", "b", "c"])
        await #expect(throws: NotesSyncFailure.noServer) { try await store.sync() }
    }

    private func open(
        _ environment: URL = Folder.environment, _ account: UserAccount = .alice, formerAccount: String? = nil
    ) throws -> NotesStore {
        var options = NotesOptions()
        options.formerAccount = formerAccount
        return try NotesStore(
            file: folder.file("notes.db"), environment: environment, account: account, options: options)
    }

    @Test func `the notes of one account are not opened for another, nor for another environment`() throws {
        _ = try folder.open()
        let otherOwners = [
            (Folder.environment, UserAccount(issuer: UserAccount.alice.issuer, subject: "bob")),
            (Folder.environment, UserAccount(issuer: "https://other.example.com", subject: "alice")),
            (URL(string: "https://notes.example.com/staging")!, .alice),
        ]
        for (environment, account) in otherOwners {
            #expect(throws: NotesFailure.otherAccount(file: folder.file("notes.db"))) {
                try open(environment, account)
            }
        }
        _ = try open(URL(string: "\(Folder.environment)/")!)
    }

    /// The format that the command line has used since its first version.
    @Test func `a file says of its owner the environment, the issuer and the subject`() async throws {
        _ = try open()
        let owner = try SyncTable(database: database("notes.db")).owner()
        #expect(owner == "\(Folder.environment.absoluteString) https://issuer.example.com alice")
    }

    @Test func `a file of an app that named its account freely is taken over when the app says how it did`()
        async throws
    {
        let id = try await open().create(body: "milk").id
        try SyncTable(database: database("notes.db")).setOwner("production alice")
        #expect(throws: NotesFailure.otherAccount(file: folder.file("notes.db"))) { try open() }
        #expect(throws: NotesFailure.otherAccount(file: folder.file("notes.db"))) {
            try open(formerAccount: "production bob")
        }
        #expect(try await open(formerAccount: "production alice").note(id)?.body == "milk")
        // From now on, the file opens with and without the former name.
        #expect(try await open().note(id)?.body == "milk")
        #expect(try await open(formerAccount: "production alice").note(id)?.body == "milk")
    }
}

extension NotesStore {
    /// Keeps the file from growing.
    fileprivate func fill() throws { try database.run(SQLiteStatement("pragma max_page_count = 1")) }
}
