import AlmanacTargeting
import Testing

@Suite struct ExplanationTests {
    private func told(_ rule: String, _ context: String, now: Int64 = 0) throws -> [String] {
        let set = try flagSet(rule, evaluators: #"{"staff":{"ends_with":[{"var":"email"},"@example.com"]}}"#)
        let context = try EvaluationContext(json: Array(context.utf8))
        let explanation = set.explain("flag", for: context, now: now)
        #expect(explanation.evaluation.variant?.name == set.evaluate("flag", for: context, now: now).variant?.name)
        return explanation.steps.map { step in
            let finding =
                switch step.finding {
                case .compared(let operands, let result): "\(FlagValue.array(operands).json) \(result.json)"
                case .condition(let holds, let branch): "\(holds) \(branch.map { "\($0)" } ?? "none")"
                case .split(let share, let bucket): "\(Int(share * 100)) % \(bucket.map { "\($0)" } ?? "none")"
                case .ramp(let percent, let isIn): "\(percent) \(isIn)"
                case .nothingToSplitBy: "nothing"
                case .flag(let key, let variant): "\(key) \(variant ?? "none")"
                }
            return step.path.replacing("/flags/flag/targeting", with: "") + ": " + finding
        }
    }

    @Test(arguments: [
        (#"{"if":[{"==":[{"var":"plan"},"pro"]},"on","off"]}"#, ["/if/0/==: [\"pro\",\"pro\"] true", "/if: true 1"]),
        (
            #"{"if":[{"==":[{"var":"plan"},"x"]},"on",{"<":[{"var":"age"},18]},"on"]}"#,
            [
                "/if/0/==: [\"pro\",\"x\"] false", "/if: false 2", "/if/2/<: [42,18] false", "/if: false none",
            ]
        ),
        (
            #"{"if":[{"in":[{"var":"plan"},["pro","team"]]},"on"]}"#,
            ["/if/0/in: [\"pro\",[\"pro\",\"team\"]] true", "/if: true 1"]
        ),
        (
            #"{"if":[{"!":[{"starts_with":[{"var":"email"},"a"]}]},"on"]}"#,
            [
                "/if/0/!/0/starts_with: [\"a@example.com\",\"a\"] true", "/if: false none",
            ]
        ),
        (
            #"{"if":[{"!":{"sem_ver":[{"var":"version"},">=","2.0.0"]}},"on"]}"#,
            [
                "/if/0/!/sem_ver: [\"1.2.3\",\">=\",\"2.0.0\"] false", "/if: true 1",
            ]
        ),
        (#"{"fractional":[["on",50],["off",50]]}"#, ["/fractional: 94 % 1"]),
        (#"{"fractional":[{"var":"nothing"},["on",50],["off",50]]}"#, ["/fractional: nothing"]),
        (
            #"{"if":[{"$ref":"staff"},"on"]}"#,
            ["/$evaluators/staff/ends_with: [\"a@example.com\",\"@example.com\"] true", "/if: true 1"]
        ),
        (#"{"almanac.ramp":[[["1970-01-01",0],["1970-01-02",50]],"on"]}"#, ["/almanac.ramp: 25.0 false"]),
        (
            #"{"if":[{"almanac.matches":[{"var":"email"},"^a@"]},"on"]}"#,
            ["/if/0/almanac.matches: [\"a@example.com\"] true", "/if: true 1"]
        ),
        (
            #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},"<","1970-02-01"]},"on"]}"#,
            [
                "/if/0/almanac.date: [43200,\"<\",\"1970-02-01\"] true", "/if: true 1",
            ]
        ),
    ]) func `the branch and what led to it are told`(rule: String, steps: [String]) throws {
        let context = #"{"targetingKey":"u1","plan":"pro","age":42,"email":"a@example.com","version":"1.2.3"}"#
        #expect(try told(rule, context, now: 43_200) == steps)
    }

    @Test func `what another flag came to is told, and how`() throws {
        let text = """
            {"flags":{"base":{"state":"ENABLED","variants":{"on":true},"targeting":{"if":[{"var":"a"},"on"]}},
            "flag":{"state":"ENABLED","variants":{"on":true},"targeting":{"if":[{"almanac.flag":["base"]},"on"]}}}}
            """
        let set = try FlagSet(try FlagValue(json: text), fractional: .version3)
        let paths = set.explain("flag", for: try EvaluationContext(json: Array(#"{"a":1}"#.utf8)), now: 0).steps.map(
            \.path)
        #expect(
            paths == [
                "/flags/base/targeting/if", "/flags/flag/targeting/if/0/almanac.flag", "/flags/flag/targeting/if",
            ])
    }
}
