import AlmanacTargeting
import Testing

@Suite struct ExplanationTests {
    private func explanationSteps(_ rule: String, _ context: String, now: Int64 = 0) throws -> [String] {
        let set = try flagSet(rule, evaluators: #"{"staff":{"ends_with":[{"var":"email"},"@example.com"]}}"#)
        let context = try EvaluationContext(json: Array(context.utf8))
        let explanation = set.explain("flag", for: context, now: now)
        #expect(explanation.evaluation.variant?.name == set.evaluate("flag", for: context, now: now).variant?.name)
        return explanation.steps.map { step in
            let finding =
                switch step.finding {
                case .compared(let operands, let result): "\(FlagValue.array(FlagArray(operands)).json) \(result.json)"
                case .condition(let holds, let branch): "\(holds) \(branch.map { "\($0)" } ?? "none")"
                case .split(let share, let bucket): "\(Int(share * 100)) % \(bucket.map { "\($0)" } ?? "none")"
                case .bucket(let bucket, let count, let range):
                    "\(bucket) of \(count) \(range.map { "\($0)" } ?? "none")"
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
        #expect(try explanationSteps(rule, context, now: 43_200) == steps)
    }

    /// Returns the explanation of a rule for an operator.
    private func branch(_ rule: String, _ context: String, now: Int64 = 43_200) throws -> String {
        let set = try flagSet(rule, evaluators: #"{"staff":{"ends_with":[{"var":"email"},"@example.com"]}}"#)
        return set.explain("flag", for: try EvaluationContext(json: Array(context.utf8)), now: now).branch
    }

    @Test(arguments: [
        ("null", #"the flag has no rule, so its default applies: the variant is "off""#),
        (
            #"{"if":[{"==":[{"var":"plan"},"pro"]},"on","off"]}"#,
            #"condition 1 of the if holds (plan ("pro") == "pro": true); so the variant is "on""#
        ),
        (
            #"{"if":[{"==":[{"var":"plan"},"x"]},"on",{"<":[{"var":"age"},18]},"on","off"]}"#,
            #"none of the if's 2 conditions holds, so the else applies (plan ("pro") == "x": false; "#
                + #"age (42) < 18: false); "# + #"so the variant is "off""#
        ),
        (
            #"{"if":[{"==":[{"var":"plan"},"x"]},"off",{">":[{"var":"age"},18]},"on"]}"#,
            #"condition 2 of the if holds (plan ("pro") == "x": false; age (42) > 18: true); so the variant is "on""#
        ),
        (
            #"{"if":[{"var":"plan"},{"if":[{"in":[{"var":"country"},["DE","AT"]]},"on","off"]}]}"#,
            #"condition 1 of the if holds; condition 1 of the if doesn't hold, so the else applies "#
                + #"(country (missing) in ["DE","AT"]: false); so the variant is "off""#
        ),
        (
            #"{"if":[{"in":[{"var":"plan"},["pro","team"]]},"on"]}"#,
            #"condition 1 of the if holds (plan ("pro") in ["pro","team"]: true); so the variant is "on""#
        ),
        (
            #"{"if":[{"sem_ver":[{"var":"version"},">=","2.0.0"]},"on"]}"#,
            #"condition 1 of the if doesn't hold, and it has no else (version ("1.2.3") sem_ver >= "2.0.0": false); "#
                + #"the rule selects no variant, so the variant is "off""#
        ),
        (
            #"{"if":[{"sem_ver":[{"var":"age"},">=",{"var":"nothing"}]},"on","off"]}"#,
            #"condition 1 of the if doesn't hold, so the else applies (age (42) sem_ver >= nothing (missing): "#
                + #"can't be compared); so the variant is "off""#
        ),
        (
            #"{"if":[{"starts_with":[{"var":"email"},"a"]},"on"]}"#,
            #"condition 1 of the if holds (email ("a@example.com") starts_with "a": true); so the variant is "on""#
        ),
        (
            #"{"if":[{"$ref":"staff"},{"fractional":[["on",50],["off",50]]}]}"#,
            #"condition 1 of the if holds (email ("a@example.com") ends_with "@example.com": true); "#
                + #"the fractional places the caller at 94.22 %, in bucket 2 of 2, from 50 % to 100 %; "#
                + #"so the variant is "off""#
        ),
        (
            #"{"fractional":[{"var":"email"},["on",1],["off",2]]}"#,
            #"the fractional places the caller at 15.11 %, in bucket 1 of 2, from 0 % to 33.33 %; "#
                + #"so the variant is "on""#
        ),
        (
            #"{"fractional":[{"var":"team"},["on",50],["off",50]]}"#,
            "the fractional has no key: the context has no team; the rule selects no variant, "
                + #"so the variant is "off""#
        ),
        (
            #"{"almanac.ramp":[[["1970-01-01",0],["1970-01-02",50]],"on"]}"#,
            "the almanac.ramp includes 25 % of callers now, and the caller is outside; the rule selects no variant, "
                + #"so the variant is "off""#
        ),
        (
            #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},"<","1970-02-01"]},"on"]}"#,
            #"condition 1 of the if holds ($flagd.timestamp (43200) almanac.date < "1970-02-01": true); "#
                + #"so the variant is "on""#
        ),
        (
            #"{"if":[{"almanac.matches":[{"var":"email"},"^a@"]},"on"]}"#,
            #"condition 1 of the if holds (email ("a@example.com") almanac.matches: true); so the variant is "on""#
        ),
        (#"{"cat":["o","f","x"]}"#, #"the rule returned "ofx", which is not a variant of the flag"#),
        (#"{"oops":[1]}"#, "unknown operator at /flags/flag/targeting/oops"),
    ]) func `an operator reads which branch won and why`(rule: String, words: String) throws {
        let context = #"{"targetingKey":"u1","plan":"pro","age":42,"email":"a@example.com","version":"1.2.3"}"#
        #expect(try branch(rule, context) == words)
    }

    @Test func `an operator reads what is missing`() throws {
        #expect(
            try branch(#"{"fractional":[["on",50],["off",50]]}"#, #"{"plan":"pro"}"#)
                == "the fractional has no key: the context has no targetingKey; the rule selects no variant, "
                + #"so the variant is "off""#)
    }

    @Test func `an operator reads of flags that are off, unknown, without a default, or ask for others`() throws {
        let text = """
            {"flags":{"base":{"state":"ENABLED","variants":{"on":true},"targeting":{"if":[{"var":"a"},"on"]}},
            "bare":{"state":"ENABLED","variants":{"on":true}},
            "off":{"state":"DISABLED","variants":{"on":true},"defaultVariant":"on"},
            "flag":{"state":"ENABLED","variants":{"on":true},"targeting":
                {"if":[{"==":[{"almanac.flag":"base"},"on"]},"on"]}}}}
            """
        let set = try FlagSet(try FlagValue(json: text), fractional: .version3)
        func branch(_ key: String) throws -> String {
            set.explain(key, for: try EvaluationContext(json: Array(#"{"a":1}"#.utf8)), now: 0).branch
        }
        #expect(try branch("off") == "the flag is switched off: its state is DISABLED")
        #expect(
            try branch("bare")
                == "the flag has neither a rule nor a default, so the caller's default applies")
        #expect(try branch("nowhere") == "there is no such flag")
        #expect(
            try branch("flag")
                == #"condition 1 of the if holds (the flag base is "on"; almanac.flag ("on") == "on": true); "#
                + #"so the variant is "on""#)
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
