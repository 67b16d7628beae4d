import AlmanacJSON
import Testing

@Suite struct NumberTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "0.1", "1.0", "-0.0", "1.10", "100", "1e5", "1E5", "1e+5", "1E-5", "1e005", "0e0",
        "1e308", "1e-308",
        "9007199254740993", "9223372036854775808", "123456789012345678901234567890", "3.141592653589793238462643383279",
        "0.30000000000000004", String(repeating: "9", count: 300), "0." + String(repeating: "1", count: 398),
        "0." + String(repeating: "0", count: 350) + "1",
    ])
    func `digits stay as they were written`(digits: String) throws {
        for (before, after) in [("", ""), (" ", "\n"), ("[", "]"), (#"{"1":"#, "}"), (#"[2,"3",-4,""#, #"",5]"#)] {
            let text = before + digits + after
            let value = try JSONValue(parsing: text)
            #expect(value.serialized() == Array(text.filter { !$0.isWhitespace }.utf8))
        }
        #expect(try JSONValue(parsing: digits).numberValue?.text == digits)
    }

    @Test(arguments: [
        (#"["12",3]"#, ["3"]), (#"["\"12",3]"#, ["3"]), (#"["\\",1.50,"\\\"7",2]"#, ["1.50", "2"]),
        (#"{"12":3,"4":"5","-6":[7,"8"]}"#, ["3", "7"]), (#"[true,1e2,false,null,-0]"#, ["1e2", "-0"]),
        (#"["\u0031",2,"\n3\t",4]"#, ["2", "4"]), ("[1,\n2\t,3\r]", ["1", "2", "3"]), (#"["é9",1]"#, ["1"]),
        (#"{"z":1,"a":{"y":2,"b":3},"m":[4,{"c":5}],"k":6}"#, ["1", "2", "3", "4", "5", "6"]),
    ])
    func `only number tokens count, in the order of the text`(text: String, numbers: [String]) throws {
        #expect(try JSONValue(parsing: text).numbersInOrder == numbers)
    }

    @Test func `each number of a large object keeps its own digits`() throws {
        let text = "{" + (0..<10_000).map { "\"key.\($0 * 7919 % 10_007)\":\($0).50" }.joined(separator: ",") + "}"
        let object = try #require(try JSONValue(parsing: text).objectValue)
        #expect(object.count == 10_000)
        for position in 0..<10_000 {
            #expect(object["key.\(position * 7919 % 10_007)"]?.numberValue?.text == "\(position).50")
        }
    }

    @Test(arguments: [
        ("1e309", 5), ("1E+309", 6), ("1e-309", 6), ("-1e309", 6), ("0e309", 5), ("1e131071", 8), ("10e308", 6),
        ("1e99999999999999999999", 22), ("1e-99999999999999999999", 23), (String(repeating: "9", count: 309), 309),
        (String(repeating: "9", count: 401), 401), ("0." + String(repeating: "1", count: 399), 401),
        ("0." + String(repeating: "1", count: 100_000), 100_002),
    ])
    func `numbers beyond a double are refused`(digits: String, length: Int) {
        #expect(throws: JSONFailure.numberOutOfRange(line: 1, column: length)) { try JSONValue(parsing: digits) }
        #expect(throws: JSONFailure.numberOutOfRange(line: 2, column: 4 + length)) {
            try JSONValue(parsing: "[\n1, " + " " + digits + "]")
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("-9223372036854775808", .min), ("9223372036854775807", .max),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("-0.0", nil),
        ] as [(String, Int64?)])
    func `an integer that was written as one and fits has its value`(digits: String, value: Int64?) throws {
        #expect(try JSONValue(parsing: digits).numberValue?.int64 == value)
    }

    @Test func `integers become numbers`() {
        #expect(JSONNumber(Int64.min).text == "-9223372036854775808")
        #expect(JSONNumber(7).int64 == 7)
    }
}

extension JSONValue {
    /// The digits of all numbers in the value, in order.
    fileprivate var numbersInOrder: [String] {
        switch self {
        case .number(let number): [number.text]
        case .array(let elements): elements.flatMap(\.numbersInOrder)
        case .object(let object): object.members.flatMap(\.value.numbersInOrder)
        default: []
        }
    }
}
