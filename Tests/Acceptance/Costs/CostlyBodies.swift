/// Request bodies within the limits that cost much processor time or memory.
enum CostlyBodies {
    static func repeated(_ part: String, _ count: Int) -> String {
        Array(repeating: part, count: count).joined(separator: ",")
    }

    static func numbered(_ count: Int, _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: ",")
    }

    /// Returns an object of 300,000 members, about as many as fit.
    @Sendable static func manyMembers() -> String { "{\(numbered(300_000) { "\"k\($0)\":1" })}" }

    /// Returns as many new entries as an environment may have.
    @Sendable static func entries() -> String {
        "{\(numbered(10_000) { "\"new-\($0)\":{\"size\":\($0),\"title\":\"Entry \($0)\"}" })}"
    }

    @Sendable static func members() -> String {
        "{\"a\":{\(numbered(100_000) { "\"name of member \($0)\":1" })}}"
    }

    @Sendable static func manyNumbers() -> String { "{\"a\":[\(repeated("1.5", 400_000))]}" }

    /// Returns the largest piece of an attachment.
    @Sendable static func piece() -> String {
        String(repeating: "So much is in a picture, says the word. ", count: 26_214)
    }

    /// Returns an array of empty objects, which take forty times as much memory as in JSON.
    @Sendable static func manyObjects() -> String { "[\(repeated("{}", 1_390_000))]" }

    static func escapes(_ count: Int) -> String { String(repeating: #"\u0001"#, count: count) }

    /// A context with 90,000 groups, without the group that the rules look for.
    static let groups = #"{"targetingKey":"u1","groups":[\#(numbered(90_000) { "\"g\($0)\"" })]}"#

    /// Returns 1,000 flags that each look for a group.
    @Sendable static func flags() -> String {
        let flags = numbered(1000) { #""flag-\#($0)":\#(FlagsEnvironment.flag(lookingForGroup))"# }
        return #"{"metadata":{"almanac.public":true},"flags":{\#(flags)}}"#
    }

    private static let lookingForGroup = #"{"if":[{"in":["group-7",{"var":"groups"}]},"on","off"]}"#

    /// Returns 3,000 flags that each refer to the next.
    @Sendable static func flagCycle() -> String {
        let flags = numbered(3000) {
            #""f\#($0)":\#(FlagsEnvironment.flag(#"{"if":[{"almanac.flag":"f\#(($0 + 1) % 3000)"},"on"]}"#))"#
        }
        return #"{"flags":{\#(flags)}}"#
    }

    /// Returns a file of LaunchDarkly with 4,000 flags.
    @Sendable static func foreignFlags() -> String {
        let rule = #"{"clauses":[{"attribute":"country","op":"in","values":["DE","AT"]}],"variation":0}"#
        let settings =
            #"{"on":true,"salt":"8d6f","offVariation":1,"fallthrough":{"variation":1},"rules":[\#(rule)]}"#
        let flags = numbered(4000) {
            #"{"key":"f\#($0)","variations":[{"value":true},{"value":false}],"environments":{"live":\#(settings)}}"#
        }
        return #"{"files":[{"name":"flags.json","content":{"items":[\#(flags)]}}]}"#
    }

    @Sendable static func entryCycle() -> String {
        let flags = numbered(3000) {
            let rule = #"{"if":[{"almanac.flag":"f\#(($0 + 1) % 3000)"},"on"]}"#
            return #""f\#($0)":{"kind":"flag","value":\#(FlagsEnvironment.flag(rule))}"#
        }
        return "{\(flags)}"
    }

    /// Returns shared rules that each refer to the previous one.
    @Sendable static func sharedRules() -> String {
        let rules = numbered(13_000) { #""e\#($0)":{"!":{"$ref":"e\#(max(0, $0 - 1))"}}"# }
        return #"{"flags":{},"$evaluators":{\#(rules)}}"#
    }

    @Sendable static func patterns() -> String {
        let patterns = numbered(3300) { #"{"almanac.matches":[{"var":"a"},"x{99\#($0 % 10)}"]}"# }
        let flags = numbered(8) { #""p\#($0)":\#(FlagsEnvironment.flag(#"{"if":[{"or":[\#(patterns)]},"on"]}"#))"# }
        return #"{"flags":{\#(flags)}}"#
    }

    @Sendable static func metadata() -> String {
        let variants = numbered(8000) { "\"v\($0)\":\($0)" }
        let metadata = #"{"note":"\#(String(repeating: "m", count: 100_000))"}"#
        return #"{"flags":{"m":{"state":"ENABLED","variants":{\#(variants)},"metadata":\#(metadata)}}}"#
    }

    private static func trial(_ rule: String, context: String = "{}") -> String {
        #"{"context":\#(context),"definition":\#(FlagsEnvironment.flag(rule))}"#
    }

    /// Returns a rule whose value doubles with each element.
    @Sendable static func doubling() -> String {
        let parts = #"[{"var":"accumulator"},{"var":"accumulator"}]"#
        return trial(#"{"if":[{"==":[{"reduce":[[\#(repeated("1", 40))],\#(parts),"x"]},1]},"on"]}"#)
    }

    /// Returns a rule whose value gets 50 levels deeper with each element.
    @Sendable static func nesting() -> String {
        let deeper = String(repeating: "[", count: 50) + #"{"var":"accumulator"}"# + String(repeating: "]", count: 50)
        return trial(#"{"!":[{"reduce":[[\#(repeated("0", 1400))],[\#(deeper)],"q"]}]}"#)
    }

    @Sendable static func longNumber() -> String {
        let number = String(repeating: "7", count: 1_000_000)
        let comparisons = repeated(#"{"==":[{"var":"a"},{"cat":[{"var":"a"},1]}]}"#, 100)
        return trial(#"{"if":[{"or":[\#(comparisons)]},"on"]}"#, context: "{\"a\":0.\(number)}")
    }

    /// Returns 600 comparisons of values that are long in an explanation.
    @Sendable static func comparisons() -> String {
        let rule = #"{"if":[{"or":[\#(repeated(#"{"==":[{"var":"a"},{"var":"b"}]}"#, 600))]},"on"]}"#
        return trial(rule, context: #"{"a":[\#(repeated("[1]", 200_000))],"b":"x"}"#)
    }

    /// Returns the sampling of a split whose attribute is a long list instead of a string.
    @Sendable static func sample() -> String {
        let rule = #"{"fractional":[{"cat":[{"var":"$flagd.flagKey"},{"var":"email"}]},["on",50],["off",50]]}"#
        let context = #"{"email":[\#(repeated("1", 500_000))]}"#
        return #"{"count":100000,\#(trial(rule, context: context).dropFirst())"#
    }

    @Sendable static func evaluation() -> String { #"{"context":\#(groups)}"# }

    /// The lines of a note of 900 KB.
    static let lines = (0..<15_000).map {
        "- [ ] buy \($0 * 7919 % 10_007) eggs, and call Zoë about the \($0 % 97)th\n"
    }

    /// Returns 60 edits of the note's first revision.
    @Sendable static func edits() -> String {
        let units = lines.reduce(0) { $0 + $1.utf16.count }
        let edits = numbered(60) {
            #"["updateNote",{"id":"long","base":1,"body":[\#($0 * 14_000),"edit \#($0) ",\#(units - $0 * 14_000)]}]"#
        }
        return "[\(edits)]"
    }

    /// Returns a delta that rewrites every third line of the note.
    static func rewriting() -> String {
        let units = lines.reduce(0) { $0 + $1.utf16.count }
        let text = lines.enumerated().map { $0 % 3 == 0 ? "- [x] done on day \($0)\n" : $1 }.joined()
        return "[\"\(text.replacing("\n", with: "\\n"))\",-\(units)]"
    }

    @Sendable static func wholeEdit() -> String { #"{"base":1,"body":\#(rewriting())}"# }
}
