import AlmanacTargeting

/// A set of flags for one caller, in equal thirds: no rule, a version and a split, a list and a comparison.
struct SampleSet {
    private let set: FlagSet
    private let context: EvaluationContext
    static let count = 350

    init() throws {
        let rules = [
            "{}",
            #"{"if":[{"sem_ver":[{"var":"version"},">=","2.10.0"]},{"fractional":[["on",50],["off",50]]},"off"]}"#,
            #"{"if":[{"and":[{"in":[{"var":"country"},["NO","SE","DK"]]},"#
                + #"{"==":[{"var":"plan"},"enterprise"]}]},"on","off"]}"#,
        ]
        let flags = (0..<Self.count).map { number in
            "\"feature.number-\(number)\":{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"off\":false},"
                + "\"defaultVariant\":\"off\",\"targeting\":\(rules[number % 3])}"
        }
        set = try FlagSet(try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        guard set.faults.isEmpty else { throw set.faults[0] }
        context = try EvaluationContext(json: Array(SampleRule.contextJSON.utf8))
    }

    /// Returns the microseconds for evaluating all flags, one by one and together, the best of several runs.
    func measured() throws -> (each: Double, together: Double) {
        let clock = ContinuousClock()
        let places = Array(set.flags.indices)
        var (each, together) = (Double.infinity, Double.infinity)
        var picked = 0
        for round in 0..<60 {
            let now = 1_784_000_000 + Int64(round)
            let one = clock.measure {
                for place in places where set.evaluate(place, for: context, now: now).variantIndex == 0 { picked += 1 }
            }
            let all = try clock.measure {
                try set.evaluate(places, for: context, now: now) { if $1.variantIndex == 0 { picked -= 1 } }
            }
            (each, together) = (min(each, one / .microseconds(1)), min(together, all / .microseconds(1)))
        }
        precondition(picked == 0)
        return (each, together)
    }
}
