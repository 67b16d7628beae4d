import AlmanacTargeting
import Testing

@Suite struct JSONLogicTests {
    /// Runs the 278 cases common to the engines of JSON Logic, from the PyPI package datalogic-py 5.9.0 (Apache
    /// License 2.0).
    @Test func `the common cases of JSON Logic come out`() throws {
        guard case .array(let cases) = try FlagValue(json: try lines(of: "json-logic.json").joined(separator: "\n"))
        else { return #expect(Bool(false)) }
        #expect(cases.count == 278)
        for case .array(let parts) in cases {
            let rule = try Rule(parts[0], fractional: .version3)
            #expect(try rule.value(of: parts[1]) == parts[2], "\(FlagValue.array(parts).json)")
        }
    }

    @Test(arguments: [
        // Engines differ in these cases; the expected results are JavaScript's.
        (#"{"==":[null,0]}"#, "false"), (#"{"==":[null,false]}"#, "false"), (#"{"==":["",0]}"#, "true"),
        (#"{"==":[" 7 ",7]}"#, "true"), (#"{"==":[true,"1"]}"#, "true"), (#"{"==":[[1],[1]]}"#, "false"),
        (#"{"==":[[1,2],"1,2"]}"#, "true"), (#"{"===":[1,true]}"#, "false"), (#"{"===":[1,1.0]}"#, "true"),
        (#"{"in":[true,[1]]}"#, "false"), (#"{"%":[-1,2]}"#, "-1"), (#"{"<":[null,1]}"#, "true"),
        (#"{"<":["10","9"]}"#, "true"), (#"{"<":["10",9]}"#, "false"), (#"{"<":["a",1]}"#, "false"),
        (#"{"cat":["a",null,true,1.0,1.50,[1,[2]]]}"#, #""atrue11.51,2""#),
        (#"{"+":[0.1,0.2]}"#, "0.30000000000000004"),
        (#"{"max":[1,"x"]}"#, "null"), (#"{"/":[1,0]}"#, "null"), (#"{"substr":["żółw🐢!",-2]}"#, #""🐢!""#),
        (#"{"substr":["abc",9]}"#, #""""#), (#"{"var":["tags.1",0]}"#, #""b""#), (#"{"var":"tags.length"}"#, "2"),
        (#"{"var":"tags.-1"}"#, "null"), (#"{"var":"tags.01"}"#, "null"), (#"{"var":{"cat":["na","me"]}}"#, #""Ada""#),
        (#"{"reduce":[{"var":"tags"},{"cat":[{"var":"accumulator"},{"var":"current"}]},{"var":"name"}]}"#, #""Adaab""#),
        (#"{"map":[{"var":"tags"},{"var":"$flagd.flagKey"}]}"#, "[null,null]"),
    ]) func `what engines differ in is as in JavaScript`(rule: String, result: String) throws {
        let value = try Rule(try FlagValue(json: rule), fractional: .version3)
            .value(of: try FlagValue(json: #"{"name":"Ada","tags":["a","b"]}"#))
        #expect(value.json == result)
    }

    @Test func `texts are compared by their bytes`() throws {
        let rule = try Rule(try FlagValue(json: #"{"==":[{"var":"a"},{"var":"b"}]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"é","b":"e\u0301"}"#)) == false)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\u00e9","b":"é"}"#)) == true)
    }

    @Test func `a rule finds attributes among many`() throws {
        let members = (0..<500).map { "\"attribute\($0)\":\($0)" }.joined(separator: ",")
        for number in [0, 7, 499] {
            let rule = try Rule(try FlagValue(json: "{\"var\":\"attribute\(number)\"}"), fractional: .version3)
            #expect(try rule.value(of: try FlagValue(json: "{\(members)}")).json == "\(number)")
        }
    }
}
