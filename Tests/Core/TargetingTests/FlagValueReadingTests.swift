import AlmanacTargeting
import Testing

@Suite struct FlagValueReadingTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1.50", "9007199254740993", "1E+2", "123456789012345678901234567890",
        #""""#, #""a\u0000b""#, #""é日🐢""#, "[]", "[1,[2]]", "{}", #"{"b":1,"a":{"c":[]}}"#, #""\u001f""#,
    ]) func `what was written is written again`(text: String) throws {
        #expect(try FlagValue(json: text).json == text)
    }

    @Test(arguments: [
        (#" [ 1 , "\u00e9\ud83d\udc22\/\n" ] "#, "[1,\"é🐢/\\u000a\"]"), (#"{"a" : null}"#, #"{"a":null}"#),
    ]) func `spaces and escapes are read`(text: String, again: String) throws {
        #expect(try FlagValue(json: text).json == again)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "01", "+1", ".5", "1.", "1e", "-", "0x10", "NaN", "Infinity", "1 2", "[1,]", "[,]",
        "[1",
        "{", #"{"a"}"#, #"{"a":1,}"#, "{a:1}", "'a'", "\"a", "\"a\n\"", #""\x""#, #""\u12g4""#, "1e999", "-1e999",
        #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, "[1]]", "\u{FEFF}1",
    ]) func `what is no JSON is refused`(text: String) {
        #expect(throws: JSONFault.self) { try FlagValue(json: text) }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]] {
            #expect(throws: JSONFault.self) { try FlagValue(json: bytes) }
        }
    }

    @Test func `a name that comes twice among many is found`() {
        let names = (0..<100).map { "\"n\($0)\":1" }
        #expect(throws: JSONFault.self) {
            try FlagValue(json: "{" + (names + ["\"n57\":2"]).joined(separator: ",") + "}")
        }
    }

    @Test func `depth and length are bounded`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try FlagValue(json: deep).json == deep)
        let deeper = [String(repeating: "[", count: 65), String(repeating: "{\"a\":", count: 1_000_000)]
        for text in deeper { #expect(throws: JSONFault.self) { try FlagValue(json: text) } }
        let long = Array("[\"\(String(repeating: "x", count: 1 << 20))\"]".utf8)
        #expect(throws: JSONFault.self) { try FlagValue(json: long, maxBytes: 1 << 20) }
    }

    @Test(arguments: ["[]", "\"u\"", "null", "", #"{"a":1e400}"#, #"{"a":1,"a":1}"#])
    func `a context is an object`(text: String) {
        #expect(throws: JSONFault.self) { try EvaluationContext(json: Array(text.utf8)) }
    }

    @Test func `a context of a mebibyte is taken, and one byte more is not`() throws {
        let text = "{\"a\":\"" + String(repeating: "x", count: (1 << 20) - 8) + "\"}"
        #expect(text.utf8.count == 1 << 20)
        _ = try EvaluationContext(json: Array(text.utf8))
        #expect(throws: JSONFault.self) { try EvaluationContext(json: Array((text + " ").utf8)) }
    }
}
