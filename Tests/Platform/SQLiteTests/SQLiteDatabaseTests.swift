import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSQLite

@Suite struct SQLiteDatabaseTests {
    private static let make = SQLiteStatement("create table things (number integer, text text)")
    private static let add = SQLiteStatement("insert into things values (?1, ?2)")
    private static let all = SQLiteStatement("select number, text from things order by number")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func database(_ name: String = "a.db") throws -> SQLiteDatabase {
        try SQLiteDatabase(path: "\(folder.path)/\(name)", isDurable: true)
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
        #expect(try rows.dropLast().map { Array(try $0.requiredText("text").utf8) } == texts.map { Array($0.utf8) })
        #expect(try rows.last?.number("number") == .max)
        #expect(try rows.last?.text("text") == nil)
        #expect(throws: SQLiteFailure.self) { try rows.last?.requiredText("text") }
        #expect(throws: SQLiteFailure.self) { try rows.last?.text("nonsense") }
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

    /// Runs a closure. Returns the reason of its failure, or nil.
    private func failure(_ work: () throws -> Void) -> SQLiteFailure.Reason? {
        do { try work() } catch { return (error as? SQLiteFailure)?.reason }
        return nil
    }

    @Test func `a file that is no database, a damaged one and one in no folder are told apart`() throws {
        try folder.write("text.db", Array(repeating: UInt8(ascii: "t"), count: 5000))
        #expect(failure { _ = try database("text.db") } == .notADatabase)
        #expect(failure { _ = try database("missing/a.db") } == .cannotOpen)
        do {
            let database = try database()
            try database.run(Self.make)
            try database.run(Self.add, .integer(1), .text(String(repeating: "word ", count: 10_000)))
        }
        let file = URL(fileURLWithPath: folder.path + "/a.db")
        var bytes = try Data(contentsOf: file)
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: file)
        #expect(failure { try database().run(Self.all) } == .corrupt)
    }

    @Test func `a full file takes nothing more, and keeps what it has`() throws {
        let database = try database()
        try database.run(Self.make)
        try database.run(Self.add, .integer(1), .null)
        try database.run(SQLiteStatement("pragma max_page_count = 1"))
        let text = String(repeating: "word ", count: 10_000)
        #expect(failure { try database.run(Self.add, .integer(2), .text(text)) } == .full)
        #expect(try database.run(Self.all).count == 1)
    }

    @Test func `a write by another connection changes the version that others have written`() throws {
        let (mine, theirs) = (try database(), try database())
        try mine.run(Self.make)
        let before = try mine.dataVersion()
        try mine.run(Self.add, .integer(1), .null)
        #expect(try mine.dataVersion() == before)
        try theirs.run(Self.add, .integer(2), .null)
        #expect(try mine.dataVersion() != before)
    }
}
