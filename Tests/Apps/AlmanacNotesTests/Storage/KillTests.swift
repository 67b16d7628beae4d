import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Glibc
import Testing

@Suite(.blocking) struct KillTests {
    private static var noteWriter: String { Checkout.program("almanac-note-writer") }

    @Test func `a process that is killed while it writes loses no edit that had returned`() async throws {
        let folder = try Folder()
        var printedCount = 0
        for round in 1...10 {
            let program = try BackgroundCommand(
                Self.noteWriter, [folder.path("notes.db"), Folder.environment.absoluteString])
            let isWriting = try await eventuallyAsync { program.outputBytes.count(where: { $0 == 10 }) > 3 * round }
            program.kill()
            _ = program.wait(upTo: .seconds(10))
            try #require(isWriting, "\(String(decoding: program.errorBytes, as: UTF8.self))")
            let numbers = String(decoding: program.outputBytes, as: UTF8.self).split(separator: "\n").compactMap {
                Int($0)
            }
            printedCount = try #require(numbers.last)
            let body = try #require(try await folder.open().notes().first).body
            let storedNumbers = body.split(separator: "\n").compactMap { Int($0) }
            // The last edit may have been written although its call did not return.
            #expect(storedNumbers == Array(1...printedCount) || storedNumbers == Array(1...(printedCount + 1)))
        }
        #expect(printedCount > 30)
    }

    @Test func `a file that may only be read can be read, is left as it is, and the refusal to write says so`()
        async throws
    {
        let folder = try Folder()
        let file = folder.path("notes.db")
        _ = try await folder.open().create(body: "milk")
        let noteWriter = folder.path("note-writer")
        // Copy in another process, because the program can't run while this process or its child has it open for
        // writing.
        try #require(try Command.run("cp", [Self.noteWriter, noteWriter]).succeeded)
        // The last connection to close has moved the log into the database file.
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        unsafe chmod(file, 0o444)
        unsafe chmod(folder.folder.path, 0o555)
        defer { unsafe chmod(folder.folder.path, 0o700) }
        let writing = try Self.asNobody(noteWriter, [file, Folder.environment.absoluteString])
        #expect(!writing.succeeded && writing.output.isEmpty)
        #expect(
            writing.errors.contains("may not be written") || writing.errors.contains("cannot be"), "\(writing.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        let reading = try Self.asNobody(noteWriter, [file, Folder.environment.absoluteString, "read"])
        #expect(reading.output == "to be read only\nmilk\n", "\(reading.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    }

    @Test func `a file that may only be read, with a log that nobody took in, is refused`() async throws {
        let folder = try Folder()
        let store = try folder.open("open.db")
        _ = try await store.create(body: "milk")
        // Copy the files in the state that a crash would leave.
        for part in ["", "-wal"] {
            let bytes = try Data(contentsOf: folder.file("open.db" + part))
            try folder.folder.write("notes.db" + part, bytes)
            unsafe chmod(folder.path("notes.db" + part), 0o444)
        }
        try #require(try Command.run("cp", [Self.noteWriter, folder.path("note-writer")]).succeeded)
        unsafe chmod(folder.folder.path, 0o555)
        defer { unsafe chmod(folder.folder.path, 0o700) }
        let reading = try Self.asNobody(
            folder.path("note-writer"), [folder.path("notes.db"), Folder.environment.absoluteString, "read"])
        #expect(!reading.succeeded && reading.output.isEmpty && reading.errors.contains("cannot be"))
        _ = try await store.notes()
    }

    /// Runs a program as the user nobody, because root may write to any file.
    private static func asNobody(_ program: String, _ arguments: [String]) throws -> Command.Outcome {
        let user = getuid() == 0 ? ["runuser", "-u", "nobody", "--"] : ["env"]
        return try Command.run(user[0], user.dropFirst() + [program] + arguments)
    }
}
