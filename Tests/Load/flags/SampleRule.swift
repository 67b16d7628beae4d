import AlmanacTargeting

struct SampleRule {
    let name: String
    /// True if the rule has a goal for its time.
    var hasGoal: Bool { name == "sem_ver and split" }
    private let set: FlagSet
    private let context: EvaluationContext

    private static let rules: [(name: String, rule: String)] = [
        ("no rule", "{}"),
        ("var ==", #"{"if":[{"==":[{"var":"plan"},"enterprise"]},"on","off"]}"#),
        ("var, nested, <", #"{"if":[{"<":[18,{"var":"user.age"}]},"on","off"]}"#),
        ("in 3", #"{"if":[{"in":[{"var":"country"},["NO","SE","DK"]]},"on","off"]}"#),
        ("in 1,000", ""),
        ("in text", #"{"if":[{"in":["@example.com",{"var":"email"}]},"on","off"]}"#),
        (
            "starts_with and ends_with",
            #"{"if":[{"and":[{"starts_with":[{"var":"email"},"pet"]},"#
                + #"{"ends_with":[{"var":"email"},".com"]}]},"on","off"]}"#
        ),
        ("sem_ver", #"{"if":[{"sem_ver":[{"var":"version"},">=","2.10.0"]},"on","off"]}"#),
        ("split", #"{"fractional":[["on",50],["off",50]]}"#),
        ("split by cat", #"{"fractional":[{"cat":[{"var":"$flagd.flagKey"},{"var":"email"}]},["on",50],["off",50]]}"#),
        (
            "sem_ver and split",
            #"{"if":[{"sem_ver":[{"var":"version"},">=","2.10.0"]},"#
                + #"{"fractional":[["on",50],["off",50]]},"off"]}"#
        ),
        (
            "sem_ver, in and split",
            #"{"if":[{"and":[{"sem_ver":[{"var":"version"},">=","2.10.0"]},"#
                + #"{"in":[{"var":"country"},["NO","SE","DK"]]}]},{"fractional":[["on",50],["off",50]]},"off"]}"#
        ),
        ("ramp", #"{"almanac.ramp":[[["2026-07-01T00:00:00Z",0],["2026-08-01T00:00:00Z",100]],"on","off"]}"#),
        ("date", #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=","2026-07-01T00:00:00Z"]},"on","off"]}"#),
    ]

    /// The context of all evaluations.
    static let contextJSON = """
        {"targetingKey":"5f0c2c9e-7d0a-4f6e-8b6f-1c2d3e4f5a6b","plan":"enterprise","email":"peter.pan@example.com",
        "country":"NO","version":"2.11.3-beta.1","user":{"name":"Peter","age":42},"tags":["a","b"],"beta":true}
        """

    static func all() throws -> [SampleRule] {
        let members = (0..<1000).map { "\"customer-\($0 * 7)@example.com\"" }.joined(separator: ",")
        return try rules.map { name, rule in
            let rule = rule.isEmpty ? "{\"if\":[{\"in\":[{\"var\":\"email\"},[\(members)]]},\"on\",\"off\"]}" : rule
            let text = """
                {"flags":{"a-flag":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
                "targeting":\(rule)}}}
                """
            let set = try FlagSet(try FlagValue(json: text), fractional: .version3)
            guard set.faults.isEmpty else { throw set.faults[0] }
            return SampleRule(name: name, set: set, context: try EvaluationContext(json: Array(contextJSON.utf8)))
        }
    }

    /// Returns the nanoseconds of one evaluation, the best of several runs, and the allocations of 1,000 evaluations.
    func measured() -> (Double, Int?) {
        let clock = ContinuousClock()
        var best = Double.infinity
        for _ in 0..<7 {
            let time = clock.measure { repeated(20_000) }
            best = min(best, time / .nanoseconds(20_000))
        }
        let before = Allocations.count
        repeated(1000)
        let after = Allocations.count
        return (best, before.flatMap { before in after.map { $0 - before } })
    }

    private func repeated(_ times: Int) {
        for round in 0..<times {
            let evaluation = set.evaluate(0, for: context, now: 1_784_000_000 + Int64(round & 1))
            precondition(evaluation.error == nil)
        }
    }
}

extension String {
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - utf8.count)) + self }
}
