import AlmanacJSON
import Testing

@Suite struct ParsingTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), ("false", false), (" \t\r\n1\n", 1), ("\"\"", ""), ("[]", []), ("{}", [:]),
            ("[ ]", []), ("{ }", [:]), ("[1,2]", [1, 2]), ("[[],{}]", [[], [:]]),
            ("[null, true,\nfalse]", [.null, true, false]),
            (#"{"":0}"#, ["": 0]), (#"{"a":{"b":["c"]}}"#, ["a": ["b": ["c"]]]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC\uD834\udd1e""#, "é€𝄞"),
            (#""é€𝄞""#, "é€𝄞"),
            (#""\u0001\u001f""#, "\u{1}\u{1f}"),
            ("\"\u{7f}\u{2028}\u{ffff}\u{10ffff}\"", "\u{7f}\u{2028}\u{ffff}\u{10ffff}"),
            (#""\\u0000""#, "\\u0000"), (#""[{""#, "[{"), (#"["\\",1]"#, ["\\", 1]), ("\"\u{feff}\"", "\u{feff}"),
        ] as [(String, JSONValue)])
    func `a JSON text is read`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        // Structure.
        "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[1}", "{]", "[1]]", "[1] x", "{} {}",
        "1 2",
        "[1:2]", "[[1]", ",", ":", "[1];",
        // Objects.
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1", "{,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{null:1}", "{\"a\":1:2}", "{\"a\"::1}",
        // Words.
        "nul", "nullx", "True", "TRUE", "undefined", "NaN", "Infinity", "-Infinity", "[tru]", "'a'", "a", "1true",
        "truefalse",
        // Numbers.
        "-", "+1", "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1E-", "1e1.5", "0x1", "1_000", "1,000",
        "--1",
        "1-2", "1.2.3", "- 1", "１", "[1a]", "2..", "0e", "1 e1",
        // Strings.
        "\"", "\"a", "\"\\", "\"\\\"", #""\x""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\'""#, #""\a""#, "\"a\nb\"",
        "\"\t\"",
        "\"\u{1f}\"", #""\U0041""#, "\\u0031", "“a”",
        // White space that JSON does not allow, comments, byte order mark.
        "\u{a0}1", "1\u{2028}", "\u{c}1", "// x\n1", "/* x */1", "1 # x", "\u{feff}1",
    ])
    func `anything else is a syntax error with its place`(text: String) throws {
        let failure = #expect(throws: JSONFailure.self) { try JSONValue(parsing: text) }
        guard case .syntax(let line, let column, let message) = failure else {
            Issue.record("\(text) was refused as \(String(describing: failure))")
            return
        }
        #expect(line >= 1 && column >= 1 && !message.isEmpty)
    }

    @Test(arguments: ["", " ", "\n\t\r "]) func `a text without a value is empty`(text: String) {
        #expect(throws: JSONFailure.empty) { try JSONValue(parsing: text) }
    }

    @Test(
        arguments: [
            ("{\n  \"a\": 1,\n  \"b\": }", .syntax(line: 3, column: 8, message: "unexpected token near '}'")),
            ("[\"é\", x]", .syntax(line: 1, column: 7, message: "invalid token near 'x'")),
            ("[1", .syntax(line: 1, column: 2, message: "']' expected near end of file")),
            ("[1]\n]", .syntax(line: 2, column: 1, message: "end of file expected near ']'")),
            (
                "\u{feff}{}",
                .syntax(line: 1, column: 1, message: "the text starts with a byte order mark; remove it")
            ),
            ("[\n \"a\u{0}\"]", .nulCharacter(line: 2, column: 4)),
            ("\u{0}", .nulCharacter(line: 1, column: 1)), ("[1]\u{0}", .nulCharacter(line: 1, column: 4)),
            (#"["a\u0000b"]"#, .nulCharacter(line: 1, column: 11)),
            (#"{"\u0000":1}"#, .nulCharacter(line: 1, column: 9)),
            (#"["\ud800"]"#, .loneSurrogate(line: 1, column: 9)), (#""\ud800x""#, .loneSurrogate(line: 1, column: 9)),
            (#""\ud800\ud800""#, .loneSurrogate(line: 1, column: 14)),
            (#""\ud800\u0041""#, .loneSurrogate(line: 1, column: 14)),
            (#""\udc00""#, .loneSurrogate(line: 1, column: 8)),
            (#""\udc00\ud800""#, .loneSurrogate(line: 1, column: 14)),
            (#"{"\uDBFF":1}"#, .loneSurrogate(line: 1, column: 9)),
            (#""\ud800\n""#, .loneSurrogate(line: 1, column: 10)),
        ] as [(String, JSONFailure)])
    func `a failure says what and where`(text: String, failure: JSONFailure) {
        #expect(throws: failure) { try JSONValue(parsing: text) }
    }

    @Test(
        arguments: [
            ([0x80], 2), ([0xC3], 2), ([0xC0, 0x80], 2), ([0xC1, 0xBF], 2), ([0xE0, 0x80, 0x80], 2), ([0xE2, 0x82], 2),
            ([0xED, 0xA0, 0x80], 2), ([0xED, 0xBF, 0xBF], 2), ([0xF0, 0x80, 0x80, 0x80], 2),
            ([0xF4, 0x90, 0x80, 0x80], 2),
            ([0xF5, 0x80, 0x80, 0x80], 2), ([0xFE], 2), ([0xFF], 2), ([0x61, 0xC3, 0xA9, 0xC3, 0x28], 4),
        ] as [([UInt8], Int)])
    func `bytes that are not UTF-8 are refused in strings, names and outside`(bytes: [UInt8], column: Int) {
        #expect(throws: JSONFailure.notUTF8(line: 1, column: column)) {
            try JSONValue(parsing: [0x22] + bytes + [0x22])
        }
        #expect(throws: JSONFailure.notUTF8(line: 2, column: column + 1)) {
            try JSONValue(parsing: [0x0A, 0x7B, 0x22] + bytes + Array("\":1}".utf8))
        }
        #expect(throws: JSONFailure.self) { try JSONValue(parsing: bytes) }
        #expect(throws: JSONFailure.notUTF8(line: 1, column: column)) { try JSONValue(parsing: [0x22] + bytes) }
    }

    @Test func `every failure is a sentence`() {
        let failures: [(JSONFailure, String)] = [
            (.empty, "There is no JSON value: the text is empty."),
            (.tooLarge(limit: 10), "The text is longer than 10 bytes."),
            (.tooDeep(limit: 64), "Arrays and objects are nested deeper than 64 levels."),
            (
                .duplicateName("a\"b", line: 1, column: 2),
                #"line 1, column 2: the object has two members with the name "a\"b"."#
            ),
            (
                .duplicateName(nil, line: 1, column: 2),
                "line 1, column 2: the object has two members with the same name."
            ),
            (.notUTF8(line: 1, column: 2), "line 1, column 2: the bytes are not UTF-8."),
            (.nulCharacter(line: 1, column: 2), "line 1, column 2: the character U+0000 cannot be stored."),
            (
                .loneSurrogate(line: 1, column: 2),
                "line 1, column 2: the string that ends here has half of a surrogate pair."
            ),
            (
                .numberOutOfRange(line: 1, column: 2),
                "line 1, column 2: the number is larger or longer than can be stored."
            ),
            (.syntax(line: 3, column: 7, message: "']' expected near '}'"), "line 3, column 7: ']' expected near '}'."),
        ]
        for (failure, sentence) in failures { #expect(failure.description == sentence) }
    }
}

extension JSONValue {
    init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONFailure) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}
