import AlmanacJSON
import Testing

@Suite struct WriterTests {
    @Test func `commas come by themselves`() throws {
        var writer = JSONWriter(capacity: 100)
        writer.object { writer in
            writer.member(
                "a",
                array: { writer in
                    writer.integer(.min)
                    writer.boolean(true)
                    writer.boolean(false)
                    writer.null()
                    writer.array { _ in }
                    writer.object { _ in }
                    writer.number(JSONNumber(7))
                })
            writer.member("b\"", "é\n")
            writer.member("c", raw: "1.50")
            writer.member("d", raw: Array("[1,2]".utf8))
            writer.member("e", value: ["x": ["y", .null]])
            writer.member("f", value: .number(JSONNumber(7)))
        }
        let text = #"""
            {"a":[-9223372036854775808,true,false,null,[],{},7],"b\"":"é\n","c":1.50,"d":[1,2],"e":{"x":["y",null]},\#
            "f":7}
            """#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        #expect(try JSONValue(parsing: writer.bytes).serialized() == writer.bytes)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
        ("\n\r\t\u{8}\u{c}", #""\n\r\t\b\f""#),
        ("\u{1}\u{1f}", #""\u0001\u001F""#), ("é€𝄞", #""é€𝄞""#), ("é€𝄞\n", #""é€𝄞\n""#),
        ("\u{7f}\u{2028}", "\"\u{7f}\u{2028}\""),
        ("a\u{0}b", #""a\u0000b""#),
    ])
    func `strings are escaped where they must be`(text: String, json: String) {
        #expect(JSONValue.string(text).description == json)
    }

    @Test func `every character but U+0000 reads back`() throws {
        for scalar in (1...0x3000).compactMap(Unicode.Scalar.init) {
            let text = "a" + String(scalar) + "z"
            #expect(try JSONValue(parsing: JSONValue.string(text).serialized()) == .string(text))
        }
    }

    @Test func `objects and arrays are written by what they hold`() throws {
        let bytes = JSONWriter.object { writer in
            writer.member("text", "a \"b\"")
            writer.member("number", 43)
            writer.member("truth", true)
            writer.member("texts", ["x", "y"])
            writer.member("value", value: ["z": [1, .null]])
            writer.member("raw", raw: "1.50")
            writer.member("bytes", raw: Array("[]".utf8))
            writer.member("object", object: { $0.member("empty", object: { _ in }) })
            writer.member(
                "array",
                array: { writer in
                    writer.array { _ in }
                    writer.object { $0.member("a", 1) }
                    writer.integer(2)
                })
        }
        let expected = #"""
            {"text":"a \"b\"","number":43,"truth":true,"texts":["x","y"],"value":{"z":[1,null]},"raw":1.50,"bytes":[],\#
            "object":{"empty":{}},"array":[[],{"a":1},2]}
            """#
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `an error of a member is passed on`() {
        struct Broken: Error {}
        #expect(throws: Broken.self) { try JSONWriter.object { _ throws(Broken) in throw Broken() } }
    }
}
