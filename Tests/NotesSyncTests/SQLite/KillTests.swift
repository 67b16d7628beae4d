import Foundation
import NotesSync
import Support
import Testing

@Suite struct KillTests {
    /// Where the build puts programs: beside the tests.
    private static var typist: String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("notes-typist").path
    }

    @Test func `a process that is killed while it writes loses no edit that had returned`() async throws {
        let folder = try Folder()
        var said = 0
        for round in 1...10 {
            let program = try BackgroundCommand(Self.typist, [folder.path("notes.db")])
            let isTyping = try await comesTrue { program.outputBytes.count(where: { $0 == 10 }) > 3 * round }
            program.kill()
            _ = program.wait(upTo: .seconds(10))
            try #require(isTyping, "\(String(decoding: program.errorBytes, as: UTF8.self))")
            let numbers = String(decoding: program.outputBytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
            said = try #require(numbers.last)
            let body = try #require(try await folder.open().notes().first).body
            let kept = body.split(separator: "\n").compactMap { Int($0) }
            // The last edit may have been written without having returned.
            #expect(kept == Array(1...said) || kept == Array(1...(said + 1)))
        }
        #expect(said > 30)
    }
}
