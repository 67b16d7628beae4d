import AlmanacTargeting
import Testing

@Suite struct BulkTests {
    /// Rules whose evaluation could affect the next one: exhausted steps, or an error thrown within an array or within
    /// another flag.
    private static let rules = [
        "{}", #"{"if":[{"==":[{"var":"plan"},"pro"]},"on"]}"#,
        #"{"reduce":[{"var":"many"},{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"xy"]}"#,
        #"{"if":[{"var":"plan"},"on"]}"#, #"{"some":[{"var":"many"},{"almanac.flag":"flag-2"}]}"#,
        #"{"if":[{"almanac.flag":"flag-5"},"on"]}"#, #"{"if":[{"var":"many.0"},"blue"]}"#,
        #"{"fractional":[["on",50],["off",50]]}"#, #"{"if":[{"==":[{"var":"$flagd.flagKey"},"flag-8"]},"on"]}"#,
    ]

    @Test(arguments: [FractionalVersion.version2, .version3])
    func `flags come out together as each by itself, whatever comes before`(version: FractionalVersion) throws {
        let flags = Self.rules.enumerated().map { number, rule in
            "\"flag-\(number)\":{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"off\":false},"
                + "\"defaultVariant\":\"off\",\"targeting\":\(rule)}"
        }
        let set = try FlagSet(try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: version)
        let many = Array(repeating: "1", count: 3000).joined(separator: ",")
        let context = try EvaluationContext(json: Array(#"{"targetingKey":"u1","plan":"pro","many":[\#(many)]}"#.utf8))
        let alone = set.flags.indices.map { summary(set.evaluate($0, for: context, now: 7)) }
        #expect(alone.contains("GENERAL") && Set(alone).count > 3)
        for places in [Array(set.flags.indices), set.flags.indices.reversed(), [2, 3, 2, 4, 3, 8], []] {
            var together: [String] = []
            var order: [Int] = []
            try set.evaluate(places, for: context, now: 7) {
                order.append($0)
                together.append(summary($1))
            }
            #expect(order == places)
            #expect(together == places.map { alone[$0] })
        }
    }

    /// Conditions shared by many flags, which lead to different results in them.
    private static let conditions = [
        #"{"==":[{"var":"plan"},"pro"]}"#, #"{"and":[{"in":[{"var":"country"},["NO","SE"]]},{"var":"plan"}]}"#,
        #"{"sem_ver":[{"var":"version"},">=","2.10.0"]}"#, #"{"$ref":"is-pro"}"#, #"{"var":"missing.name"}"#,
        #"{"==":[{"var":"$flagd.flagKey"},"flag-7"]}"#, #"{"in":["flag-1",{"var":["$flagd.flagKey"]}]}"#,
        #"{"some":[{"var":"many"},{"==":[{"var":""},"1"]}]}"#, #"{"<":[{"var":"$flagd.timestamp"},8]}"#,
        #"{"fractional":[["yes",1],["",1]]}"#, #"{"==":[{"cat":[{"var":"plan"},"-",{"var":["none","x"]}]},"pro-x"]}"#,
        #"{"missing":["plan","$flagd.flagKey"]}"#, #"{"almanac.matches":[{"var":"plan"},"pr."]}"#,
        #"{"almanac.matches":[{"var":"plan"},"px."]}"#, "true", #""off""#,
        // The cost is so high that one flag may contain only a few.
        #"{"in":["1",{"var":"large"}]}"#,
    ]

    @Test(arguments: [FractionalVersion.version2, .version3])
    func `what many rules say counts for each as if it were said once`(version: FractionalVersion) throws {
        var random = SystemRandomNumberGenerator()
        let flags = (0..<600).map { number in
            var parts: [String] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                parts.append(Self.conditions.randomElement(using: &random) ?? "true")
                parts.append(
                    ["\"on\"", "\"off\"", "true", "null", #"{"fractional":[["on",1],["off",2]]}"#, "7"]
                        .randomElement(using: &random) ?? "null")
            }
            if Bool.random(using: &random) { parts.append("\"on\"") }
            return "\"flag-\(number)\":{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"off\":false,\"true\":true},"
                + "\"defaultVariant\":\"off\",\"targeting\":{\"if\":[\(parts.joined(separator: ","))]}}"
        }
        let text =
            "{\"flags\":{\(flags.joined(separator: ","))},"
            + #""$evaluators":{"is-pro":{"==":[{"var":"plan"},"pro"]}}}"#
        let set = try FlagSet(try FlagValue(json: text), fractional: version)
        let large = String(repeating: "ab", count: 150_000)
        for context in [
            #"{"targetingKey":"u1","plan":"pro","country":"NO","version":"2.11.0","many":["2","1"],"#
                + #""large":"\#(large)"}"#,
            #"{"targetingKey":"u2","plan":"prx","country":"DE","version":"2.9.9"}"#, "{}",
        ] {
            let context = try EvaluationContext(json: Array(context.utf8))
            let alone = set.flags.indices.map { summary(set.evaluate($0, for: context, now: 7)) }
            var together: [String] = []
            try set.evaluate(Array(set.flags.indices), for: context, now: 7) {
                together.append(summary($1))
            }
            #expect(together == alone)
        }
    }

    @Test func `conditions of very many parts are told apart`() throws {
        // The two conditions have 256 and 257 parts.
        let parts = (0..<256).map { #"{"==":[{"var":"\#($0 == 0 ? "none" : "plan")"},"pro"]}"# }.joined(separator: ",")
        let flags = [#"{"or":[{"and":[\#(parts)]}]}"#, #"{"or":[{"and":[]},\#(parts)]}"#].enumerated().flatMap {
            place, condition in
            // Each condition appears twice, so that several flags share it.
            (0..<2).map {
                "\"flag-\(place)-\($0)\":{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"off\":false},"
                    + "\"defaultVariant\":\"off\",\"targeting\":{\"if\":[\(condition),\"on\",\"off\"]}}"
            }
        }
        let set = try FlagSet(
            try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        let context = try EvaluationContext(json: Array(#"{"plan":"pro"}"#.utf8))
        let alone = set.flags.indices.map { summary(set.evaluate($0, for: context, now: 7)) }
        #expect(Set(alone).count == 2)
        var together: [String] = []
        try set.evaluate(Array(set.flags.indices), for: context, now: 7) { together.append(summary($1)) }
        #expect(together == alone)
    }

    private func summary(_ evaluation: Evaluation) -> String { summary(evaluation.outcome) }

    private func summary(_ outcome: Evaluation.Outcome) -> String {
        outcome.error?.code ?? "\(outcome.variantIndex.map { "\($0)" } ?? "-") \(outcome.reason.name)"
    }
}
