import AlmanacSQLite
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

@Suite struct CrashTests {
    /// Cuts the database's write-ahead log at many positions, as a crash would.
    @Test func `whatever is left of the last writes, every edit before them is there and whole`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let id = try await store.create(title: "count", body: "0").id
        // The first part is in the database file, and later edits are only in the log.
        try await store.checkpoint()
        let sizes = try await (1...30).asyncMap { number in
            try await store.edit(id) { $0.body = "\(number) " + String(repeating: "text ", count: number * 20) }
            return try folder.size("notes.db-wal")
        }
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.path("notes.db-wal")))
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.path("notes.db")))
        for cut in stride(from: 0, through: log.count, by: 997) {
            try folder.folder.write("cut.db", file)
            try folder.folder.write("cut.db-wal", log.prefix(cut))
            try? FileManager.default.removeItem(atPath: folder.path("cut.db-shm"))
            let whole = sizes.lastIndex { $0 <= cut }.map { $0 + 1 } ?? 0
            let note = try #require(try await folder.open("cut.db").note(id))
            let number = try #require(Int(note.body.prefix { $0 != " " }))
            #expect(number == whole, "cut at \(cut)")
            #expect(try await folder.open("cut.db").search("text").count == (whole == 0 ? 0 : 1))
        }
    }

    @Test func `two stores on one file see each other's edits and lose none`() async throws {
        let folder = try Folder()
        let stores = [try folder.open(), try folder.open()]
        let id = try await stores[0].create(body: "").id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for _ in 0..<100 { try await store.edit(id) { $0.body += "\(index)" } }
                }
            }
            try await group.waitForAll()
        }
        let body = try #require(try await stores[1].note(id)).body
        #expect(body.filter { $0 == "0" }.count == 100)
        #expect(body.filter { $0 == "1" }.count == 100)
    }
}

extension NotesStore {
    /// Moves the log into the database file, and disables further checkpoints.
    func checkpoint() throws {
        try database.run(SQLiteStatement("pragma wal_checkpoint(truncate)"))
        try database.run(SQLiteStatement("pragma wal_autocheckpoint = 0"))
    }

    /// Copies the files in the state that a crash at this moment would leave.
    func copyFiles(from old: String, to new: String) throws {
        for part in ["", "-wal"] where FileManager.default.fileExists(atPath: old + part) {
            try? FileManager.default.removeItem(atPath: new + part)
            try FileManager.default.copyItem(atPath: old + part, toPath: new + part)
        }
    }
}

extension Folder {
    fileprivate func size(_ name: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path(name))).count
    }
}

extension ClosedRange<Int> {
    fileprivate func asyncMap<Result>(_ body: (Int) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for number in self { results.append(try await body(number)) }
        return results
    }
}
