/// A place in a text as people count it.
struct TextPosition {
    /// From 1.
    let line: Int
    /// In code points, from 1.
    let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// - Parameter offset: in bytes, from 0.
    init(of offset: Int, in text: [UInt8]) {
        let before = text[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Bytes 10xxxxxx continue a code point.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    }
}
