import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct NumberTests {
    @Test func `numbers keep the digits they were written with`() throws {
        let instance = try ConfigInstance()
        let numbers = [
            "0.1", "9007199254740993", "1.0", "1.10", "-0.0001", "123456789012345678901234567890", "0",
            "0.30000000000000004", "18446744073709551615", "-9223372036854775809",
        ]
        for number in numbers {
            try instance.put("n", number)
            let entry = try instance.call("GET", "/config/n").body
            #expect(entry.contains(#""value":\#(number),"#), "\(number): \(entry)")
            #expect(try instance.call("GET", "/config.json").body == #"{"n":\#(number)}"#)
            #expect(try instance.call("GET", "/config?at=\(instance.snapshot.head.revision)").entries == "n=\(number)")
        }
        #expect(instance.snapshot.head.revision == Int64(numbers.count))
        #expect(instance.snapshot.head.version.major == 1)
    }

    @Test(
        arguments: [("1e2", "100"), ("1E+2", "100"), ("1.5e1", "15"), ("1e-2", "0.01"), ("-0", "0"), ("1e308", nil)]
            as [(String, String?)])
    func `an exponent is written out, and writing it twice changes nothing`(number: String, stored: String?) throws {
        let instance = try ConfigInstance()
        try instance.put("n", number)
        if let stored { #expect(try instance.call("GET", "/config").entries == "n=\(stored)") }
        let again = try instance.put("n", number)
        #expect(again[member: "entries"] == .some([]) && again.revision == 1)
    }

    @Test func `one and one point zero are written differently, so that is a change of value`() throws {
        let instance = try ConfigInstance()
        try instance.put("n", "1")
        #expect(try instance.put("n", "1.0")["Almanac-Version"] == "1.0.1")
    }

    @Test func `a number too long to write out is refused as one`() throws {
        let instance = try ConfigInstance()
        let digits = String(repeating: "7", count: 380)
        for number in ["1e309", "-1e309", "1e-309", "1e99999999999999999999", "0.\(digits)e-300", digits + digits] {
            let answer = try instance.call("PUT", "/config/n", #"{"value":\#(number)}"#)
            #expect(answer.outcome == "422 invalid-value", "\(number)")
        }
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `text comes back byte for byte`() throws {
        let instance = try ConfigInstance()
        for text in ["é", "e\u{301}", "😸", "\\u00e9", "a\\nb", "\\\"", "/", "\u{7f}"] {
            try instance.put("t", "\"\(text)\"")
            let revision = instance.snapshot.head.revision
            try instance.put("t", "\"\(text)\"")
            #expect(instance.snapshot.head.revision == revision)
        }
        try instance.put("t", "\"e\u{301}\"")
        #expect(Array(try instance.call("GET", "/config.json").body.utf8) == Array("{\"t\":\"e\u{301}\"}".utf8))
        #expect(try instance.put("t", "\"é\"").revision == instance.snapshot.head.revision)
        #expect(Array(try instance.call("GET", "/config.json").body.utf8) == Array("{\"t\":\"é\"}".utf8))
    }
}
