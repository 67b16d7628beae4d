import AlmanacClient
import AlmanacJSON
import AlmanacTimestamps
import Testing

@testable import AlmanacCommand

@Suite struct OutputStyleTests {
    private let now = Timestamp("2026-03-01T12:00:00.000Z")

    @Test(arguments: [
        ("2026-03-01T12:00:30.000Z", "just now"), ("2026-03-01T11:59:01.000Z", "just now"),
        ("2026-03-01T11:59:00.000Z", "1 minute ago"), ("2026-03-01T11:00:01.000Z", "59 minutes ago"),
        ("2026-03-01T11:00:00.000Z", "1 hour ago"), ("2026-03-01T09:59:00.000Z", "2 hours ago"),
        ("2026-02-28T12:00:00.000Z", "1 day ago"), ("2026-01-31T00:00:00.000Z", "29 days ago"),
        ("2026-01-30T12:00:00.000Z", "2026-01-30"), ("2026-03-02T12:00:00.000Z", "2026-03-02T12:00:00.000Z"),
        ("never", "never"), ("", ""),
    ])
    func `on a terminal a time is told as an age`(time: String, age: String) {
        #expect(OutputStyle(now: now).time(time) == age)
        #expect(OutputStyle().time(time) == time)
    }

    @Test func `only a style with colours adds any, and a table is laid out without them`() {
        let colours = OutputStyle(usesColours: true)
        #expect(ConfigDifference.line("a", from: nil, to: 1, OutputStyle()) == "+ a: 1\n")
        #expect(ConfigDifference.line("a", from: nil, to: 1, colours) == "\u{1B}[32m+ a: 1\u{1B}[0m\n")
        #expect(ConfigDifference.line("a", from: 1, to: nil, colours) == "\u{1B}[31m- a: 1\u{1B}[0m\n")
        #expect(ConfigDifference.line("a", from: 1, to: 2, colours) == "\u{1B}[33m~ a: 1 -> 2\u{1B}[0m\n")
        let rows = [["1", "2"], ["333", "4"]]
        #expect(TextTable.text(["a", "b"], rows, OutputStyle()) == "a    b\n1    2\n333  4\n")
        #expect(TextTable.text(["a", "b"], rows, colours) == "\u{1B}[1ma    b\u{1B}[0m\n1    2\n333  4\n")
    }
}
