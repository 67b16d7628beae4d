import AlmanacTargeting
import Testing

@Suite struct BulkTests {
    /// What evaluations leave behind, if any does: steps that are used up, an error thrown from within an array or from
    /// within a flag that another asks for.
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
        let context = try EvaluationContext(
            json: Array(#"{"targetingKey":"u1","plan":"pro","many":[\#(many)]}"#.utf8))
        let alone = set.flags.indices.map { told(set.evaluate($0, for: context, now: 7)) }
        #expect(alone.contains("GENERAL") && Set(alone).count > 3)
        for places in [Array(set.flags.indices), set.flags.indices.reversed(), [2, 3, 2, 4, 3, 8], []] {
            var together: [String] = []
            var order: [Int] = []
            set.evaluate(places, for: context, now: 7) {
                order.append($0)
                together.append(told($1))
            }
            #expect(order == places)
            #expect(together == places.map { alone[$0] })
        }
    }

    private func told(_ evaluation: Evaluation) -> String {
        evaluation.error?.code ?? "\(evaluation.variant?.name ?? "-") \(evaluation.reason.name)"
    }
}
