import AlmanacHTTP
import AlmanacJSON
import Testing

@testable import AlmanacConfigDomain

@Suite struct RepresentationTests {
    private func nested(_ keys: [String]) -> String {
        String(decoding: Representation.nested(keys.map { ($0, [UInt8(ascii: "1")]) }), as: UTF8.self)
    }

    @Test(
        arguments: [
            ([], "{}"), (["a"], #"{"a":1}"#), (["a.b"], #"{"a":{"b":1}}"#),
            (["a.b", "a.c.d", "a.c.e", "b"], #"{"a":{"b":1,"c":{"d":1,"e":1}},"b":1}"#),
            (["a-b.c", "a.b"], #"{"a-b":{"c":1},"a":{"b":1}}"#), (["a.", "b..c"], #"{"a":{"":1},"b":{"":{"c":1}}}"#),
            (["a.b.c", "a.x", "a.b.d"], #"{"a":{"b":{"c":1,"d":1},"x":1}}"#),
        ] as [([String], String)])
    func `keys are split at their dots`(keys: [String], expected: String) {
        #expect(nested(keys) == expected)
    }

    @Test(
        arguments: [
            (["a", "a.b"], #"{"a":1,"a.b":1}"#), (["a.b", "a"], #"{"a.b":1,"a":1}"#),
            (["a.b", "a.b.c.d", "a.c"], #"{"a":{"b":1,"b.c.d":1,"c":1}}"#),
            (["a.b.c.d", "a.b"], #"{"a":{"b.c.d":1,"b":1}}"#), (["a", "a.b", "a.b.c"], #"{"a":1,"a.b":1,"a.b.c":1}"#),
            (["x", "a.", "a..b"], #"{"x":1,"a":{"":1,".b":1}}"#), (["a", "a."], #"{"a":1,"a.":1}"#),
        ] as [([String], String)])
    func `what lies below a key that has a value stays undivided beside it`(keys: [String], expected: String) {
        #expect(nested(keys) == expected)
    }

    @Test func `an array and an object hold the bytes they were given, in order`() {
        #expect(Representation.array([]) == Array("[]".utf8))
        #expect(Representation.array([Array("1".utf8), Array("{}".utf8)]) == Array("[1,{}]".utf8))
        #expect(
            Representation.object([("b", Array("0.10".utf8)), ("a", Array("[ ]".utf8))])
                == Array(#"{"b":0.10,"a":[ ]}"#.utf8))
    }
}
