import AlmanacTerminalUI
import Testing

@Suite struct KeyReaderTests {
    @Test(arguments: [
        ("a", [Key.text("a")]), ("é🍎", [.text("é"), .text("🍎")]), ("\r", [.enter]),
        ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}[H\u{1B}[4~\u{1B}[3~", [.home, .end, .delete]), ("\u{11}", [.control("q")]), ("\t", [.text("\t")]),
        ("\u{1B}[1;5Cx", [.text("x")]), ("\u{1B}[200~milk\u{1B}[201~", "milk".map { .text($0) }), ("\0", []),
    ])
    func `the bytes of a key are that key, however they are cut`(text: String, keys: [Key]) {
        var whole = KeyReader()
        #expect(whole.take(text.utf8) == keys)
        var cut = KeyReader()
        #expect(text.utf8.flatMap { cut.take([$0]) } == keys)
    }

    @Test func `bytes that mean nothing don't stop what follows`() {
        var reader = KeyReader()
        #expect(reader.take([0xFF, 0xC3, 0x41, 0x42]) == [.text("B")])
        #expect(
            reader.take([0x1B, 0x5B] + Array(repeating: 0x31, count: 100) + Array("\ra".utf8)).suffix(2) == [
                .enter, .text("a"),
            ])
    }
}
