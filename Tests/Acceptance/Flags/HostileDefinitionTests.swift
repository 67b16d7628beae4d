import AlmanacJSON
import AlmanacTestSupport
import Testing

/// A flag definition with the expected problem, and with its outcome if the server stores it leniently.
private struct Definition: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// The problem, or nil if the definition is valid.
    let problem: String?
    /// The path to the fault, or nil if the problem is not about a flag.
    let path: String?
    /// The outcome of an evaluation, or nil if the definition can't be stored.
    let outcome: String?

    init(_ name: String, _ text: String, _ problem: String?, at path: String? = nil, _ outcome: String?) {
        (self.name, self.text, self.problem, self.path, self.outcome) = (name, text, problem, path, outcome)
    }

    /// Returns a definition with the given rule, the variants `on` and `off`, and the default `off`.
    static func rule(_ name: String, _ rule: String, at path: String, _ outcome: String) -> Definition {
        Definition(name, FlagsEnvironment.flag(rule), "invalid-flag", at: "/targeting\(path)", outcome)
    }

    var testDescription: String { name }
}

extension Live {
    @Suite struct HostileDefinitionTests {
        private static func deep(_ count: Int) -> String {
            String(repeating: #"{"!":["#, count: count) + "true" + String(repeating: "]}", count: count)
        }

        private static let parts = Array(repeating: #"{"var":"a"}"#, count: 20_000).joined(separator: ",")
        private static let weight = "/fractional/0"

        private static let rules: [Definition] = [
            .rule("an unknown operator", #"{"regex":[1]}"#, at: "/regex", "PARSE_ERROR"),
            .rule(
                "an unknown operator inside", #"{"if":[{"==":[1,{"exec":["rm"]}]},"on"]}"#,
                at: "/if/0/==/1/exec", "PARSE_ERROR"),
            .rule("two operators", #"{"==":[1,1],"!=":[1,1]}"#, at: "", "GENERAL"),
            .rule("20,000 parts", #"{"or":[\#(parts)]}"#, at: "/or/9999", "PARSE_ERROR"),
            .rule(
                "a shared rule that isn't there", #"{"if":[{"$ref":"nobody"},"on"]}"#, at: "/if/0/$ref", "PARSE_ERROR"),
            .rule("a flag that asks for itself", #"{"if":[{"almanac.flag":"bad"},"on"]}"#, at: "", "PARSE_ERROR"),
            .rule("a weight beyond 31 bits", #"{"fractional":[["on",99999999999],["off",1]]}"#, at: weight, "off"),
            .rule("a negative weight", #"{"fractional":[["on",-1],["off",1]]}"#, at: weight, "off"),
            .rule("a weight with a fraction", #"{"fractional":[["on",2.5],["off",1]]}"#, at: weight, "off"),
            .rule("a weight that is a text", #"{"fractional":[["on","5"],["off",1]]}"#, at: weight, "off"),
            .rule("a split of nothing", #"{"fractional":[]}"#, at: "/fractional", "off"),
            .rule(
                "an unknown relation of versions", #"{"if":[{"sem_ver":[{"var":"v"},"=>","1.0.0"]},"on","off"]}"#,
                at: "/if/0/sem_ver", "off"),
            .rule("a text for a rule", #""on""#, at: "", "PARSE_ERROR"),
            .rule("an array for a rule", "[]", at: "", "PARSE_ERROR"),
            .rule(
                "a pattern that isn't closed", #"{"if":[{"almanac.matches":[{"var":"e"},"("]},"on"]}"#,
                at: "/if/0/almanac.matches/1", "PARSE_ERROR"),
            .rule(
                "a pattern that looks back", #"{"if":[{"almanac.matches":[{"var":"e"},"(a)\\1"]},"on"]}"#,
                at: "/if/0/almanac.matches/1", "PARSE_ERROR"),
            .rule(
                "a pattern of a million steps",
                #"{"if":[{"almanac.matches":[{"var":"e"},"(a{1000}){1000}"]},"on"]}"#,
                at: "/if/0/almanac.matches/1", "PARSE_ERROR"),
            .rule(
                "a date that is none", #"{"if":[{"almanac.date":[{"var":"e"},"<","yesterday"]},"on"]}"#,
                at: "/if/0/almanac.date/2", "PARSE_ERROR"),
            .rule(
                "a ramp that goes back in time",
                #"{"almanac.ramp":[[["2026-07-01T00:00:00Z",50],["2026-06-01T00:00:00Z",60]],"on","off"]}"#,
                at: "/almanac.ramp", "PARSE_ERROR"),
        ]

        private static let otherDefinitions: [Definition] = [
            Definition("a number", "1", "invalid-flag", at: "", "PARSE_ERROR"),
            Definition("nothing in it", "{}", "invalid-flag", at: "/state", "PARSE_ERROR"),
            Definition(
                "an unknown state", #"{"state":"ON","variants":{"on":true}}"#, "invalid-flag", at: "/state",
                "PARSE_ERROR"),
            Definition(
                "no variants", #"{"state":"ENABLED","variants":{}}"#, "invalid-flag", at: "/variants", "PARSE_ERROR"),
            Definition(
                "a default that is no variant", #"{"state":"ENABLED","variants":{"on":true},"defaultVariant":"x"}"#,
                "invalid-flag", at: "/defaultVariant", "GENERAL"),
            Definition(
                "variants of two types", #"{"state":"ENABLED","variants":{"on":true,"xx":"x"},"defaultVariant":"xx"}"#,
                "invalid-flag", at: "/variants/xx", "xx"),
            Definition("40 operators deep", FlagsEnvironment.flag(deep(40)), "limit-exceeded", nil),
            Definition("10,000 operators deep", FlagsEnvironment.flag(deep(10_000)), "limit-exceeded", nil),
            Definition("NUL", FlagsEnvironment.flag(#"{"==":["\u0000",1]}"#), "invalid-value", nil),
            Definition("half a pair", FlagsEnvironment.flag(#"{"==":["\ud800",1]}"#), "invalid-value", nil),
            Definition(
                "a weight beyond a double", FlagsEnvironment.flag(#"{"fractional":[["on",1e400]]}"#), "invalid-value",
                nil),
            Definition(
                "two members of a name", #"{"state":"ENABLED","state":"DISABLED","variants":{"on":true}}"#,
                "invalid-json", nil),
            // Each weight is valid by itself. If the sum overflows or is zero, the flag serves its default.
            Definition(
                "weights whose sum overflows", FlagsEnvironment.flag(#"{"fractional":[["on",2147483647],["off",1]]}"#),
                nil, "off"),
            Definition(
                "weights that are all zero", FlagsEnvironment.flag(#"{"fractional":[["on",0]]}"#), nil, "off"),
        ]

        @Test(arguments: rules + otherDefinitions)
        fileprivate func `a broken definition is refused with its path, and stored leniently spoils no other`(
            definition: Definition
        ) throws {
            let environment = try FlagsEnvironment()
            try environment.put(#"{"sound":\#(FlagsEnvironment.sound)}"#)
            let before = try environment.revision()
            let answer = try environment.send("PUT", "config/bad", #"{"kind":"flag","value":\#(definition.text)}"#)
            if let problem = definition.problem {
                #expect(answer.problem == problem, "\(answer.text)")
                #expect(try environment.revision() == before)
            } else {
                #expect(answer.status == 201, "\(answer.text)")
            }
            if let path = definition.path {
                let fault = answer["faults"]?.arrayValue?.first?.objectValue
                #expect(fault?["key"]?.stringValue == "bad")
                #expect(fault?["path"]?.stringValue == path)
                #expect(fault?["message"]?.stringValue?.isEmpty == false)
            }
            let lenient = try environment.send(
                "PUT", "flags.json?lenient=true",
                #"{"flags":{"sound":\#(FlagsEnvironment.sound),"bad":\#(definition.text)}}"#)
            #expect((lenient.status == 200) == (definition.outcome != nil), "\(lenient.text)")
            let outcomes = try environment.evaluate(#"{"targetingKey":"u1","plan":"pro"}"#).outcomes()
            #expect(outcomes["sound"] == "on")
            #expect(outcomes["bad"] == definition.outcome)
        }

        @Test func `shared rules and flags in a circle are refused, whichever is written last`() throws {
            let environment = try FlagsEnvironment()
            let circle = try environment.send(
                "PUT", "flags.json",
                #"{"flags":{"a":\#(FlagsEnvironment.flag(#"{"if":[{"$ref":"x"},"on"]}"#))},"#
                    + #""$evaluators":{"x":{"!":{"$ref":"y"}},"y":{"!":{"$ref":"x"}}}}"#)
            #expect(circle.problem == "invalid-flag", "\(circle.text)")
            let other = FlagsEnvironment.flag(#"{"if":[{"almanac.flag":"a"},"on"]}"#)
            try environment.put(#"{"a":\#(FlagsEnvironment.sound),"b":\#(other)}"#)
            let before = try environment.revision()
            let closing = try environment.send(
                "PUT", "config/a", #"{"value":\#(FlagsEnvironment.flag(#"{"if":[{"almanac.flag":"b"},"on"]}"#))}"#)
            #expect(closing.problem == "invalid-flag", "\(closing.text)")
            #expect(try environment.revision() == before)
        }

        @Test(arguments: ["^(a+)+$", "^(a|a)*$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){20}", "a*a*a*a*a*a*b"])
        func `a pattern that is slow elsewhere is answered for a long text`(pattern: String) throws {
            let environment = try FlagsEnvironment()
            let rule = #"{"if":[{"almanac.matches":[{"var":"text"},"\#(pattern)"]},"on","off"]}"#
            try environment.put(#"{"slow":\#(FlagsEnvironment.flag(rule))}"#)
            // A backtracking engine would take exponential time for each text.
            for count in [40, 4000, 400_000] {
                let text = String(repeating: "a", count: count) + "!"
                let answer = try environment.evaluate(#"{"text":"\#(text)"}"#, flag: "slow")
                // A text over the budget yields an error.
                #expect(answer.status == 200 || (count > 4000 && answer.errorCode == "GENERAL"), "\(answer.text)")
            }
        }
    }
}
