import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests the call that translates files of another flag system.
@Suite(.database(.migrated)) struct ImportTests {
    private static let path = "/imports/launchdarkly?from=production"

    /// Returns the body of a call with a file of two flags; the second one has a form that cannot be kept.
    private static func body(share: Int = 20_000, isOn: Bool = true, take: String = "{}") -> String {
        let rollout =
            #"{"variations":[{"variation":0,"weight":\#(share)},{"variation":1,"weight":\#(100_000 - share)}]}"#
        let settings =
            #"{"on":\#(isOn),"salt":"8d6f","offVariation":1,"fallthrough":{"rollout":\#(rollout)}}"#
        let flags = """
            {"key":"new ui","variations":[{"value":true},{"value":false}],"environments":{"production":\(settings)}},
            {"key":"mixed","variations":[{"value":true},{"value":"x"}],"environments":{"production":\(settings)}}
            """
        return #"{"files":[{"name":"flags.json","content":{"items":[\#(flags)]}}],"take":\#(take)}"#
    }

    private func translate(_ instance: ConfigInstance, _ body: String) throws -> JSONObject {
        let answer = try instance.call("POST", Self.path, body, as: .configWrite).expecting(200)
        #expect(answer["Almanac-Revision"] == "\(instance.snapshot.head.revision)")
        return try #require(try answer.json.objectValue)
    }

    /// Writes the changes of a translation in one release.
    private func release(_ translation: JSONObject, to instance: ConfigInstance) throws {
        let members = try #require(translation["changes"]?.arrayValue).map { change in
            let entry = try #require(change.objectValue)
            return (name: entry["key"]?.stringValue ?? "", value: JSONValue.object(entry.removing("key")))
        }
        let body = String(decoding: JSONValue.object(JSONObject(members)).serialized(), as: UTF8.self)
        try instance.call("PATCH", "/config?replace=true&form=entries", body, as: .configWrite).expecting(200)
    }

    @Test func `the changes of an import make one release, and the same files change nothing more`() throws {
        let instance = try ConfigInstance()
        let translation = try translate(instance, Self.body())
        #expect(instance.snapshot.head.revision == 0)
        let report = try #require(translation["report"]?.arrayValue).compactMap(\.objectValue)
        #expect(report.map { $0["source"] } == ["new ui", "mixed"] && report.map { $0["key"] } == ["new-ui", .null])
        #expect(report.map { $0["verdict"] } == ["exact", "cannot"])
        #expect(report[1]["pointer"]?.stringValue?.hasPrefix("/items/1") == true)
        #expect(report[1]["reason"]?.stringValue?.isEmpty == false)
        #expect(translation["conflicts"] == [] && translation["gone"] == [])
        try release(translation, to: instance)
        #expect(instance.snapshot.head.revision == 1)
        let flag = try #require(instance.snapshot.newest("new-ui"))
        #expect(flag.kind == .flag)
        #expect(String(decoding: flag.value ?? [], as: UTF8.self).contains(#""new ui""#))
        let again = try translate(instance, Self.body())
        #expect(again["changes"] == [])
        #expect(again["unchanged"]?.numberValue?.int64 == 1)
    }

    @Test func `a part that changed on both sides is a conflict until a side wins`() throws {
        let instance = try ConfigInstance()
        try release(try translate(instance, Self.body()), to: instance)
        try instance.call("POST", "/flags/new-ui/disable", as: .configWrite).expecting(200)
        let stored = try translate(instance, Self.body(share: 30_000))
        #expect(stored["conflicts"] == [])
        let changes = try #require(stored["changes"]?.arrayValue).compactMap(\.objectValue)
        let value = try #require(changes.first { $0["kind"] == "flag" })
        // The environment changed the state, and the files the targeting.
        #expect(value["value"]?.objectValue?["state"] == "DISABLED")
        #expect("\(value["value"] ?? .null)".contains("30000"))
        let entry = try #require(instance.snapshot.newest("new-ui")?.value)
        let definition = try #require(try JSONValue(parsing: entry).objectValue)
        let rule: JSONValue = ["if": [["var": "vip"], .null]]
        try instance.put("new-ui", "\(JSONValue.object(definition.setting("targeting", rule)))")
        let conflict = try #require(
            try translate(instance, Self.body(share: 40_000))["conflicts"]?.arrayValue?.first?.objectValue)
        #expect(conflict["key"] == "new-ui" && conflict["source"] == "new ui" && conflict["part"] == "targeting")
        #expect("\(conflict["after"] ?? .null)".contains("40000"))
        for (side, found) in [("mine", false), ("theirs", true)] {
            let taken = try translate(instance, Self.body(share: 40_000, take: #"{"new-ui":"\#(side)"}"#))
            #expect(taken["conflicts"] == [])
            let changed = try #require(
                taken["changes"]?.arrayValue?.compactMap(\.objectValue).first { $0["key"] == "new-ui" })
            #expect("\(changed["value"] ?? .null)".contains("40000") == found, "\(side)")
        }
    }

    @Test(arguments: [
        ("/imports/split", body(), "404 not-found", "expected one of unleash, launchdarkly"),
        ("/imports/unleash", body(), "422 invalid-value", "LaunchDarkly"),
        (
            path, #"{"files":[{"name":"f.yaml","content":"flags: []"}]}"#, "422 invalid-value",
            "'almanac import launchdarkly' also reads YAML"
        ),
        (path, #"{"files":[]}"#, "422 invalid-value", "an array of 1 to 20 files"),
        (path, #"{"files":[{"name":"f","content":{},"more":1}]}"#, "422 invalid-value", "'name'"),
        (
            path, #"{"files":[{"name":"f","content":{}}],"take":{"a":"ours"}}"#, "422 invalid-value",
            "'mine' or 'theirs'"
        ),
        (path, "{", "400 invalid-json", "not valid JSON"),
        (path + "&at=1", body(), "400 invalid-parameter", "at"),
    ])
    func `a call that cannot be answered says what was expected`(
        path: String, body: String, outcome: String, part: String
    ) throws {
        let answer = try ConfigInstance().call("POST", path, body, as: .configWrite)
        #expect(answer.outcome == outcome, "\(answer.body)")
        #expect(answer.body.contains(part), "\(answer.body)")
    }

    @Test func `only callers who may change something translate files, and large files are for the command line`()
        throws
    {
        let instance = try ConfigInstance()
        #expect(try instance.call("POST", Self.path, Self.body(), as: nil).status == 401)
        #expect(try instance.call("POST", Self.path, Self.body(), as: .configRead).status == 403)
        #expect(try instance.call("POST", Self.path, Self.body(), as: .configPropose).status == 403)
        let proposer = ("Authorization", try instance.authorization("gil", [.configRead, .configPropose]))
        #expect(try instance.call("POST", Self.path, Self.body(), as: nil, proposer).status == 200)
        let large = try instance.call("POST", Self.path, String(repeating: " ", count: 4_200_000), as: .configWrite)
        #expect(large.outcome == "413 body-too-large" && large.body.contains("'almanac import launchdarkly'"))
        let many = #"{"files":[{"name":"f","content":[\#(String(repeating: "{},", count: 200_000)){}]}]}"#
        let refused = try instance.call("POST", Self.path, many, as: .configWrite)
        #expect(refused.outcome == "422 limit-exceeded" && refused.body.contains("'almanac import launchdarkly'"))
    }
}
