public import AlmanacTargeting
import Testing

@Suite struct AlmanacOperatorTests {
    @Test(arguments: [
        ("9007199254740993", "9007199254740992"), ("-9007199254740992", "-9007199254740993"),
        ("123456789012345678901234567891", "123456789012345678901234567890"),
        ("18446744073709551616", "18446744073709551615"),
    ]) func `whole numbers are compared to the last digit`(larger: String, smaller: String) throws {
        func holds(_ name: String, _ left: String, _ right: String) throws -> Bool {
            let set = try flagSet(#"{"if":[{"\#(name)":[{"var":"a"},{"var":"b"}]},"on"]}"#)
            return try set.answer("{\"a\":\(left),\"b\":\(right)}") == "on TARGETING_MATCH"
        }
        for (name, expected) in [
            ("==", [true, false, false]), ("===", [true, false, false]), ("!=", [false, true, true]),
            ("<", [false, false, true]), ("<=", [true, false, true]), (">", [false, true, false]),
            (">=", [true, true, false]),
        ] {
            let pairs = [(larger, larger), (larger, smaller), (smaller, larger)]
            #expect(try pairs.map { try holds(name, $0, $1) } == expected, "\(name)")
        }
        #expect(
            try flagSet(#"{"if":[{"in":[{"var":"a"},[\#(smaller)]]},"on"]}"#).answer("{\"a\":\(larger)}")
                == "off DEFAULT")
    }

    @Test(arguments: [
        ("1970-01-01", "=", "1970-01-01T00:00:00Z", true),
        ("2026-07-01T10:00:00+02:00", "=", "2026-07-01T08:00:00Z", true),
        ("2024-02-29", "<", "2024-03-01", true), ("2026-07-01T08:00:00.123Z", ">", "2026-07-01T08:00:00.122999Z", true),
        ("2026-12-31T23:59:60Z", ">=", "2027-01-01", true), ("1969-12-31", "<", "1970-01-01", true),
        ("2026-07-01T08:00Z", "<=", "2026-07-01t08:00:00z", true), ("0000-01-01", "!=", "9999-12-31", true),
    ]) func `times are compared as times`(left: String, relation: String, right: String, result: Bool) throws {
        let rule = try Rule(
            try FlagValue(json: #"{"almanac.date":[{"var":"a"},"\#(relation)",{"var":"b"}]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(left)","b":"\#(right)"}"#)) == .bool(result))
    }

    @Test(arguments: [
        "", "2026", "2026-7-1", "2026-13-01", "2026-02-30", "2026-07-01T", "2026-07-01T24:00:00Z",
        "2026-07-01T08:00:00+",
        "2026-07-01T08:00:00Zz", "2026-07-01 ", "٢٠٢٦-٠٧-٠١",
    ]) func `what is no time gives nothing`(text: String) throws {
        let rule = try Rule(try FlagValue(json: #"{"almanac.date":[{"var":"a"},"<",0]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(text)"}"#)) == nil)
    }

    @Test func `a flag begins at its time`() throws {
        let set = try flagSet(
            #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=","2026-07-01T09:00:00Z"]},"on"]}"#)
        #expect(set.readsTime)
        #expect(try set.answer("{}", now: 1_782_896_399) == "off DEFAULT")
        #expect(try set.answer("{}", now: 1_782_896_400) == "on TARGETING_MATCH")
    }

    @Test(arguments: [
        ("abc", "b", true), ("abc", "^b", false), ("abc", "^a.c$", true), ("abc", "c$", true), ("ab\nc", "b.c", false),
        ("", "^$", true), ("", "a*", true), ("aaa", "^a{2}$", false), ("aaa", "^a{2,}$", true),
        ("aaaa", "^a{2,3}$", false),
        ("x1y", "[0-9]", true), ("xy", "\\d", false), ("a_b", "^\\w+$", true), ("a-b", "^[\\w-]+$", true),
        ("]", "[]]", true),
        ("é", "^.$", true), ("🐢", "^[🐁-🐳]$", true), ("cat", "^(cat|dog|bird)$", true),
        ("bird", "^(cat|dog|bird)$", true),
        ("catdog", "^(?:cat|dog){2}$", true), ("ab", "^a?b?c?$", true), ("a.b", "a\\.b", true), ("axb", "a\\.b", false),
        ("ab", "^(a|ab)(c|bcd)?$", true), ("foo@example.com", "^[^@]+@example\\.(com|org)$", true), ("b", "a|b|", true),
        ("xx", "^(x*)*$", true), ("ab", "a$b", false), ("a^b", "a\\^b", true), ("t\t", "\\s$", true),
        ("T", "[^a-z\\D]", false),
    ]) func `patterns match what they say`(text: String, pattern: String, result: Bool) throws {
        let rule = FlagValue.object(
            FlagObject([FlagObject.Member("almanac.matches", [["var": "a"], .string(pattern)])]) ?? FlagObject())
        let context = FlagObject([FlagObject.Member("a", .string(text))]) ?? FlagObject()
        #expect(try Rule(rule, fractional: .version3).value(of: .object(context)) == .bool(result))
    }

    @Test(arguments: ["^(a+)+$", "^(a|a)*$", "(a*)*b", "(x+x+)+y", "^(a?){30}a{30}$"])
    func `a pattern made to be slow is not`(pattern: String) throws {
        let set = try flagSet(#"{"if":[{"almanac.matches":[{"var":"a"},"\#(pattern)"]},"on"]}"#)
        #expect(set.faults.isEmpty)
        _ = try set.answer(#"{"a":"\#(String(repeating: "a", count: 5000))!"}"#)
        // The text is so long that reading it exceeds the budget of an evaluation.
        #expect(try set.answer(#"{"a":"\#(String(repeating: "a", count: 900_000))!"}"#) == "GENERAL ERROR")
    }

    private func chain(_ rules: KeyValuePairs<String, String>) throws -> FlagSet {
        let flags = rules.map { key, rule in
            #""\#(key)":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
                + #""targeting":\#(rule)}"#
        }
        return try FlagSet(try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
    }

    @Test func `a flag follows another one for the same caller`() throws {
        let set = try chain([
            "base": #"{"if":[{"==":[{"var":"plan"},"pro"]},"on"]}"#,
            "top": #"{"if":[{"==":[{"almanac.flag":"base"},"on"]},"on","off"]}"#,
        ])
        #expect(set.faults.isEmpty)
        #expect(try set.answer(#"{"plan":"pro"}"#, key: "top") == "on TARGETING_MATCH")
        #expect(try set.answer(#"{"plan":"free"}"#, key: "top") == "off TARGETING_MATCH")
        #expect(set.flags[1].dependencies == [0])
    }

    @Test func `flags in a circle are refused, and break only those that ask for them`() throws {
        let set = try chain([
            "a": #"{"almanac.flag":"b"}"#, "b": #"{"almanac.flag":"c"}"#, "c": #"{"almanac.flag":"a"}"#,
            "d": #"{"almanac.flag":"a"}"#, "e": #"{"almanac.flag":"e"}"#, "f": #"{"if":[true,"on"]}"#,
        ])
        #expect(Set(set.faults.map(\.path)) == Set(["a", "b", "c", "e"].map { "/flags/\($0)/targeting" }))
        let answers = try ["a", "b", "c", "d", "e", "f"].map { try set.answer("{}", key: $0) }
        #expect(answers.prefix(3).allSatisfy { $0 == "PARSE_ERROR ERROR" })
        #expect(answers.suffix(3) == ["GENERAL ERROR", "PARSE_ERROR ERROR", "on TARGETING_MATCH"])
    }

    @Test func `time and breakage come through a chain, and a long chain is refused`() throws {
        let flags = (0..<5000).map { number in
            let rule =
                number == 0
                ? #"{"if":[{"<":[{"var":"$flagd.timestamp"},5]},"on"]}"# : "{\"almanac.flag\":\"f\(number - 1)\"}"
            return #""f\#(number)":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
                + #""targeting":\#(rule)}"#
        }
        let set = try FlagSet(
            try FlagValue(json: "{\"flags\":{\(flags.joined(separator: ","))}}"), fractional: .version3)
        #expect(try set.answer("{}", key: "f100", now: 4) == "on TARGETING_MATCH")
        #expect(set.flags.allSatisfy { $0.readsTime })
        #expect(!set.faults.isEmpty && set.faults.allSatisfy { $0.message.contains("too deep") })
        #expect(try set.answer("{}", key: "f4999") == "PARSE_ERROR ERROR")
    }

    @Test(arguments: [
        ("1.10.0", ">", "1.9.0"), ("v1.2", "=", "1.2.0"), ("2", "^", "2.9.9"), ("2.1.5", "~", "2.1.0"),
        ("1.0.0", ">", "1.0.0-rc.1"),
        ("1.0.0-alpha.9", "<", "1.0.0-alpha.10"), ("1.0.0-alpha", "<", "1.0.0-alpha.1"), ("1.0.0-1", "<", "1.0.0-a"),
        ("1.0.0+1", "=", "1.0.0+2"), ("1-beta", "<", "1.0.0"), ("0.1.0", "^", "0.2.0"),
        ("18446744073709551615.0.0", ">", "9.0.0"),
    ]) func `versions are in their order`(left: String, relation: String, right: String) throws {
        let rule = try Rule(
            try FlagValue(json: #"{"sem_ver":[{"var":"a"},"\#(relation)","\#(right)"]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(left)"}"#)) == true)
    }

    @Test(arguments: [
        "", "v", "a", "1.", ".1", "1..2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+", "1.2.3-é",
        " 1.2.3",
        "18446744073709551616.0.0", "-1.0.0",
    ]) func `what is no version gives nothing`(text: String) throws {
        let rule = try Rule(try FlagValue(json: #"{"sem_ver":[{"var":"a"},"=","1.2.3"]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(text)"}"#)) == nil)
    }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .object(FlagObject(elements.map { FlagObject.Member($0.0, $0.1) }) ?? FlagObject())
    }
}
