import AlmanacJSON
import AlmanacTestSupport
import Testing

/// A request body with the expected status and error code.
private struct Body: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let status: Int
    let code: String?

    init(_ name: String, _ text: String, _ status: Int = 200, _ code: String? = nil) {
        (self.name, bytes, self.status, self.code) = (name, Array(text.utf8), status, code)
    }

    init(_ name: String, _ bytes: [UInt8], _ status: Int, _ code: String?) {
        (self.name, self.bytes, self.status, self.code) = (name, bytes, status, code)
    }

    /// Returns a body whose context has one attribute besides the plan.
    static func attribute(_ name: String, _ value: String, _ status: Int = 200, _ code: String? = nil) -> Body {
        Body(name, #"{"context":{"plan":"pro","a":\#(value)}}"#, status, code)
    }

    var testDescription: String { name }
}

extension Live {
    @Suite struct HostileContextTests {
        private static func text(_ count: Int) -> String { "\"" + String(repeating: "x", count: count) + "\"" }
        private static let frame = #"{"context":{"plan":"pro","a":}}"#.utf8.count

        private static let bodies: [Body] = [
            Body("no JSON", "nonsense", 400, "PARSE_ERROR"), Body("half of it", "{", 400, "PARSE_ERROR"),
            Body("something behind it", "{} x", 400, "PARSE_ERROR"),
            Body("NaN", #"{"context":{"a":NaN}}"#, 400, "PARSE_ERROR"),
            Body("a byte order mark", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], 400, "PARSE_ERROR"),
            Body("bytes that are no UTF-8", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], 400, "PARSE_ERROR"),
            Body("a zero byte", [0x7B, 0x22, 0x00, 0x22, 0x3A, 0x31, 0x7D], 400, "PARSE_ERROR"),
            Body("an array", "[]", 400, "INVALID_CONTEXT"), Body("null", "null", 400, "INVALID_CONTEXT"),
            Body("a context that is a text", #"{"context":"u1"}"#, 400, "INVALID_CONTEXT"),
            Body("a context that is a number", #"{"context":1}"#, 400, "INVALID_CONTEXT"),
            Body("a context that is an array", #"{"context":[]}"#, 400, "INVALID_CONTEXT"),
            Body("two of a name", #"{"context":{"plan":"free","plan":"pro"}}"#, 400, "INVALID_CONTEXT"),
            Body("two contexts", #"{"context":{},"context":{"plan":"pro"}}"#, 400, "INVALID_CONTEXT"),
            .attribute("half a pair", #""\ud800""#, 400, "PARSE_ERROR"),
            .attribute("a number beyond a double", "1e400", 400, "INVALID_CONTEXT"),
            .attribute("a number far below one", "-1e400", 400, "INVALID_CONTEXT"),
            .attribute("an exponent of ten digits", "1e9999999999", 400, "INVALID_CONTEXT"),
            .attribute(
                "10,000 digits", String(repeating: "9", count: 10_000), 400, "INVALID_CONTEXT"),
            .attribute(
                "100 arrays deep", String(repeating: "[", count: 100) + String(repeating: "]", count: 100), 400,
                "INVALID_CONTEXT"),
            .attribute(
                "100,000 arrays deep", String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
                400, "INVALID_CONTEXT"),
            .attribute("NUL", #""\u0000""#), .attribute("a tiny number", "1e-400"),
            .attribute("a date", #""2026-06-30""#),
            .attribute("a date that never was", #""2026-02-30T25:61:61Z""#), .attribute("a time beyond all", "1e300"),
            .attribute("20 digits", "12345678901234567890"), .attribute("an object", #"{"b":{"c":[{"d":null}]}}"#),
            Body("a key that is a number", #"{"context":{"plan":"pro","targetingKey":7}}"#, 400, "INVALID_CONTEXT"),
            Body("a key that is null", #"{"context":{"plan":"pro","targetingKey":null}}"#),
            Body("a key that is an object", #"{"context":{"plan":"pro","targetingKey":{}}}"#, 400, "INVALID_CONTEXT"),
            Body("Almanac's own attributes", #"{"context":{"plan":"pro","$flagd":{"flagKey":"x","timestamp":"x"}}}"#),
            .attribute("300,000 elements", "[" + Array(repeating: "1", count: 300_000).joined(separator: ",") + "]"),
            .attribute("1 MiB", text((1 << 20) - frame - 2)),
            .attribute("one byte more", text((1 << 20) - frame - 1), 413, "GENERAL"),
            .attribute("5 MiB", text(5 << 20), 413, "GENERAL"),
        ]

        /// Rules that read the attribute `a` in different ways. No value of `a` may cause an error.
        private static let rules: [(String, String)] = [
            ("cat", #"{"if":[{"cat":[{"var":"a"}]},"on","off"]}"#),
            ("date", #"{"if":[{"almanac.date":[{"var":"a"},"<","2026-07-01T00:00:00Z"]},"on","off"]}"#),
            ("in", #"{"if":[{"in":["x",{"var":"a"}]},"on","off"]}"#),
            ("less", #"{"if":[{"<":[{"var":"a"},10]},"on","off"]}"#),
            ("matches", #"{"if":[{"almanac.matches":[{"var":"a"},"^(x+)+$"]},"on","off"]}"#),
            ("some", #"{"if":[{"some":[{"var":"a"},{"==":[{"var":""},2]}]},"on","off"]}"#),
            ("split", #"{"fractional":[{"var":"a"},["on",50],["off",50]]}"#),
            ("version", #"{"if":[{"sem_ver":[{"var":"a"},">=","1.0.0"]},"on","off"]}"#),
        ]

        @Test(arguments: bodies)
        fileprivate func `a context is evaluated or refused in OFREP's words, and never anything else`(
            body: Body
        ) throws {
            let environment = try FlagsEnvironment()
            let flags = [("sound", FlagsEnvironment.sound)] + Self.rules.map { ($0.0, FlagsEnvironment.flag($0.1)) }
            try environment.put("{" + flags.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
            let bulk = try environment.evaluate(body.bytes)
            #expect(bulk.status == body.status, "\(bulk.text.prefix(500))")
            let single = try environment.evaluate(body.bytes, flag: "sound")
            #expect(single.status == body.status, "\(single.text.prefix(500))")
            if body.status == 200 {
                let outcomes = try bulk.outcomes()
                #expect(outcomes.count == flags.count)
                #expect(outcomes["sound"] == "on")
                // An evaluation over its budget fails for its own flag only.
                #expect(outcomes.values.allSatisfy { ["on", "off", "GENERAL"].contains($0) }, "\(outcomes)")
            } else {
                #expect(bulk.errorCode == body.code && single.errorCode == body.code)
                #expect(body.status != 400 || single["key"]?.stringValue == "sound")
            }
        }
    }
}
