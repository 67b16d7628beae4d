import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

@Suite struct DatabaseTests {
    private static let make = SQLStatement("create table things (number integer, text text)")
    private static let add = SQLStatement("insert into things values (?1, ?2)")
    private static let all = SQLStatement("select number, text from things order by number")
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func database(_ name: String = "a.db") throws -> Database {
        try Database(path: folder.path(name), isDurable: true)
    }

    @Test func `values come back as they were bound, whatever they hold`() throws {
        let database = try database()
        try database.run(Self.make)
        let texts = [
            "", "'); drop table things; --", "e\u{301}é👩‍👩‍👧\r\n", "\u{FEFF}\u{202E}",
            String(repeating: "x", count: 300_000),
        ]
        for (index, text) in texts.enumerated() { try database.run(Self.add, .integer(Int64(index)), .text(text)) }
        try database.run(Self.add, .integer(.max), .null)
        let rows = try database.run(Self.all)
        #expect(try rows.dropLast().map { Array(try $0.needsText("text").utf8) } == texts.map { Array($0.utf8) })
        #expect(try rows.last?.number("number") == .max)
        #expect(try rows.last?.text("text") == nil)
        #expect(throws: DatabaseFailure.self) { try rows.last?.needsText("text") }
        #expect(throws: DatabaseFailure.self) { try rows.last?.text("nonsense") }
    }

    @Test func `an error undoes the whole transaction`() throws {
        let database = try database()
        try database.run(Self.make)
        #expect(throws: CancellationError.self) {
            try database.transaction {
                try database.run(Self.add, .integer(1), .null)
                throw CancellationError()
            }
        }
        #expect(try database.run(Self.all).isEmpty)
        try database.transaction { _ = try database.run(Self.add, .integer(2), .null) }
        #expect(try database.run(Self.all).count == 1)
    }

    @Test func `a file of something else is refused and left as it was`() throws {
        let text = try folder.folder.write("text.db", Array(repeating: UInt8(ascii: "t"), count: 5000))
        #expect(throws: NotesFailure.self) { try folder.open("text.db") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: text)).count == 5000)

        try database("other.db").run(Self.make)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("other.db")))
        #expect { try folder.open("other.db") } throws: {
            if case NotesFailure.file(.foreign)? = $0 as? NotesFailure { true } else { false }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("other.db"))) == before)
    }

    @Test func `a file of a later version, a damaged one and one in no folder are told apart`() async throws {
        _ = try await folder.open("newer.db").create(body: "a")
        try database("newer.db").run(SQLStatement("pragma user_version = 99"))
        #expect { try folder.open("newer.db") } throws: {
            if case NotesFailure.file(.newer)? = $0 as? NotesFailure { true } else { false }
        }
        for index in 0..<200 {
            _ = try await folder.open("damaged.db").create(body: "\(index) " + String(repeating: "word ", count: 200))
            if index == 20 { break }
        }
        try database("damaged.db").run(SQLStatement("pragma wal_checkpoint(truncate)"))
        let path = folder.path("damaged.db")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect { try folder.open("damaged.db") } throws: {
            if case NotesFailure.file(.corrupt)? = $0 as? NotesFailure { true } else { false }
        }
        #expect { try folder.open("missing/notes.db") } throws: {
            if case NotesFailure.file(.cannotOpen)? = $0 as? NotesFailure { true } else { false }
        }
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

    @Test func `the notes of one account are not opened for another`() throws {
        _ = try folder.open()
        #expect(throws: NotesFailure.otherAccount(folder.path("notes.db"))) {
            try NotesStore(file: folder.path("notes.db"), account: "bob")
        }
        _ = try folder.open()
    }
}

extension NotesStore {
    /// Leaves the file no room to grow.
    fileprivate func fill() throws {
        try database.run(SQLStatement("pragma max_page_count = 1"))
    }
}
