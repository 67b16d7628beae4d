import AlmanacJSON
import Testing

@Suite struct LimitTests {
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `64 levels pass and 65 do not`(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth - 1) + (open == "[" ? "[]" : "{}")
                + String(repeating: close, count: depth - 1)
        }
        #expect(try JSONValue(parsing: nested(64)).serialized() == Array(nested(64).utf8))
        #expect(throws: JSONFailure.tooDeep(limit: 64)) { try JSONValue(parsing: nested(65)) }
    }

    @Test func `brackets beside each other or in strings are not depth`() throws {
        let beside = "[" + Array(repeating: "[]", count: 200).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: beside).arrayValue?.count == 200)
        let quoted = "\"\\\"" + String(repeating: "[{", count: 200) + "\""
        #expect(try JSONValue(parsing: quoted).stringValue?.utf8.count == 401)
    }

    @Test func `the depth can be chosen`() throws {
        var limits = JSONLimits()
        limits.depth = 0
        #expect(try JSONValue(parsing: "1", limits: limits) == 1)
        #expect(throws: JSONFailure.tooDeep(limit: 0)) { try JSONValue(parsing: "[]", limits: limits) }
        limits.depth = 10_000
        let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)
        #expect(throws: JSONFailure.tooDeep(limit: 2048)) { try JSONValue(parsing: deep, limits: limits) }
    }

    @Test func `a text of the largest size passes and one byte more does not`() throws {
        var limits = JSONLimits()
        limits.bytes = 10
        #expect(try JSONValue(parsing: "\"12345678\"", limits: limits) == "12345678")
        #expect(throws: JSONFailure.tooLarge(limit: 10)) { try JSONValue(parsing: "\"123456789\"", limits: limits) }
        #expect(throws: JSONFailure.tooLarge(limit: 4 << 20)) {
            try JSONValue(parsing: [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        }
    }

    @Test func `containers, members, values and elements are counted`() throws {
        var limits = JSONLimits()
        (limits.containers, limits.values, limits.elements) = (3, 6, 4)
        #expect(try JSONValue(parsing: "[[],{},1]", limits: limits).arrayValue?.count == 3)
        #expect(throws: JSONFailure.tooManyContainers(limit: 3)) {
            try JSONValue(parsing: "[[],{},[]]", limits: limits)
        }
        #expect(throws: JSONFailure.tooManyValues(limit: 6)) {
            try JSONValue(parsing: "[1,2,[3,4,5,6,7]]", limits: limits)
        }
        #expect(throws: JSONFailure.tooManyElements(5, limit: 4)) {
            try JSONValue(parsing: "[1,2,3,4,5]", limits: limits)
        }
        limits.members = 2
        #expect(try JSONValue(parsing: #"[{"a":1},{"a":2}]"#, limits: limits).arrayValue?.count == 2)
        #expect(throws: JSONFailure.tooManyMembers(limit: 2)) {
            try JSONValue(parsing: #"[{"a":1,"b":1},{"c":2}]"#, limits: limits)
        }
        // Commas, colons and brackets inside strings do not count.
        #expect(try JSONValue(parsing: #"["[{,,,,,,,","}"]"#, limits: limits).arrayValue?.count == 2)
    }

    @Test func `four mebibytes of brackets are refused`() {
        #expect(throws: JSONFailure.tooDeep(limit: 64)) {
            try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 4 << 20))
        }
    }
}
