import AlmanacTargeting
import Testing

@Suite struct HostileTests {
    @Test func `a rule that is deep is refused`() throws {
        var rule = FlagValue.bool(true)
        for _ in 0..<10_000 { rule = ["!": [rule]] }
        let fault = #expect(throws: FlagFault.self) { try Rule(rule, fractional: .version3) }
        #expect(fault?.message.contains("deep") == true)
        // The nesting is the deepest that JSON allows.
        let text = String(repeating: "{\"!\":[", count: 25) + "true" + String(repeating: "]}", count: 25)
        #expect(try flagSet(text).answer("{}").hasPrefix("PARSE_ERROR") == false)
    }

    @Test func `a rule that is huge is refused`() throws {
        let many = Array(repeating: #"{"var":"a"}"#, count: 20_000).joined(separator: ",")
        let set = try flagSet(#"{"or":[\#(many)]}"#)
        #expect(set.faults.first?.message.contains("more than 10000 nodes") == true)
    }

    @Test func `shared rules that double each time are stopped`() throws {
        let evaluators =
            (0..<60).map { number in
                #""e\#(number)":{"and":[{"$ref":"e\#(number + 1)"},{"$ref":"e\#(number + 1)"}]}"#
            } + [#""e60":{"==":[1,1]}"#]
        let set = try flagSet(#"{"if":[{"$ref":"e0"},"on"]}"#, evaluators: "{\(evaluators.joined(separator: ","))}")
        let answer = try set.answer("{}")
        #expect(answer == "GENERAL ERROR" || answer == "PARSE_ERROR ERROR")
        let fewer = try flagSet(#"{"if":[{"$ref":"e30"},"on"]}"#, evaluators: "{\(evaluators.joined(separator: ","))}")
        #expect(try fewer.answer("{}") == "GENERAL ERROR")
    }

    @Test func `arrays inside arrays and texts that double are stopped`() throws {
        let numbers = "{\"a\":[\(Array(repeating: "1", count: 3000).joined(separator: ","))]}"
        for rule in [
            #"{"some":[{"var":"a"},{"!":[{"all":[[1,2,3,4,5,6,7,8,9,10],{"all":[[1,2,3,4,5,6,7,8,9,10],true]}]}]}]}"#,
            #"{"reduce":[{"var":"a"},{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"xy"]}"#,
            #"{"reduce":[{"var":"a"},{"merge":[{"var":"accumulator"},{"var":"accumulator"}]},[1]]}"#,
        ] {
            #expect(try flagSet(rule).answer(numbers) == "GENERAL ERROR")
        }
    }

    @Test func `comparing a long text again and again is stopped`() throws {
        let numbers = Array(repeating: "1", count: 20_000).joined(separator: ",")
        let context = "{\"a\":[\(numbers)],\"b\":\"\(String(repeating: "x.", count: 400_000))\"}"
        for rule in [
            #"{"==":[{"var":"accumulator"},{"var":"accumulator"}]}"#, #"{"var":[{"var":"accumulator"}]}"#,
            #"{"in":["y",{"var":"accumulator"}]}"#, #"{"+":[{"var":"accumulator"}]}"#,
        ] {
            let rule =
                #"{"reduce":[{"var":"a"},{"if":[\#(rule),{"var":"accumulator"},{"var":"accumulator"}]},{"var":"b"}]}"#
            #expect(try flagSet(rule).answer(context) == "GENERAL ERROR")
        }
    }

    @Test(arguments: [
        #"{"targetingKey":"\u0000"}"#, #"{"targetingKey":1e308}"#, #"{"targetingKey":[]}"#, #"{"targetingKey":{}}"#,
        #"{"targetingKey":null,"a":{"b":null}}"#, #"{"$flagd":{"flagKey":"other","timestamp":"x"},"a":[[[]]]}"#,
        #"{"a":123456789012345678901234567890,"b":-1e-320}"#, #"{"a":"2026-07-01T00:00:00Z"}"#,
    ]) func `odd contexts are answered`(context: String) throws {
        for rule in [
            #"{"fractional":[["on",1],["off",1]]}"#, #"{"if":[{"==":[{"var":"a"},{"var":"a.b.c"}]},"on"]}"#,
            #"{"fractional":[{"var":"a"},["on",1],["off",1]]}"#, #"{"if":[{"<":[{"var":"a"},{"var":"b"}]},"on"]}"#,
            #"{"if":[{"sem_ver":[{"var":"a"},"<","1.0.0"]},"on"]}"#,
            #"{"if":[{"almanac.date":[{"var":"a"},"<","2026-01-01T00:00:00Z"]},"on"]}"#,
            #"{"if":[{"in":[{"var":"a"},{"var":"targetingKey"}]},"on"]}"#, #"{"if":[{"cat":[{"var":""}]},"on"]}"#,
        ] {
            for version in [FractionalVersion.version2, .version3] {
                #expect(try flagSet(rule, fractional: version).answer(context).hasSuffix("ERROR") == false)
            }
        }
    }

    @Test func `the caller's own $flagd counts for nothing`() throws {
        let set = try flagSet(#"{"if":[{"==":[{"var":"$flagd.flagKey"},"flag"]},"on"]}"#)
        #expect(try set.answer(#"{"$flagd":{"flagKey":"other"}}"#) == "on TARGETING_MATCH")
    }
}
