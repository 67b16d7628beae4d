import AlmanacFlags
import Testing

/// Tests of the default of ``FlagOptions/report``, in a process of its own.
@Suite struct ReportExitTests {
    @Test func `a debug build writes problems to standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let flags = RemoteFlags(preview: ["a": "text"])
            for _ in 0..<2 { _ = (flags.int("a", default: 0), flags.bool("b", default: false)) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("AlmanacFlags: ") }
        #expect(
            lines == [
                "AlmanacFlags: flag a: expected a whole number, found string",
                "AlmanacFlags: flag b: the server has no such flag",
            ])
    }
}
