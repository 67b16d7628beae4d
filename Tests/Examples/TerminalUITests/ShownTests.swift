import AlmanacTerminalUI
import Testing

@Suite struct ShownTests {
    @Test func `nothing in a text is a command to the terminal`() {
        #expect(Shown.line("a\u{1B}[2Jb\nc\td\u{9B}e\u{202E}f") == "a·[2Jb·c d·e·f")
        #expect(Shown.line("👩‍👩‍👧 é") == "👩‍👩‍👧 é")
    }

    @Test(arguments: [("abc", 3), ("東京", 4), ("🍎x", 3), ("", 0)])
    func `a text is as wide as a terminal shows it`(text: String, width: Int) {
        #expect(Shown.width(text) == width)
        #expect(Shown.fitting(text + "zzz", into: width) == text)
    }
}
