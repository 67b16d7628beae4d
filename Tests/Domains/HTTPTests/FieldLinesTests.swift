import AlmanacHTTP
import Testing

@Suite struct FieldLinesTests {
    @Test func `each field is a line, in the order added`() {
        var lines = FieldLines([("ETag", "\"43.k3f9\"")])
        lines.append(("Vary", "Origin"))
        lines += [("Vary", "Accept"), ("Empty", "")]
        lines += FieldLines([("Location", "/größe")])
        let expected = "ETag: \"43.k3f9\"\r\nVary: Origin\r\nVary: Accept\r\nEmpty: \r\nLocation: /größe\r\n"
        #expect(String(decoding: lines.bytes, as: UTF8.self) == expected)
        #expect(FieldLines().bytes.isEmpty)
    }

    @Test(arguments: [
        ("vary", "Origin"), ("DATE", "Thu, 01 Jan 2026 00:00:00 GMT"), ("Empty", ""), ("Dat", nil), ("Origin", nil),
        ("", nil),
    ])
    func `a field is found by its whole name, the first of several`(name: String, expected: String?) {
        let lines = FieldLines([
            ("Vary", "Origin"), ("Vary", "Accept"), ("Date", "Thu, 01 Jan 2026 00:00:00 GMT"), ("Empty", ""),
        ])
        #expect(lines[name] == expected)
    }
}
