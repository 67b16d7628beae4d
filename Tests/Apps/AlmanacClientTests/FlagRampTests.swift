import AlmanacJSON
import AlmanacTargeting
import AlmanacTimestamps
import Testing

@testable import AlmanacClient

/// Tests of ramps, which evaluate the flags for 600 callers.
@Suite struct FlagRampTests {
    private static let callers = (1...600).map { "user-\($0)" }
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    private static func definition(_ targeting: String?, default other: String? = "off") throws -> JSONObject {
        let rule = targeting.map { #","targeting":\#($0)"# } ?? ""
        let standard = other.map { #""\#($0)""# } ?? "null"
        let text = """
            {"state":"ENABLED","variants":{"on":1,"off":0,"b":2,"c":3},"defaultVariant":\(standard)\(rule)}
            """
        return try #require(try JSONValue(parsing: Array(text.utf8)).objectValue)
    }

    private func variants(
        _ definition: JSONObject, at time: Timestamp = start, fractional: FractionalVersion = .version3
    ) throws -> [String] {
        let flags: JSONValue = ["flags": ["f": .object(definition)]]
        let set = try FlagSet(try FlagValue(json: flags.description), fractional: fractional)
        try #require(set.faults.isEmpty, "\(set.faults)")
        return try Self.callers.map { caller in
            let context = try EvaluationContext(json: Array(#"{"targetingKey":"\#(caller)","org":"\#(caller)"}"#.utf8))
            return set.evaluate("f", for: context, now: time.milliseconds / 1000).variant?.name ?? ""
        }
    }

    private func ramped(
        _ definition: JSONObject, _ percent: String, of variant: String = "on", over seconds: Int64? = nil,
        at time: Timestamp = start
    ) throws -> JSONObject {
        try FlagRamp(definition, variant: variant, now: time).definition(
            giving: try #require(FlagPercent(written: percent)), over: seconds)
    }

    private func share(_ variants: [String], _ variant: String = "on") -> Double {
        Double(variants.count { $0 == variant }) / Double(variants.count)
    }

    private static let rules: [String?] = [
        nil, "{}", #"{"fractional":[["on",10],["off",90]]}"#, #"{"fractional":[["off",90],["on",10]]}"#,
        #"{"fractional":[["on",1],["off",2]]}"#, #"{"fractional":[["b",50],["c",50]]}"#,
        #"{"fractional":[["b",30],["on",5],["c",65]]}"#, #"{"fractional":[["off"],["b"],["c"]]}"#,
        #"{"fractional":[{"var":"org"},["on",3],["off",4],["b",4]]}"#, #"{"fractional":[["on",0],[null,7]]}"#,
        #"{"almanac.ramp":[[["2026-01-01T00:00:00Z",10],["2026-02-01T00:00:00Z",12]],"on","off"]}"#,
        #"{"almanac.ramp":[{"var":"org"},[["2026-01-01T00:00:00Z",95]],"off","on"]}"#,
        #"{"almanac.ramp":[[["2026-01-01T00:00:00Z",10]],"on",{"fractional":[["b",50],["c",50]]}]}"#,
        """
        {"almanac.split":[{"scheme":"launchdarkly","key":"f","salt":"s"},{"var":"targetingKey"},
        [[0,10000,"on"],[10000,100000,"off"]]]}
        """,
        """
        {"almanac.split":[{"scheme":"firebase","seed":"f"},{"var":"org"},
        [[-1,90000000,null],[90000000,100000000,"on"]]]}
        """,
        """
        {"almanac.ramp":[{"scheme":"goff","flagName":"f","maxPercentage":100000},{"var":"org"},
        [["2026-01-01T00:00:00Z",10]],"on"]}
        """,
    ]

    @Test(arguments: rules, [FractionalVersion.version2, .version3])
    func `a share that grows moves nobody out, and nobody between the others`(
        rule: String?, fractional: FractionalVersion
    ) throws {
        var definition = try Self.definition(rule)
        var before = try variants(definition, fractional: fractional)
        for percent in ["35", "35.5", "60", "100"] {
            definition = try ramped(definition, percent)
            let after = try variants(definition, fractional: fractional)
            for (before, after) in zip(before, after) { #expect(after == before || after == "on") }
            #expect(abs(share(after) - (Double(percent) ?? 0) / 100) < 0.06, "\(percent): \(share(after))")
            #expect(try FlagRamp(definition, variant: "on", now: Self.start).share.description == percent)
            before = after
        }
    }

    @Test(arguments: rules, [FractionalVersion.version2, .version3])
    func `a share that shrinks moves nobody in, and nobody between the others`(
        rule: String?, fractional: FractionalVersion
    ) throws {
        var definition = try ramped(try Self.definition(rule), "80")
        var before = try variants(definition, fractional: fractional)
        for percent in ["50", "12.5", "0"] {
            definition = try ramped(definition, percent)
            let after = try variants(definition, fractional: fractional)
            for (before, after) in zip(before, after) { #expect(after == before || before == "on") }
            #expect(abs(share(after) - (Double(percent) ?? 0) / 100) < 0.06, "\(percent): \(share(after))")
            before = after
        }
    }

    @Test func `what was taken is given back`() throws {
        for rule in [nil, #"{"fractional":[["b",50],["c",50]]}"#, #"{"fractional":[["b",1],["c",1],["off",1]]}"#] {
            let definition = try Self.definition(rule)
            let there = try ramped(ramped(definition, "70"), "20")
            #expect(try variants(ramped(there, "0")) == variants(definition))
        }
    }

    private static let written: [(String?, String)] = [
        (nil, #"{"fractional":[["on",20],["off",80]]}"#),
        (#"{"fractional":[["off",9],["on",1]]}"#, #"{"fractional":[["off",80],["on",20]]}"#),
        (
            #"{"fractional":[{"var":"org"},["b",1],["c",1]]}"#,
            #"{"fractional":[{"var":"org"},["on",10],["b",40],["on",10],["c",40]]}"#
        ),
        (#"{"fractional":[["b",3],[null,1]]}"#, #"{"fractional":[["on",15],["b",60],["on",5],[null,20]]}"#),
    ]

    @Test(arguments: written) func `the rule stays one that people read`(rule: String?, expected: String) throws {
        let definition = try Self.definition(rule)
        #expect(try ramped(definition, "20")["targeting"]?.description == expected)
        #expect(try ramped(definition, "20").removing("targeting") == definition.removing("targeting"))
    }

    private static let fromTheFront = rules.filter { $0?.contains(#"["b",30]"#) != true }

    @Test(arguments: fromTheFront, [FractionalVersion.version2, .version3])
    func `a ramp over time begins where the share is and ends where it should be`(
        rule: String?, fractional: FractionalVersion
    ) throws {
        let definition = try Self.definition(rule)
        let moving = try ramped(definition, "90", over: 86_400)
        var before = try variants(definition, fractional: fractional)
        #expect(try variants(moving, fractional: fractional) == before)
        for hours in [6, 12, 23, 24, 1000] {
            let after = try variants(
                moving, at: Self.start.advanced(bySeconds: Int64(hours) * 3600), fractional: fractional)
            for (before, after) in zip(before, after) { #expect(after == before || after == "on") }
            before = after
        }
        #expect(abs(share(before) - 0.9) < 0.06)
        // A ramp stopped half way retains its current share.
        let half = Self.start.advanced(bySeconds: 43_200)
        let now = try FlagRamp(moving, variant: "on", now: half).share
        let stopped = try ramped(moving, "\(now)", at: half)
        #expect(stopped["targeting"]?.objectValue?["almanac.ramp"] == nil)
        #expect(
            try variants(stopped, at: half, fractional: fractional)
                == variants(moving, at: half, fractional: fractional))
    }

    @Test(arguments: [
        (#"{"if":[{"==":[1,1]},"on"]}"#, "begins with 'if'"), (#"{"$ref":"r"}"#, "begins with '$ref'"),
        (#"{"fractional":[["on",{"var":"w"}],["off",1]]}"#, "bucket 1 of its split has a weight"),
        (#"{"fractional":[["on",1.5],["off",1]]}"#, "bucket 1 of its split has a weight"),
        (#"{"fractional":[["on",1],[{"if":[true,"b"]},1]]}"#, "bucket 2 of its split selects"),
        (#"{"fractional":[["on",0],["off",0]]}"#, "add up to 0"), (#"{"fractional":[]}"#, "add up to 0"),
        (#"{"fractional":[{"var":"a"},{"var":"b"}]}"#, "bucket 1 of its split is not a variant"),
        (#"{"fractional":[["on",1],["off",99990]]}"#, "does not divide evenly"),
        (#"{"almanac.ramp":[[["2026-01-01T00:00:00Z",10]],"b","off"]}"#, "a ramp of another variant"),
        (#"{"almanac.ramp":[[["soon",10]],"on","off"]}"#, "its ramp is not valid"),
        (#"{"almanac.ramp":[{"scheme":"firebase"},1,[["soon",10]],"on","off"]}"#, "its ramp is not valid"),
        (#"{"almanac.split":[{"scheme":"x"},1,[[0,100,"on"]]]}"#, "its split is not valid"),
        (#"{"almanac.split":[{"scheme":"configcat","key":"k"},1,[[0,9,"on"],[9,99,"off"]]]}"#, "is not two ranges"),
        (#"{"almanac.split":[{"scheme":"configcat","key":"k"},1,[[0,9,{"if":["on"]}]]]}"#, "is not two ranges"),
        (#"{"almanac.split":[{"scheme":"configcat","key":"k"},1,[[0,9,"b"],[9,100,"off"]]]}"#, "one of the two parts"),
        (#""on""#, "not an object with one operator"), (#"{"==":[1,1],"!=":[1,1]}"#, "not an object with one operator"),
    ]) func `a rule that it doesn't understand is refused with the reason`(rule: String, reason: String) throws {
        let definition = try Self.definition(rule)
        let refusal = try #require(throws: FlagRamp.Refusal.self) { try ramped(definition, "20") }
        #expect(refusal.description.contains(reason), "\(refusal)")
    }

    @Test func `a variant that isn't there, or is everybody's already, is refused, and so is a ramp from the middle`()
        throws
    {
        let plain = try Self.definition(nil)
        #expect(throws: FlagRamp.Refusal.self) { try ramped(plain, "20", of: "onn") }
        #expect(throws: FlagRamp.Refusal.self) { try ramped(plain, "20", of: "off") }
        let middle = try Self.definition(#"{"fractional":[["b",30],["on",5],["c",65]]}"#)
        #expect(throws: FlagRamp.Refusal.self) { try ramped(middle, "20", over: 60) }
        let alone = try Self.definition(#"{"fractional":[["on",1]]}"#)
        #expect(throws: FlagRamp.Refusal.self) { try ramped(alone, "20") }
        #expect(throws: FlagRamp.Refusal.self) { try ramped(alone, "20", over: 60) }
        #expect(try ramped(alone, "100") == alone)
    }

    @Test(arguments: [
        ("20", "20"), ("0.5%", "0.5"), ("12.125", "12.125"), ("100%", "100"), ("007.10", "7.1"),
        ("100.001", nil), ("-1", nil), ("1e1", nil), ("", nil), ("%", nil), ("1.2345", nil), (".5", nil), ("٢", nil),
    ]) func `a percentage is read as people write it`(text: String, expected: String?) {
        #expect(FlagPercent(written: text)?.description == expected)
        #expect(FlagPercent(written: text)?.json.description == expected)
    }
}
