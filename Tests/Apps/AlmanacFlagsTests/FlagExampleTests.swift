import AlmanacFlags
import Foundation
import Testing

@Suite struct FlagExampleTests {
    @Test func `the examples do what the documentation says, without a network`() async throws {
        let nowhere = URL(string: "http://127.0.0.1:1/test")!
        let folder = FileManager.default.temporaryDirectory
        #expect(await !FlagExamples.overview(nowhere, FlagExamples.User(id: "ada"), cache: folder))
        let flags = await FlagExamples.first(nowhere, "device", folder)
        #expect(flags.status.lastFailure != nil)
        #expect(FlagExamples.why(flags).error?.code == .notReady)
        #expect(FlagExamples.together(flags) == (false, 3))
        await #expect(throws: FlagFailure.self) {
            try await FlagExamples.somebodyElse(flags, FlagExamples.User(id: "bob"))
        }
        #expect(flags.values.context.targetingKey == "bob")
        let preview = FlagExamples.previews()
        #expect(FlagExamples.typed(preview) == (true, 3, .static))
        #expect(FlagExamples.context(FlagExamples.User(id: "ada")).attributes["plan"] == "pro")
    }
}
