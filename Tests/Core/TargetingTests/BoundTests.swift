import AlmanacTargeting
import Testing

/// Checks the bounds on what callers and definitions may cost. Without them, these cases crash the process, or take
/// minutes or gigabytes.
@Suite struct BoundTests {
    private func error(of rule: String, _ context: String = "{}") throws -> String? {
        let context = try EvaluationContext(json: Array(context.utf8))
        let set = try flagSet(rule)
        #expect(set.explain("flag", for: context, now: 0).evaluation.error?.message != nil)
        return set.evaluate("flag", for: context, now: 0).error?.message
    }

    private func flag(_ number: Int, _ rule: String) -> String {
        #""f\#(number)":{"state":"ENABLED","variants":{"true":1,"false":2},"targeting":\#(rule)}"#
    }

    private func repeated(_ part: String, _ count: Int) -> String {
        Array(repeating: part, count: count).joined(separator: ",")
    }

    @Test func `a value that is put into itself is stopped before it is too deep`() throws {
        let deeper = String(repeating: "[", count: 50) + #"{"var":"accumulator"}"# + String(repeating: "]", count: 50)
        for result in [#"{"!":[RULE]}"#, "RULE", #"{"if":[{"==":[RULE,1]},"on"]}"#, #"{"cat":[RULE]}"#] {
            let reduction = #"{"reduce":[[\#(repeated("0", 1400))],\#(deeper),"q"]}"#
            let rule = result.replacing("RULE", with: reduction)
            #expect(try error(of: rule) == "the rule returns a value nested deeper than 64", "\(result)")
        }
        // The value around an operator's input counts too.
        let around = #"{"reduce":[[\#(repeated("0", 100))],{"var":""},"q"]}"#
        #expect(try error(of: around) == "the rule returns a value nested deeper than 64")
        let context = "{\"a\":\(String(repeating: "[", count: 62) + String(repeating: "]", count: 62))}"
        #expect(try flagSet(#"{"if":[{"!":[[{"var":"a"}]]},"on","off"]}"#).answer(context) == "off TARGETING_MATCH")
    }

