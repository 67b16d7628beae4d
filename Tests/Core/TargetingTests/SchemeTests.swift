import Testing

@testable import AlmanacTargeting

@Suite struct SchemeTests {
    private static let unleash = #"{"scheme":"unleash","groupId":"gr1"}"#
    private static let launchDarkly = #"{"scheme":"launchdarkly","key":"hashKey","salt":"saltyA"}"#

    private func scheme(_ parameters: String) throws -> SplitScheme {
        guard case .object(let object) = try FlagValue(json: parameters) else { throw FlagFault(at: [], "no object") }
        return try SplitScheme(object)
    }

    /// The expected buckets are from the vendors' own tests.
    @Test(
        arguments: [
            (unleash, #""123""#, 73), (#"{"scheme":"unleash","groupId":"groupX"}"#, #""999""#, 25),
            (launchDarkly, #""userKeyA""#, 42_157), (launchDarkly, #""userKeyB""#, 67_084),
            (launchDarkly, #""userKeyC""#, 10_343),
            (#"{"scheme":"launchdarkly","seed":61}"#, #""userKeyA""#, 9801),
            (#"{"scheme":"launchdarkly","seed":61}"#, #""userKeyB""#, 14_483),
            (#"{"scheme":"launchdarkly","seed":61}"#, #""userKeyC""#, 92_426),
            (launchDarkly, "33333", 54_771), (launchDarkly, #""33333""#, 54_771), (launchDarkly, "33333.0", 54_771),
            (launchDarkly, "33.5", 0), (launchDarkly, "true", 0), (launchDarkly, "null", 0), (launchDarkly, "[1]", 0),
            (#"{"scheme":"configcat","key":"string75Cat0Dog25Falcon0Horse"}"#, #""12345""#, 21),
            (#"{"scheme":"goff","flagName":"flagName","maxPercentage":2147483647}"#, #""UserKey""#, 1_798_518_287),
            // The units that a vendor's clients do not place, and the ones that they hash although they are empty.
            (unleash, "null", nil), (#"{"scheme":"firebase"}"#, "null", nil), (#"{"scheme":"firebase"}"#, #""""#, nil),
            (#"{"scheme":"growthbook","seed":"s"}"#, #""""#, nil), (#"{"scheme":"flagsmith","key":"k"}"#, "null", nil),
            (#"{"scheme":"configcat","key":"k"}"#, "null", nil), (#"{"scheme":"configcat","key":""}"#, #""""#, 62),
            (#"{"scheme":"flipt","flagKey":""}"#, "null", 0),
            (#"{"scheme":"flipt-threshold","flagKey":""}"#, #""""#, 0),
        ] as [(String, String, Int64?)]) func `a unit is in the vendor's bucket`(
            parameters: String, unit: String, bucket: Int64?
        ) throws
    {
        #expect(try scheme(parameters).bucket(of: SplitScheme.unit(try FlagValue(json: unit))) == bucket)
    }

    @Test func `a unit that GO Feature Flag's clients fail without is an error`() throws {
        let split = #"{"almanac.split":[{"scheme":"goff","flagName":"f","maxPercentage":100000},{"var":"id"},RANGES]}"#
            .replacing("RANGES", with: #"[[0,100000,"on"]]"#)
        let set = try flagSet(split)
        #expect(set.faults.isEmpty)
        #expect(try set.answer(#"{"id":"u1"}"#) == "on TARGETING_MATCH")
        for context in ["{}", #"{"id":""}"#, #"{"id":1.5}"#] { #expect(try set.answer(context) == "GENERAL ERROR") }
        // A rule that needs no bucket does not need the unit.
        #expect(try flagSet(#"{"if":[{"var":"beta"},"on",\#(split)]}"#).answer(#"{"beta":1}"#) == "on TARGETING_MATCH")
    }

    /// Compares with the formulas in Tests/OpenFeature/schemes.py.
    @Test func `10,000 units of each scheme are where other formulas place them`() throws {
        var generator = Units()
        let units = (0..<10_000).map { generator.unit($0 % 5) }
        let cases = try lines(of: "schemes.jsonl")
        #expect(cases.count == 17)
        for line in cases {
            guard case .object(let entry) = try FlagValue(json: line),
                case .object(let parameters)? = entry["parameters"],
                case .array(let ranges)? = entry["ranges"], case .array(let checksums)? = entry["checksums"]
            else {
                Issue.record("no case: \(line)")
                continue
            }
            let scheme = try SplitScheme(parameters)
            let results = ranges.enumerated().map { index, range -> FlagValue in
                guard case .array(let bounds) = range else { return .null }
                return .array(FlagArray(Array(bounds) + [.number(FlagNumber(Int64(index)))]))
            }
            let arguments: FlagValue = [.object(parameters), ["var": "unit"], .array(FlagArray(results))]
            let rule = try Rule(["almanac.split": arguments], fractional: .version3)
            var places: [String] = []
            for unit in units {
                let bucket = try #require(try scheme.bucket(of: unit))
                let chosen = try rule.value(of: ["unit": .string(unit)])
                places.append("\(bucket):\(chosen == .null ? "-1" : chosen.text)")
            }
            let found = stride(from: 0, to: places.count, by: 100).map { start -> FlagValue in
                let chunk = places[start..<start + 100].joined(separator: ",")
                return .number(FlagNumber(Int64(Checksums.crc32(chunk.utf8))))
            }
            #expect(.array(FlagArray(found)) == .array(checksums), "\(FlagValue.object(parameters).json)")
        }
    }

    @Test func `ranges have the vendor's edges`() throws {
        func answer(_ parameters: String, _ ranges: String, _ unit: String) throws -> FlagValue {
            let rule = #"{"almanac.split":[\#(parameters),"\#(unit)",\#(ranges)]}"#
            return try Rule(try FlagValue(json: rule), fractional: .version3).value(of: .null)
        }
        // Unleash's bucket of 123 is 73 and ConfigCat's of 12345 is 21.
        #expect(try answer(Self.unleash, "[[0,72,1],[72,73,2],[73,100,3]]", "123") == 2)
        let configCat = #"{"scheme":"configcat","key":"string75Cat0Dog25Falcon0Horse"}"#
        #expect(try answer(configCat, "[[0,21,1],[21,22,2],[22,100,3]]", "12345") == 2)
        #expect(try answer(configCat, "[[21,21,1],[21,100,2],[0,100,3]]", "12345") == 2)
        #expect(try answer(configCat, "[[0,21,1],[22,100,3]]", "12345") == .null)
        #expect(try answer(configCat, "[]", "12345") == .null)
        // LaunchDarkly's last variation takes what the weights leave over.
        #expect(try answer(Self.launchDarkly, "[[0,100,1],[100,200,2]]", "userKeyA") == 2)
        #expect(try answer(Self.launchDarkly, "[[0,100,1],[50000,60000,2]]", "userKeyA") == .null)
    }

    @Test(arguments: [
        (#"[{"scheme":"unleashed"},1,[]]"#, "/0"), (#"[{"scheme":"unleash"},1,[]]"#, "/0"),
        (#"[{"groupId":"a"},1,[]]"#, "/0"), (#"[{"scheme":"unleash","groupId":"a","seed":1},1,[]]"#, "/0"),
        (#"[{"scheme":"unleash","groupId":null},1,[]]"#, "/0"),
        (#"[{"scheme":"unleash-variants","groupId":"a","totalWeight":0},1,[]]"#, "/0"),
        (#"[{"scheme":"goff","flagName":"a","maxPercentage":2147483648},1,[]]"#, "/0"),
        (#"[{"scheme":"growthbook","seed":"a","hashVersion":3},1,[]]"#, "/0"),
        (#"[{"scheme":"launchdarkly","key":"a","seed":1},1,[]]"#, "/0"),
        (#"[{"scheme":"flipt","flagKey":"LONG"},1,[]]"#, "/0"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[0,10]]]"#, "/2/0"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[0,10,"on"],[10,1001,"on"]]]"#, "/2/1"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[10,9,"on"]]]"#, "/2/0"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[0.5,9,"on"]]]"#, "/2/0"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[-2,9,"on"]]]"#, "/2/0"),
        (#"[{"scheme":"flipt","flagKey":"a"},1,[[0,{"var":"a"},"on"]]]"#, "/2/0"),
        (#"[{"var":"a"},1,[]]"#, "/0"), (#"[[],1,[]]"#, ""), (#"[{"scheme":"firebase"},1,{"var":"a"}]"#, ""),
        (#"[{"scheme":"firebase"},{"bogus":1},[]]"#, "/1/bogus"),
        (#"[{"scheme":"firebase"},1,[[0,1,{"bogus":1}]]]"#, "/2/0/2/bogus"),
    ]) func `a split that isn't one is refused, with its path`(arguments: String, path: String) throws {
        let arguments = arguments.replacing("LONG", with: String(repeating: "x", count: 1000))
        let set = try flagSet(#"{"almanac.split":\#(arguments)}"#)
        #expect(set.faults.map(\.path) == ["/flags/flag/targeting/almanac.split" + path])
        #expect(set.faults.allSatisfy { $0.preventsEvaluation })
    }

    @Test func `a result is the name of a variant or another rule`() throws {
        let unit = #"{"scheme":"unleash","groupId":"gr1"},{"var":"id"}"#
        let set = try flagSet(
            #"{"almanac.split":[\#(unit),[[0,73,{"if":[{"var":"beta"},"on","off"]}],[73,100,"onn"]]]}"#)
        #expect(set.faults.map(\.path) == ["/flags/flag/targeting/almanac.split/2/1/2"])
        #expect(try set.answer(#"{"id":"123","beta":true}"#) == "on TARGETING_MATCH")
        #expect(try set.answer(#"{"id":123}"#) == "off TARGETING_MATCH")
        #expect(try set.answer("{}") == "off DEFAULT")
        let explanation = set.explain("flag", for: try EvaluationContext(json: Array(#"{"id":"123"}"#.utf8)), now: 0)
        #expect(
            explanation.branch == "the almanac.split (unleash) places the caller in bucket 73 of 100, in range 1 of 2, "
                + #"from 0 to 73; condition 1 of the if doesn't hold, so the else applies; so the variant is "off""#)
        let nobody = set.explain("flag", for: EvaluationContext(), now: 0)
        #expect(nobody.branch.hasPrefix("the almanac.split has no key: the context has no id; "))
    }

    @Test func `more results than an evaluation may try cost steps`() throws {
        let ranges = (0..<9000).map { "[\($0),\($0 + 1),\"on\"]" }.joined(separator: ",")
        let split = #"{"almanac.split":[{"scheme":"firebase"},"u",[\#(ranges)]]}"#
        let many = Array(repeating: "0", count: 400).joined(separator: ",")
        let set = try flagSet(#"{"if":[{"all":[[\#(many)],{"!":[{"!":[{"!":[\#(split)]}]}]}]},"on"]}"#)
        #expect(set.faults.isEmpty)
        #expect(try set.answer("{}") == "GENERAL ERROR")
        let context = "{\"a\":\"\(String(repeating: "x", count: 50_000))\"}"
        let hash = #"[{"almanac.split":[{"scheme":"flagsmith","key":"k"},{"var":"a"},[]]}]"#
        func hashed(_ times: Int) throws -> String {
            let hashes = Array(repeating: hash, count: times).joined(separator: ",")
            return try flagSet(#"{"and":[\#(hashes),"on"]}"#).answer(context)
        }
        #expect(try hashed(15) == "on TARGETING_MATCH")
        #expect(try hashed(25) == "GENERAL ERROR")
    }

    @Test(arguments: [
        (unleash, 73, #""123""#),
        (#"{"scheme":"configcat","key":"string75Cat0Dog25Falcon0Horse"}"#, 21.001, #""12345""#),
        (launchDarkly, 42.158, #""userKeyA""#), (#"{"scheme":"flipt-threshold","flagKey":""}"#, 0.001, "null"),
    ]) func `a ramp of a scheme includes a unit from its own percentage on`(
        parameters: String, percent: Double, unit: String
    ) throws {
        func isIn(_ percent: Double, _ unit: String) throws -> Bool {
            let set = try flagSet(#"{"almanac.ramp":[\#(parameters),{"var":"id"},[[0,\#(percent)]],"on","off"]}"#)
            #expect(set.faults.isEmpty && set.readsTime)
            return try set.answer("{\"id\":\(unit)}", now: 5) == "on TARGETING_MATCH"
        }
        #expect(try isIn(percent, unit))
        #expect(try !isIn(percent - 0.001, unit))
    }

    @Test func `a ramp of a scheme is explained, and leaves out units that the scheme does not place`() throws {
        let points = #"[["1970-01-01T00:00:00Z",0],["1970-01-01T00:01:40Z",100]]"#
        let set = try flagSet(#"{"if":[{"almanac.ramp":[\#(Self.unleash),{"var":"id"},\#(points),true,false]},"on"]}"#)
        #expect(try set.answer(#"{"id":"123"}"#, now: 73) == "on TARGETING_MATCH")
        #expect(try set.answer(#"{"id":"123"}"#, now: 72) == "off DEFAULT")
        #expect(try set.answer("{}", now: 100) == "off DEFAULT")
        var answers: [String] = []
        let context = try EvaluationContext(json: Array(#"{"id":"123"}"#.utf8))
        try set.evaluate([0, 0], for: context, now: 73) { _, outcome in answers.append(outcome.reason.name) }
        #expect(answers == ["TARGETING_MATCH", "TARGETING_MATCH"])
        let branch = set.explain("flag", for: context, now: 50).branch
        #expect(branch.contains("the almanac.ramp includes 50 % of callers now, and the caller is outside"))
        var schedule = FlagSchedule()
        schedule.add(rule: try FlagValue(json: #"{"almanac.ramp":[\#(Self.unleash),1,\#(points),"on"]}"#))
        #expect(schedule.next(after: 0) == 60 && schedule.next(after: 60) == 100)
        for wrong in ["[\(Self.unleash),\(points),\"on\"]", "[{\"scheme\":\"x\"},1,\(points),\"on\"]"] {
            #expect(try flagSet(#"{"almanac.ramp":\#(wrong)}"#).flags[0].fault != nil)
        }
    }

    @Test(arguments: [
        (
            """
            {"almanac.split":[{"scheme":"launchdarkly","seed":1},{"var":"targetingKey"},
            [[0,20000,"on"],[20000,100000,"off"]]]}
            """, #"{"fractional":[["on",1],["off",4]]}"#
        ),
        (
            """
            {"if":[{"var":"a"},{"almanac.split":[{"scheme":"unleash","groupId":"g"},{"var":"org"},
            [[0,37,"on"]]]},"off"]}
            """,
            #"{"if":[{"var":"a"},{"fractional":[{"if":[{"var":"org"},"#
                + #"{"cat":[{"var":"$flagd.flagKey"},{"var":"org"}]}]},["on",37],[null,63]]},"off"]}"#
        ),
        // Overlapping ranges, a gap, and a result that is another split.
        (
            """
            {"almanac.split":[{"scheme":"configcat","key":"g"},{"var":["targetingKey"]},
            [[20,40,"on"],[0,60,"off"],[80,100,{"almanac.split":[{"scheme":"flipt-threshold","flagKey":"g"},
            {"var":"targetingKey"},[[0,50,"on"]]]}]]]}
            """,
            #"{"fractional":[["off",1],["on",1],["off",1],[null,1],[{"fractional":[["on",1],[null,1]]},1]]}"#
        ),
        (
            """
            {"almanac.ramp":[{"scheme":"goff","flagName":"f","maxPercentage":100000},{"var":"targetingKey"},
            [[0,0],[9,100]],"on"]}
            """, #"{"almanac.ramp":[[[0,0],[9,100]],"on"]}"#
        ),
        (#"{"fractional":[["on",1]]}"#, #"{"fractional":[["on",1]]}"#),
        (#"{"almanac.split":[{"scheme":"x"},1,[]]}"#, #"{"almanac.split":[{"scheme":"x"},1,[]]}"#),
    ]) func `a rule with Almanac's own splits has the same shares`(rule: String, own: String) throws {
        let rule = try FlagValue(json: rule)
        #expect(rule.withOwnSplits.json.replacing("1.0", with: "1") == own)
        #expect(rule.withOwnSplits.withOwnSplits == rule.withOwnSplits)
    }

    @Test func `of 10,000 ids, those that a split of one's own moves are counted`() throws {
        let ranges = #"[[0,50,"on"],[50,100,"off"]]"#
        let rule = try FlagValue(
            json: #"{"almanac.split":[{"scheme":"unleash","groupId":"g"},{"var":"targetingKey"},\#(ranges)]}"#)
        let (set, own) = (try flagSet(rule.json), try flagSet(rule.withOwnSplits.json))
        #expect(own.faults.isEmpty)
        var stepsLeft = FlagSet.maxSteps
        let sample = FlagSample(
            of: "flag", in: own, against: set, ids: FlagSample.ids(10_000), now: 0, stepsLeft: &stepsLeft)
        #expect(sample.sampled == 10_000 && (4800...5200).contains(sample.moved), "\(sample.moved)")
    }

    @Test(arguments: [
        unleash, launchDarkly, #"{"scheme":"firebase"}"#, #"{"scheme":"flagsmith","key":1}"#,
        #"{"scheme":"growthbook","seed":"s"}"#, #"{"scheme":"growthbook","seed":"s","hashVersion":2}"#,
        #"{"scheme":"goff","flagName":"f","maxPercentage":99900}"#, #"{"scheme":"flipt","flagKey":"f"}"#,
    ]) func `a share has a bound, and the bound that share`(parameters: String) throws {
        let buckets = try #require(SchemeBuckets(parameters: try FlagValue(json: parameters)))
        let scheme = try scheme(parameters)
        for share in [1, 500, 12_345, 37_000, 50_000, 99_999, 100_000] {
            let bound = buckets.bound(forThousandths: share)
            let smallest = buckets.thousandths(forBound: bound)
            #expect(smallest <= share && buckets.bound(forThousandths: smallest) == bound)
            let last = scheme.includesUpperBounds ? bound : bound - 1
            #expect(bound == 0 || scheme.holds(last, within: share))
            #expect(!scheme.holds(last + 1, within: share))
        }
        #expect(buckets.bound(forThousandths: 0) <= 1)
        #expect(buckets.bound(forThousandths: 100_000) == buckets.end)
        #expect(SchemeBuckets(parameters: ["scheme": "x"]) == nil)
    }
}

/// Random units as Tests/OpenFeature/schemes.py makes them.
private struct Units {
    private static let letters = [
        "é", "ß", "Ω", "я", "日", "本", "\u{301}", "😀", "👩\u{200D}🚀", "İ", " ", ":", ".", "\"",
    ]
    private var state: UInt64 = 44

    private mutating func number() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func unit(_ kind: Int) -> String {
        switch kind {
        case 0: return number().description
        case 1: return "user-" + String(number(), radix: 16)
        case 2:
            return (0..<4).map { _ in
                let digits = String(number(), radix: 16)
                return String(repeating: "0", count: 8 - digits.count) + digits
            }.joined(separator: "-")
        case 3: return "\(number() % 1000).\(number() % 100_000)@example.com"
        default:
            let count = 1 + number() % 40
            return (0..<count).reduce(into: "") { text, _ in text += Self.letters[Int(number() % 14)] }
        }
    }
}
