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
        ("1970-01-01T00:00:00-00:00", "=", "1970-01-01T00:00:00Z", true),
        ("2026-07-01T10:00:00+02:00", "=", "2026-07-01T08:00:00Z", true),
        ("2024-02-29T00:00:00Z", "<", "2024-03-01T00:00:00Z", true),
        ("2026-07-01T08:00:00.123Z", ">", "2026-07-01T08:00:00.122999Z", true),
        ("2026-12-31T23:59:60Z", ">=", "2027-01-01T00:00:00Z", true),
        ("1969-12-31T23:59:59Z", "<", "1970-01-01T00:00:00Z", true),
        ("2026-07-01T08:00:00Z", "<=", "2026-07-01t08:00:00z", true),
        ("0000-01-01T00:00:00Z", "!=", "9999-12-31T00:00:00Z", true),
    ]) func `times are compared as times`(left: String, relation: String, right: String, result: Bool) throws {
        let rule = try Rule(
            try FlagValue(json: #"{"almanac.date":[{"var":"a"},"\#(relation)",{"var":"b"}]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(left)","b":"\#(right)"}"#)) == .bool(result))
    }

    @Test(arguments: [
        "", "2026", "2026-7-1", "2026-13-01", "2026-02-30", "2026-07-01T", "2026-07-01T24:00:00Z",
        "2026-07-01T08:00:00+", "2026-07-01T08:00:00Zz", "2026-07-01 ", "٢٠٢٦-٠٧-٠١",
        // Other forms than that of RFC 3339, although they are unambiguous.
        "2026-07-01", "2026-07-01T08:00:00", "2026-07-01T08:00Z", "2026-07-01 08:00:00Z", "2026-07-01T08:00:00+0200",
    ]) func `what is no time gives nothing`(text: String) throws {
        let rule = try Rule(try FlagValue(json: #"{"almanac.date":[{"var":"a"},"<",0]}"#), fractional: .version3)
        #expect(try rule.value(of: try FlagValue(json: #"{"a":"\#(text)"}"#)) == nil)
    }

    @Test func `a stored rule with a date alone is refused anew, but keeps its meaning`() throws {
        let rule = #"{"if":[{"almanac.date":[{"var":"born"},">=","2008-07-01"]},"on"]}"#
        let set = try flagSet(rule)
        #expect(set.faults.map(\.preventsEvaluation) == [false])
        #expect(set.faults.first?.path == "/flags/flag/targeting/if/0/almanac.date/2")
        #expect(try set.answer(#"{"born":"2008-07-01"}"#) == "on TARGETING_MATCH")
        #expect(try set.answer(#"{"born":"2008-06-30T23:59"}"#) == "off DEFAULT")
        let strict = try flagSet(rule.replacing("2008-07-01", with: "2008-07-01T00:00:00Z"))
        #expect(strict.faults.isEmpty)
        #expect(try strict.answer(#"{"born":"2008-07-01"}"#) == "off DEFAULT")
        #expect(try strict.answer(#"{"born":"2008-07-01T00:00:00Z"}"#) == "on TARGETING_MATCH")
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
        // Flags, word edges and classes of POSIX, as in RE2.
        ("aBC", "^(?i)abc$", true), ("ABC", "^a(?i)bc$", false), ("aBC", "^a(?i:b)c$", false),
        ("aBc", "^a(?i:b)c$", true),
        ("xB", "(?i)x(?-i)b", false), ("aB", "((?i)a)b", false), ("GRÖSSE", "(?i)größe|grösse", true),
        ("K", "(?i)k", true), ("k", "(?i)\u{212A}", true), ("B", "(?i)[^a-c]", false), ("Q", "(?i)[p-r]", true),
        ("a\nb", "^(?s)a.b$", true), ("bar\nfoo\nbaz", "(?m)^foo$", true), ("bar\nfoo", "^foo$", false),
        ("FOO\nx", "(?im)^foo$", true), ("foo\n", "foo$", false), ("foo\n", "(?m)foo$", true),
        ("a cat b", "\\bcat\\b", true), ("concatenate", "\\bcat\\b", false), ("concatenate", "\\Bcat\\B", true),
        ("cat", "^\\b\\bcat\\b$", true), ("", "\\b", false), ("", "\\B", true), ("écat", "\\bcat", true),
        ("AlphaBeta", "^[[:alpha:]]+$", true), ("Alpha1", "^[[:alpha:]]+$", false), ("a1_", "^[[:alnum:]_]+$", true),
        ("\u{E9}", "[[:^ascii:]]", true), ("a", "[^[:alpha:]]", false), ("ABC", "(?i)^[[:lower:]]+$", true),
        ("[:", "^[[:]+$", true), ("~", "[[:punct:]]", true), ("fF0", "^[[:xdigit:]]{3}$", true),
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

    @Test(arguments: ["(?", "(?=a)b", "(?P<n>a)", "(?i", "(?x)a", "(?--i)a", "[[:digits:]]", "\\A"])
    func `a pattern that needs another engine is refused`(pattern: String) throws {
        let json = FlagValue.string(pattern).json
        #expect(
            try flagSet(#"{"if":[{"almanac.matches":[{"var":"a"},\#(json)]},"on"]}"#).faults.count == 1, "\(pattern)")
    }

    private func value(of rule: String, _ context: String = "{}") throws -> FlagValue {
        try Rule(try FlagValue(json: rule), fractional: .version3).value(of: try FlagValue(json: context))
    }

    @Test(arguments: [
        (#""ÄB İ""#, "äb i̇"), (#""ΟΔΟΣ""#, "οδοσ"), (#"["A"]"#, "a"), ("7", nil),
        ("null", nil), (#"[["A"]]"#, nil),
        (#"{"var":"nothing"}"#, nil),
    ]) func `texts become lower case, other values nothing`(argument: String, result: String?) throws {
        #expect(try value(of: #"{"almanac.lower":\#(argument)}"#) == result.map { .string($0) } ?? .null)
    }

    @Test(arguments: [
        ("160.33.0.33", #""160.33.0.0/16""#, true), ("160.34.0.1", #""160.33.0.0/16""#, false),
        ("127.0.0.1", #""127.0.0.1""#, true), ("127.0.0.2", #"["10.0.0.0/8","127.0.0.1"]"#, false),
        ("127.0.0.2", #"["10.0.0.0/8","127.0.0.2/32"]"#, true), ("10.1.2.3", #""10.9.9.9/8""#, true),
        ("1.2.3.4", #""0.0.0.0/0""#, true), ("::1", #""0.0.0.0/0""#, false), ("1.2.3.4", #""::/0""#, false),
        ("2001:db8:0:1::42", #""2001:db8::/32""#, true), ("2001:db9::1", #""2001:db8::/32""#, false),
        ("2001:DB8::1", #""2001:db8::1""#, true), ("2001:db8::1", #""2001:0db8:0:0:0:0:0:1/128""#, true),
        ("2001:db8::2", #""2001:db8::1""#, false), ("2001:db8::2", #""2001:db8::1/126""#, true),
        ("fe80::1:2:3:4", #""fe80:0:0:0:8000::/65""#, false), ("::", #""::/128""#, true), ("1::", #""1::/16""#, true),
        // An IPv4 address is the same in its IPv6 form.
        ("::ffff:10.0.0.1", #""10.0.0.0/8""#, true), ("10.0.0.1", #""::ffff:10.0.0.0/104""#, true),
        ("::FFFF:a00:1", #""10.0.0.1""#, true), ("::ffff:11.0.0.1", #""10.0.0.0/8""#, false),
        ("64:ff9b::10.0.0.1", #""64:ff9b::a00:1""#, true), ("10.0.0.1", "[]", false),
        ("", #""::/0""#, nil), ("1.2.3", #""1.2.3.4""#, nil), ("1.2.3.4.5", #""1.2.3.4""#, nil),
        ("01.2.3.4", #""1.2.3.4""#, nil), ("256.1.1.1", #""0.0.0.0/0""#, nil), ("1.2.3.4/32", #""1.2.3.4""#, nil),
        ("1:2:3:4:5:6:7", #""::/0""#, nil), ("1:2:3:4:5:6:7:8:9", #""::/0""#, nil), ("1::2::3", #""::/0""#, nil),
        ("1:2:3:4::5:6:7:8", #""::/0""#, nil), (":::", #""::/0""#, nil), ("12345::", #""::/0""#, nil),
        ("::+1", #""::/0""#, nil), ("fe80::1%eth0", #""::/0""#, nil), ("[::1]", #""::/0""#, nil),
    ]) func `addresses are in their networks`(address: String, networks: String, result: Bool?) throws {
        let context = #"{"a":"\#(address)"}"#
        #expect(
            try value(of: #"{"almanac.network":[{"var":"a"},\#(networks)]}"#, context) == result.map { .bool($0) }
                ?? .null)
    }

    @Test(arguments: [
        ("1.10.0", ">", "1.9.0", true), ("1", "=", "1.0.0.0.0", true), ("1.2.3.4.5", "<", "1.2.3.4.6", true),
        ("01.2", "=", "1.2", true), ("2.0", "!=", "2", false), ("2.0", ">=", "2", true), ("1.9", "<=", "1.10", true),
        ("1.2.3.4.5.6", "=", "1", nil), ("v1.2", "=", "1.2", nil), ("1.2-beta", "=", "1.2", nil),
        ("1..2", "=", "1", nil),
        ("", "=", "1", nil), ("1.+2", "=", "1.2", nil), ("1234567890123456789", ">", "1", nil),
    ]) func `versions of numbers are in their order`(left: String, relation: String, right: String, result: Bool?)
        throws
    {
        let rule = #"{"almanac.version":[{"var":"a"},"\#(relation)","\#(right)"]}"#
        #expect(try value(of: rule, #"{"a":"\#(left)"}"#) == result.map { .bool($0) } ?? .null)
        #expect(try value(of: rule, #"{"a":1}"#) == .null)
    }

    @Test(arguments: [
        ("10.12.13", ">", "9.99.8", true), ("1.2.3", ">", "1.2.3-rc.1", true), ("1.2.3-rc.10", ">", "1.2.3-rc.2", true),
        ("v1.2.3+build.5", "=", "1.2.3", true), ("1.2", "<", "1.2.0", true), ("1.2.3.4", "<", "1.2.3", true),
        ("1.100000.0", "<", "1.2.0", false), ("", "=", "0", true), ("abc", ">=", "1.0.0", true),
        ("1.0.0", "<=", "1.0.0", true), ("1.0.0", "!=", "1.0.0", false), ("1.0.0", "~", "1.0.0", nil),
    ]) func `padded versions are in GrowthBook's order`(left: String, relation: String, right: String, result: Bool?)
        throws
    {
        let rule = #"{"almanac.padded":[{"var":"a"},"\#(relation)","\#(right)"]}"#
        #expect(try value(of: rule, #"{"a":"\#(left)"}"#) == result.map { .bool($0) } ?? .null)
        #expect(try value(of: rule, #"{"a":1}"#) == .null)
    }

    @Test(arguments: [
        (#"["abc",""]"#, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (#"["a",["b","c"]]"#, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (#"["xyz","bc",0]"#, "1e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac"),
        (#"["abxyz","c",2]"#, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (#"["xyzab","c",-2]"#, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        // The first byte of a letter of two bytes.
        (#"["é","",1]"#, "ae3f4619b0413d70d3004b9131c3752153074e45725be13b9a148978895e359e"),
        (#"["ab","c",3]"#, nil), (#"["ab","c",1.5]"#, nil), (#"[7,"c"]"#, nil), (#"["ab",{"var":"salt"}]"#, nil),
    ]) func `a text and its salt have a digest`(arguments: String, digest: String?) throws {
        #expect(try value(of: #"{"almanac.hashed":\#(arguments)}"#) == digest.map { .string($0) } ?? .null)
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
