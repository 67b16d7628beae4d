import AlmanacJSON
import Testing

@Suite struct EqualityTests {
    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"[{"a":[],"b":{}}]"#, #"[ {"b" : {}, "a": []} ]"#),
        (#""\u0041\/""#, #""A/""#), ("[1,2]", "[ 1 , 2 ]"), ("null", "null"),
    ])
    func `order of members, spaces and escapes do not matter`(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) == JSONValue(parsing: right))
    }

    @Test(arguments: [
        ("1", "1.0"), ("1e2", "100"), ("0", "-0"), ("1", "\"1\""), ("1", "true"), ("null", "false"), ("null", "\"\""),
        ("[]", "{}"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
        (#"{"a":1}"#, #"{"a":1,"b":1}"#), ("\"\u{e9}\"", "\"e\u{301}\""), ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
        (#""a""#, #""A""#),
    ])
    func `anything else does`(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) != JSONValue(parsing: right))
        #expect(try JSONValue(parsing: right) != JSONValue(parsing: left))
    }

    @Test(
        arguments: [
            (.null, .null, "null"), (true, .boolean, "boolean"), (1, .number, "number"), ("a", .string, "string"),
            ([], .array, "array"),
            ([:], .object, "object"),
        ] as [(JSONValue, JSONType, String)])
    func `a value knows its type and gives itself only as that`(value: JSONValue, type: JSONType, name: String) {
        #expect(value.type == type && type.rawValue == name)
        #expect((value.boolValue != nil) == (type == .boolean))
        #expect((value.numberValue != nil) == (type == .number))
        #expect((value.stringValue != nil) == (type == .string))
        #expect((value.arrayValue != nil) == (type == .array))
        #expect((value.objectValue != nil) == (type == .object))
    }
}
