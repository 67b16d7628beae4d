import AlmanacJSON
import Testing

@Suite struct SanitizedArrayTests {
    @Test(
        arguments: [
            (#"["a\u0000b"]"#, #"["a\ufffdb"]"#, [0: .nulCharacter]),
            (
                #"[1, "\u0000", "x", {"a": ["\uD800"]}]"#, #"[1, "\ufffd", "x", {"a": ["\ufffd"]}]"#,
                [1: .nulCharacter, 3: .loneSurrogate]
            ),
            (#"["\ud800\u0000"]"#, #"["\ufffd\ufffd"]"#, [0: .loneSurrogate]),
            (#"["\ud800\ud834\udd1e\udd1e"]"#, #"["\ufffd\ud834\udd1e\ufffd"]"#, [0: .loneSurrogate]),
            (#"["\udc00"]"#, #"["\ufffd"]"#, [0: .loneSurrogate]),
            (
                #"["\ud800x", "\ud800\n", "\ud800"]"#, #"["\ufffdx", "\ufffd\n", "\ufffd"]"#,
                [0: .loneSurrogate, 1: .loneSurrogate, 2: .loneSurrogate]
            ),
            (
                #"[[1,2,{"a":3,"b":[4,5]}],",,,",{"\u0000":1}]"#, #"[[1,2,{"a":3,"b":[4,5]}],",,,",{"\ufffd":1}]"#,
                [2: .nulCharacter]
            ),
            (#"["\"\u0000\"", "\\"]"#, #"["\"\ufffd\"", "\\"]"#, [0: .nulCharacter]),
        ] as [(String, String, [Int: SanitizedArray.Fault])])
    func `a text that cannot be stored is replaced, and its element reported`(
        text: String, mended: String, faults: [Int: SanitizedArray.Fault]
    ) throws {
        let array = SanitizedArray(Array(text.utf8))
        #expect(String(decoding: array.bytes, as: UTF8.self) == mended)
        #expect(array.faults == faults)
        #expect(throws: JSONFailure.self) { try JSONValue(parsing: text) }
        #expect(try JSONValue(parsing: array.bytes).arrayValue != nil)
    }

    @Test(arguments: [
        #"["\\u0000", "\\\\ud800", "\u0001", "\ud834\udd1e", "é\u00e9"]"#, "[]", "[1, {}]",
        // Invalid JSON stays invalid.
        #"["\u00"#, #"["\u"#, #"["\ud83"#, #"["\u00g0"]"#, "[\"\\", "[\"a\u{0}\"]", "\\u0000", #"[\u0000]"#, "",
        "[\"\u{FF10}\\u\u{FF10}000\"]",
    ])
    func `everything else stays as it is`(text: String) {
        let array = SanitizedArray(Array(text.utf8))
        #expect(array.bytes == Array(text.utf8))
        #expect(array.faults.isEmpty)
    }

    @Test func `a text full of faults takes no longer than it must`() {
        let text = Array(("[" + Array(repeating: #""\u0000""#, count: 400_000).joined(separator: ",") + "]").utf8)
        let array = SanitizedArray(text)
        #expect(array.faults.count == 400_000)
        #expect(array.bytes.count == text.count)
    }
}
