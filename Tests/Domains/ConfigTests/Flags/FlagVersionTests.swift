import AlmanacJSON
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct FlagVersionTests {
    private static let flag = #"{"state":"ENABLED","variants":{"a":{"n":1},"b":{"n":2}},"defaultVariant":"a"}"#

    @Test(
        arguments: [
            (#"{"f":{"variants":{"b":null}}}"#, "major", "member-removed", "/variants/b"),
            (#"{"f":{"variants":{"b":{"n":"x"}}}}"#, "major", "member-retyped", "/variants/b/n"),
            (#"{"f":{"variants":{"b":{"n":null}}}}"#, "major", "member-removed", "/variants/b/n"),
            (#"{"f":{"variants":{"c":{"n":3}}}}"#, "minor", "member-added", "/variants/c"),
            (#"{"f":{"variants":{"b":{"n":3}}}}"#, "patch", "value-changed", nil),
            (#"{"f":{"targeting":{"if":[true,"b"]}}}"#, "patch", "value-changed", nil),
            (#"{"f":{"defaultVariant":null}}"#, "patch", "value-changed", nil),
            (#"{"f":{"state":"DISABLED","metadata":{"x":1}}}"#, "patch", "value-changed", nil),
            (#"{"f":null}"#, "major", "removed", nil),
            (#"{"_flags":{"$evaluators":{"x":null}}}"#, "major", "member-removed", "/$evaluators/x"),
            (#"{"_flags":{"$evaluators":{"y":{"!":[true]}}}}"#, "minor", "member-added", "/$evaluators/y"),
            (#"{"_flags":{"$evaluators":{"x":{"!":[false]}}}}"#, "patch", "value-changed", nil),
            (#"{"_flags":{"fractional":2}}"#, "patch", "value-changed", nil),
        ] as [(String, String, String, String?)])
    func `the change of a flag raises the version by what apps know of it`(
        patch: String, bump: String, reason: String, path: String?
    ) throws {
        let instance = try ConfigInstance()
        try instance.putFlag("f", Self.flag)
        try instance.put("_flags", #"{"$evaluators":{"x":{"!":[true]}}}"#)
        let forecast = try instance.call("PATCH", "/config?dry_run=true", patch).expecting(200)
        let change = try #require(forecast[member: "changes"]?.arrayValue?.first?.objectValue)
        #expect(change["bump"] == .string(bump) && change["reason"] == .string(reason))
        #expect(change["path"]?.stringValue == path)
        let done = try instance.call("PATCH", "/config", patch).expecting(200)
        #expect(done[member: "version"] == forecast[member: "version"])
    }

    private func value(_ instance: ConfigInstance, _ key: String, _ major: Int?) -> FlagValue? {
        instance.snapshot.flags.compiled(for: major).set.evaluate(key, for: EvaluationContext(), now: 0).value
    }

    @Test func `a build pinned before a variant went keeps it`() throws {
        let instance = try ConfigInstance()
        try instance.putFlag("f", #"{"state":"ENABLED","variants":{"a":1,"b":2},"defaultVariant":"b"}"#)
        try instance.patch(#"{"f":{"variants":{"b":null},"defaultVariant":"a"}}"#)
        #expect(value(instance, "f", nil) == 1 && value(instance, "f", 2) == 1 && value(instance, "f", 1) == 2)
        // The older major can't take a change until the variant is there again.
        try instance.patch(#"{"f":{"variants":{"a":7}}}"#)
        #expect(value(instance, "f", nil) == 7 && value(instance, "f", 1) == 2)
        try instance.patch(#"{"f":{"variants":{"b":3}}}"#)
        #expect(value(instance, "f", nil) == 7 && value(instance, "f", 1) == 7)
    }

    @Test func `a pinned major keeps the rule that it can evaluate, and gets each change that it can take`() throws {
        let instance = try ConfigInstance()
        try instance.put("_flags", #"{"$evaluators":{"old":{"!":[false]}}}"#)
        for key in ["f", "g"] {
            try instance.putFlag(key, #"{"state":"ENABLED","variants":{"a":1,"b":2},"defaultVariant":"a"}"#)
        }
        try instance.put("_flags", #"{"$evaluators":{"new":{"!":[false]}}}"#)
        #expect(instance.snapshot.head.version.major == 2)
        let patch = #"{"f":{"targeting":{"if":[{"$ref":"new"},"b","a"]}},"g":{"defaultVariant":"b"}}"#
        let forecast = try instance.call("PATCH", "/config?dry_run=true", patch).expecting(200)
        #expect(forecast[member: "bump"] == .some("patch"))
        let first = try #require(forecast[member: "majors"]?.arrayValue?.first?.objectValue)
        let kept = try #require(first["keeps"]?.arrayValue?.map(\.objectValue))
        #expect(kept.map { $0?["key"] } == ["f"] && first["receives"] == ["g"])
        #expect(kept[0]?["reason"] == "at /targeting/if/0/$ref: there is no shared rule new")
        let added =
            #"{"h":{"value":{"state":"ENABLED","variants":{"a":1},"defaultVariant":"a","#
            + #""targeting":{"if":[{"$ref":"new"},"a"]}},"kind":"flag"}}"#
        let write = "/config?replace=true&form=entries"
        let withheld = try instance.call("PATCH", write + "&dry_run=true", added).expecting(200)[member: "majors"]
        let lacked: JSONValue = [["key": "h", "reason": "at /targeting/if/0/$ref: there is no shared rule new"]]
        #expect(withheld?.arrayValue?.first?.objectValue?["withheld"] == lacked)
        _ = try instance.call("PATCH", write, added).expecting(200)
        let majors = try instance.call("GET", "/majors").json.arrayValue?.map { $0.objectValue?["lacks"] }
        #expect(majors == [lacked, []])
        try instance.patch(patch)
        #expect(value(instance, "f", nil) == 2 && value(instance, "f", 2) == 2)
        #expect(value(instance, "f", 1) == 1, "major 1 has no rule 'new'")
        #expect(value(instance, "g", 1) == 2)
        #expect(instance.snapshot.flags.compiled(for: 1).set.faults.isEmpty)
        // A shared rule that refers to a flag unknown in major 1 also stays unchanged there.
        #expect(try instance.call("GET", "/flags.json?version=1")[member: "$evaluators"]?.objectValue?["old"] != nil)
        let loaded = try ConfigInstance("other", on: instance.database)
        #expect(value(loaded, "f", 1) == 1 && value(loaded, "f", 2) == 2)
    }

    @Test func `a release reaches older majors on both sides of a major that cannot take it`() throws {
        let instance = try ConfigInstance()
        let withNew = #"{"$evaluators":{"old":{"!":[false]},"new":{"!":[false]}}}"#
        try instance.put("_flags", withNew)
        try instance.putFlag("f", #"{"state":"ENABLED","variants":{"a":1,"b":2},"defaultVariant":"a"}"#)
        try instance.patch(#"{"f":{"variants":{"b":null}}}"#)
        try instance.put("_flags", #"{"$evaluators":{"old":{"!":[false]},"other":{"!":[false]}}}"#)
        try instance.put("_flags", withNew)
        #expect(instance.snapshot.head.version.major == 4)
        try instance.patch(#"{"f":{"variants":{"b":5},"targeting":{"if":[{"$ref":"new"},"b","a"]}}}"#)
        #expect(value(instance, "f", nil) == 5 && value(instance, "f", 2) == 5 && value(instance, "f", 1) == 5)
        #expect(value(instance, "f", 3) == 1, "major 3 has no rule 'new'")
        let loaded = try ConfigInstance("other", on: instance.database)
        #expect([1, 2, 3, 4].map { value(loaded, "f", $0) } == [5, 5, 1, 5])
    }
}
