import AlmanacHTTP
import AlmanacJSON
import Testing

@testable import AlmanacConfigDomain

@Suite struct RepresentationTests {
    private func nested(_ keys: [String]) throws -> String {
        String(decoding: try Representation.nested(keys.map { ($0, [UInt8(ascii: "1")]) }), as: UTF8.self)
    }

    @Test(
        arguments: [
            ([], "{}"), (["a"], #"{"a":1}"#), (["a.b"], #"{"a":{"b":1}}"#),
            (["a.b", "a.c.d", "a.c.e", "b"], #"{"a":{"b":1,"c":{"d":1,"e":1}},"b":1}"#),
            (["a-b.c", "a.b"], #"{"a-b":{"c":1},"a":{"b":1}}"#), (["a.", "b..c"], #"{"a":{"":1},"b":{"":{"c":1}}}"#),
            (["a.b.c", "a.x", "a.b.d"], #"{"a":{"b":{"c":1,"d":1},"x":1}}"#),
        ] as [([String], String)])
    func `keys are split at their dots`(keys: [String], expected: String) throws {
        #expect(try nested(keys) == expected)
    }

    @Test(arguments: [
        ["a", "a.b"], ["a.b", "a"], ["a.b", "a.b.c.d"], ["a.b.c.d", "a.b"], ["x", "a.", "a..b"], ["a", "a."],
    ])
    func `a key that is a value cannot be the beginning of another`(keys: [String]) {
        let problem = #expect(throws: ConfigRefusal.keyNotNestable(keys.last ?? "")) { try nested(keys) }?.problem
        #expect(problem?.kind == .keysNotNestable)
        #expect(problem?.detail.contains("'\(keys.last ?? "")'") == true)
    }

    @Test func `an array and an object hold the bytes they were given, in order`() {
        #expect(Representation.array([]) == Array("[]".utf8))
        #expect(Representation.array([Array("1".utf8), Array("{}".utf8)]) == Array("[1,{}]".utf8))
        #expect(
            Representation.object([("b", Array("0.10".utf8)), ("a", Array("[ ]".utf8))])
                == Array(#"{"b":0.10,"a":[ ]}"#.utf8))
    }
}
