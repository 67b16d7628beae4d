import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacRevisions
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct FlagEntryTests {
    @Test func `PUT with the kind makes a flag, which keeps it and says so in every form`() throws {
        let instance = try ConfigInstance()
        let created = try instance.call(
            "PUT", "/config/new-ui", #"{"value":\#(Definition.toggle()),"description":"d","kind":"flag"}"#)
        #expect(created.outcome == "201")
        #expect(
            created[member: "entries"]?.arrayValue?.first?.objectValue?.members.map(\.name).prefix(2) == [
                "key", "kind",
            ])
        try instance.put("new-ui", Definition.toggle(state: "DISABLED"))
        try instance.put("plain", "1")
        let entry = try instance.call("GET", "/config/new-ui")
        #expect(entry[member: "kind"] == .some("flag") && entry[member: "description"] == .some("d"))
        for path in ["/config", "/config?form=summary", "/config?q=defaultVariant", "/config?since=0", "/config?at=2"] {
            let entries = try #require(try instance.call("GET", path).expecting(200).json.arrayValue)
            let flag = try #require(entries.first { $0.objectValue?["key"] == "new-ui" }?.objectValue)
            #expect(flag.members.map(\.name).prefix(2) == ["key", "kind"], "\(path)")
            #expect(entries.allSatisfy { ($0.objectValue?["kind"] == nil) == ($0.objectValue?["key"] == "plain") })
        }
        let history = try #require(try instance.call("GET", "/config/new-ui/history").json.arrayValue)
        #expect(history.map { $0.objectValue?["kind"] } == ["flag", "flag"])
        let release = try instance.call("GET", "/releases/2")
        #expect(release[member: "changes"]?.arrayValue?.first?.objectValue?["kind"] == "flag")
    }

    @Test func `flags are compiled, evaluated, and kept until one of them changes`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        #expect(instance.snapshot.flags.isEmpty)
        try instance.call("PUT", "/config/new-ui", #"{"value":\#(Definition.toggle()),"kind":"flag"}"#).expecting(201)
        let first = instance.snapshot.flags.compiled(for: nil)
        #expect(first.set.evaluate("new-ui", for: EvaluationContext(), now: 0).value == true)
        #expect(first === instance.snapshot.flags.compiled(for: 1), "both see the same flags")
        try instance.put("a", "2")
        try instance.put("a", #""retyped""#)
        #expect(instance.snapshot.head.version.major == 2)
        #expect(
            instance.snapshot.flags.compiled(for: nil) === first && instance.snapshot.flags.compiled(for: 1) === first)
        try instance.put("new-ui", Definition.toggle(state: "DISABLED"))
        #expect(instance.snapshot.flags.compiled(for: nil) !== first)
    }
}

/// Flag definitions in JSON.
enum Definition {
    /// Returns a flag with the variants `on` and `off`.
    static func toggle(state: String = "ENABLED", targeting: String = "{}") -> String {
        #"""
        {"state":"\#(state)","variants":{"on":true,"off":false},"defaultVariant":"on","targeting":\#(targeting)}
        """#
    }
}