    @Test(arguments: [
        #"{"if":[{"==":[{"reduce":[[ONES],[ACC,ACC],"x"]},1]},"on"]}"#, #"{"reduce":[[ONES],[ACC,ACC],"x"]}"#,
        #"{"if":[{"in":["x",{"reduce":[[ONES],[ACC,ACC],"x"]}]},"on"]}"#,
        #"{"if":[{"missing":[{"reduce":[[ONES],{"merge":[ACC,ACC]},["x"]]}]},"on"]}"#,
    ]) func `a value that doubles with each element is stopped`(rule: String) throws {
        let rule = rule.replacing("ONES", with: repeated("1", 40)).replacing("ACC", with: #"{"var":"accumulator"}"#)
        #expect(try error(of: rule) == "the rule does more than 200000 steps")
    }

    @Test func `long texts, names and numbers are paid for where rules read them`() throws {
        let long = String(repeating: "7", count: 900_000)
        for (context, part) in [
            ("{\"a\":\"\(long)\"}", #"{"cat":[{"var":"a"}]}"#), ("{\"a\":\"\(long)\"}", #"{"substr":[{"var":"a"},1]}"#),
            ("{\"a\":\"\(long)\"}", #"{"substr":["x",{"var":"a"}]}"#), ("{\"a\":\"\(long)\"}", #"{"var":"a.length"}"#),
            ("{\"a\":\"\(long)\"}", #"{"almanac.date":["2026-07-01T00:00:00Z","<",{"var":"a"}]}"#),
            ("{\"a\":\"\(long)\"}", #"{"<":[1,2,{"var":"a"}]}"#),
            ("{\"a\":\"\(long)\"}", #"{"almanac.version":[{"var":"a"},"<","1"]}"#),
            ("{\"a\":\"\(long)\"}", #"{"almanac.network":[{"var":"a"},"::/0"]}"#),
            ("{\"a\":0.\(long)}", #"{"==":[{"var":"a"},1]}"#), ("{\"a\":0.\(long)}", #"{"cat":[{"var":"a"}]}"#),
            ("{\"a\":0.\(long)}", #"{"sem_ver":[{"var":"a"},"=","1.0.0"]}"#),
            ("{\"targetingKey\":\"\(long)\"}", #"{"fractional":[["on",1],["off",1]]}"#),
            ("{\"a\":{\"\(long)\":1}}", #"{"==":[{"var":"a"},1]}"#),
        ] {
            // Four uses exceed the budget, one does not.
            let fourUses = #"{"and":[\#(repeated(#"[\#(part)]"#, 4)),"on"]}"#
            #expect(try flagSet(fourUses).answer(context) == "GENERAL ERROR", "\(part)")
            let once = #"{"and":[[\#(part)],"on"]}"#
            #expect(try flagSet(once).answer(context) == "on TARGETING_MATCH", "\(part)")
        }
    }

    @Test(arguments: [#"{"var":""}"#, #"{"missing":[{"var":"targetingKey"}]}"#, #"{"var":[{"var":"targetingKey"}]}"#])
    func `a context whose names are put in order, and names that are taken apart, cost more`(rule: String) throws {
        let long = String(repeating: "7", count: 450_000)
        let context = "{\"\(long)a\":1,\"\(long)b\":2,\"targetingKey\":\"\(String(repeating: ".", count: 100_000))\"}"
        #expect(try flagSet(#"{"and":[[\#(rule)],[\#(rule)],[\#(rule)],"on"]}"#).answer(context) == "GENERAL ERROR")
    }

    @Test func `shared rules that refer to a shared rule twice each ask for its flags once`() throws {
        let shared = (1...28).map { #""e\#($0)":{"and":[{"$ref":"e\#($0 - 1)"},{"$ref":"e\#($0 - 1)"}]}"# }
        let set = try FlagSet(
            try FlagValue(
                json: """
                    {"flags":{"a":{"state":"ENABLED","variants":{"on":1}},"b":{"state":"ENABLED","variants":{"on":1},
                    "targeting":{"if":[{"$ref":"e28"},"on"]}}},
                    "$evaluators":{"e0":{"==":[{"almanac.flag":"a"},"on"]},\(shared.joined(separator: ","))}}
                    """), fractional: .version3)
        #expect(set.faults.isEmpty && set.flags[1].dependencies == [0])
    }

    @Test func `a rule asks for at most a hundred flags`() throws {
        func set(_ count: Int) throws -> FlagSet {
            let flags = (0..<count).map { #""f\#($0)":{"state":"ENABLED","variants":{"on":1}}"# }
            let asked = (0..<count).map { #"{"almanac.flag":"f\#($0)"}"# }
            return try FlagSet(
                try FlagValue(
                    json: """
                        {"flags":{\(flags.joined(separator: ",")),"z":{"state":"ENABLED","variants":{"on":1},
                        "targeting":{"if":[{"$ref":"all"},"on"]}}},
                        "$evaluators":{"all":{"or":[\(asked.joined(separator: ","))]}}}
                        """), fractional: .version3)
        }
        #expect(try set(100).flags[100].dependencies.count == 100)
        let message = try set(101).faults.first?.message
        #expect(message == "the rule and its shared rules depend on more than 100 flags")
    }

    @Test func `flags in one circle are all broken, and each names a few of them`() throws {
        let flags = (0..<3000).map { number in
            flag(number, #"{"if":[{"almanac.flag":"f\#((number + 1) % 3000)"},"true"]}"#)
        }
        let set = try FlagSet(
            try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        #expect(set.faults.count == 3000 && set.flags.allSatisfy { $0.fault != nil })
        #expect(set.faults[0].message == "flags depend on each other in a cycle: f0, f1, f2, f3, f4 and 2995 more")
        #expect(try set.answer("{}", key: "f17") == "PARSE_ERROR ERROR")
    }

    @Test func `flags that ask for flags of a circle are not in it`() throws {
        func flag(_ key: String, _ referencedKeys: String...) -> String {
            let asked = referencedKeys.map { #"{"==":[{"almanac.flag":"\#($0)"},"x"]}"# }.joined(separator: ",")
            let rule = referencedKeys.isEmpty ? "{}" : #"{"if":[{"or":[\#(asked)]},"on"]}"#
            return #""\#(key)":{"state":"ENABLED","variants":{"on":1},"defaultVariant":"on","targeting":\#(rule)}"#
        }
        let flags = [
            flag("a", "b", "c"), flag("b", "a"), flag("c", "b", "d"), flag("d"), flag("e", "c", "d"), flag("f", "f"),
            flag("g", "d", "e"),
        ]
        let set = try FlagSet(
            try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        #expect(set.flags.filter { $0.fault != nil }.map { $0.key } == ["a", "b", "c", "f"])
        #expect(
            Set(set.faults.map { $0.message }) == [
                "flags depend on each other in a cycle: a, b, c", "flags depend on each other in a cycle: f",
            ])
        #expect(try set.answer("{}", key: "g") == "GENERAL ERROR")
    }

    @Test func `many flags together do no more than one request may`() throws {
        func set(_ count: Int) throws -> FlagSet {
            let flags = (0..<count).map { number in
                flag(number, #"{"in":["group-7",{"var":"groups"}]}"#)
            }
            return try FlagSet(
                try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        }
        let groups = repeated("\"group-1\"", 90_000)
        let context = try EvaluationContext(json: Array("{\"groups\":[\(groups)]}".utf8))
        var evaluated = 0
        let tenFlags = try set(10)
        try tenFlags.evaluate(Array(tenFlags.flags.indices), for: context, now: 0) { evaluated += $1.variantIndex ?? 0 }
        #expect(evaluated == 10)
        let thousandFlags = try set(1000)
        evaluated = 0
        let fault = #expect(throws: EvaluationFault.self) {
            try thousandFlags.evaluate(Array(thousandFlags.flags.indices), for: context, now: 0) { _, _ in
                evaluated += 1
            }
        }
        #expect(fault?.code == "GENERAL" && (15..<20).contains(evaluated))
    }

    @Test func `what several flags say costs a request once`() throws {
        let flags = (0..<1000).map { number in
            flag(number, #"{"if":[{"in":["group-7",{"var":"groups"}]},"true"]}"#)
        }
        let set = try FlagSet(
            try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        let groups = repeated("\"group-1\"", 90_000)
        let context = try EvaluationContext(json: Array("{\"groups\":[\(groups)]}".utf8))
        var evaluated = 0
        try set.evaluate(Array(set.flags.indices), for: context, now: 0) { _, _ in evaluated += 1 }
        #expect(evaluated == 1000)
    }

    @Test func `an explanation is short whatever is compared`() throws {
        let comparisons = repeated(#"{"==":[{"var":"a"},{"var":"b"}]}"#, 600)
        let set = try flagSet(#"{"if":[{"or":[\#(comparisons)]},"on"]}"#)
        for (a, b) in [
            (repeated("1", 200), "x"),
            (repeated("[\"éééééééééé\"]", 60), String(repeating: "é", count: 600)),
            ("0." + String(repeating: "1", count: 4000), "y"),
        ] {
            let context = try EvaluationContext(json: Array("{\"a\":[\(a)],\"b\":\"\(b)\"}".utf8))
            let explanation = set.explain("flag", for: context, now: 0)
            #expect(explanation.evaluation.variant?.name == "off" && explanation.steps.count == 601)
            var bytes = explanation.branch.utf8.count
            for case .compared(let operands, _) in explanation.steps.map({ $0.finding }) {
                bytes += operands.reduce(0) { $0 + $1.json.utf8.count }
            }
            #expect(bytes < 601 * 2100)
            guard case .compared(let operands, _) = explanation.steps[0].finding else { continue }
            if case .string(let text) = operands[0] { #expect(text.hasPrefix("[") && text.hasSuffix("…")) }
        }
    }

    @Test func `the last findings of many are told, and how many there were`() throws {
        let numbers = repeated("1", 1000)
        let set = try flagSet(#"{"if":[{"some":[[\#(numbers)],{"some":[[1,2,3],{"==":[{"var":""},9]}]}]},"on","off"]}"#)
        let explanation = set.explain("flag", for: EvaluationContext(), now: 0)
        #expect(explanation.steps.count == 1000 && explanation.omitted == 2001)
        #expect(explanation.evaluation.variant?.name == "off")
        #expect(explanation.branch.contains("condition 1 of the if doesn't hold, so the else applies"))
    }

    @Test func `the patterns of all flags have a bound`() throws {
        let patterns = (0..<1200).map { #"{"almanac.matches":[{"var":"a"},"x{99\#($0 % 10)}"]}"# }
        let fault = try flagSet(#"{"if":[{"or":[\#(patterns.joined(separator: ","))]},"on"]}"#).faults.first
        #expect(fault?.message == "the patterns of all flags have more than 500000 steps together")
    }

    @Test func `metadata has a bound, for a flag and for all`() throws {
        func set(_ own: Int, _ shared: Int) throws -> FlagSet {
            let definition =
                #"{"state":"ENABLED","variants":{"on":1},"metadata":{"a":"\#(String(repeating: "x", count: own))"}}"#
            return try FlagSet(
                try FlagValue(
                    json: """
                        {"flags":{"f":\(definition)},"metadata":{"b":"\(String(repeating: "y", count: shared))"}}
                        """), fractional: .version3)
        }
        #expect(try set(8000, 8000).faults.isEmpty)
        #expect(
            try set(9000, 1).faults.map { "\($0.path) \($0.message)" } == [
                "/flags/f/metadata metadata must have at most 8192 bytes as JSON"
            ])
        #expect(try set(1, 9000).faults.map { $0.path } == ["/metadata"])
        #expect(try set(1, 9000).flags[0].metadata.members.map { $0.name } == ["a"])
    }

    @Test func `a sample of callers with a long list ends early`() throws {
        let set = try flagSet(
            #"{"fractional":[{"cat":[{"var":"$flagd.flagKey"},{"var":"email"}]},["on",1],["off",1]]}"#)
        let context = try EvaluationContext(json: Array("{\"email\":[\(repeated("1", 100_000))]}".utf8))
        var stepsLeft = FlagSet.maxSteps
        let sample = FlagSample(
            of: "flag", in: set, for: context, ids: FlagSample.ids(10_000), now: 0, stepsLeft: &stepsLeft)
        #expect((5..<30).contains(sample.sampled) && stepsLeft <= 0)
    }

    @Test func `a sample with a path of many names ends early`() throws {
        let path = "missing" + String(repeating: ".x", count: 40_000)
        let set = try flagSet(#"{"if":[{"var":"\#(path)"},"on","off"]}"#)
        var stepsLeft = FlagSet.maxSteps
        let sample = FlagSample(of: "flag", in: set, ids: FlagSample.ids(10_000), now: 0, stepsLeft: &stepsLeft)
        #expect((100..<1000).contains(sample.sampled) && stepsLeft <= 0)
    }

    @Test func `a pattern of many alternatives finds each of them`() throws {
        let words = (0..<150).map { "w\($0)e" }
        let set = try flagSet(
            #"{"if":[{"almanac.matches":[{"var":"a"},"^(\#(words.joined(separator: "|")))$"]},"on"]}"#)
        for word in words { #expect(try set.answer("{\"a\":\"\(word)\"}") == "on TARGETING_MATCH") }
        for other in ["w150e", "w1", "w1ew2e", "e", ""] {
            #expect(try set.answer("{\"a\":\"\(other)\"}") == "off DEFAULT")
        }
    }

    @Test func `a segment of a hundred thousand ids is found in and explained`() throws {
        let ids = FlagArray((0..<100_000).map { .string("user-\($0)-0123456789abcdef") })
        let key = try FlagValue(json: #"{"var":"targetingKey"}"#)
        let segment = FlagValue.object(try #require(FlagObject([FlagObject.Member("in", [key, .array(ids)])])))
        let flag = try FlagValue(
            json: #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
                + #""targeting":{"if":[{"$ref":"segment"},"on"]}}"#)
        let set = FlagSet(
            try #require(FlagObject([FlagObject.Member("flag", flag)])),
            evaluators: try #require(FlagObject([FlagObject.Member("segment", segment)])), fractional: .version3)
        #expect(set.faults.isEmpty)
        for (id, value) in [("user-7-0123456789abcdef", true), ("user-7", false)] as [(FlagValue, FlagValue)] {
            let context = EvaluationContext(try #require(FlagObject([FlagObject.Member("targetingKey", id)])))
            #expect(set.evaluate("flag", for: context, now: 0).value == value)
            #expect(set.explain("flag", for: context, now: 0).evaluation.value == value)
        }
    }
}
