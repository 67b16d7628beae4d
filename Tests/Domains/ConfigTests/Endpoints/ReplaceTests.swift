import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests `PATCH /config?replace=true`, for whole values and for whole entries.
@Suite(.database(.migrated)) struct ReplaceTests {
    private func replace(_ instance: ConfigInstance, _ body: String, _ query: String = "") throws -> TestResponse {
        try instance.call("PATCH", "/config?replace=true\(query)", body, as: .configWrite)
    }

    @Test func `members are whole values, null members and all`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":{"m":1,"n":2},"b":1,"c":{"d":{"e":1}}}"#)
        let answer = try replace(instance, #"{"a":{"m":1,"x":null},"b":null,"c":{"d":{}},"never":null}"#)
        #expect(answer.outcome == "200" && answer["Almanac-Version"] == "2.0.0")
        #expect(try instance.config() == ["a": ["m": 1, "x": .null], "c": ["d": [:]]])
    }

    @Test func `values and descriptions change in one release, each of them alone too`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":1,"description":"old"}"#).expecting(201)
        let body = """
            {"a":{"description":"new"},"b":{"value":{"n":null},"description":"of b"},"c":{"value":3}}
            """
        #expect(try replace(instance, body, "&form=entries").revision == 2)
        for (key, value, description) in [("a", "1", "new"), ("b", #"{"n":null}"#, "of b"), ("c", "3", "")] {
            let entry = try instance.call("GET", "/config/\(key)")
            #expect(entry[member: "value"]?.description == value)
            #expect(entry[member: "description"] == .some(.string(description)))
            #expect(entry[member: "revision"] == .some(2))
        }
        #expect(
            try replace(instance, #"{"a":{"value":2},"b":{"value":1,"description":null},"c":null}"#, "&form=entries")
                .revision == 3)
        #expect(try instance.config() == ["a": 2, "b": 1])
        #expect(try instance.call("GET", "/config/a")[member: "description"] == .some("new"))
        #expect(try instance.call("GET", "/config/b")[member: "description"] == .some(""))
    }

    @Test func `numbers keep their digits`() throws {
        let instance = try ConfigInstance()
        let numbers = #"{"a":9007199254740993,"b":1.10,"c":{"d":[0.1,-0.0,123456789012345678901234567890]}}"#
        try replace(instance, numbers).expecting(200)
        #expect(try instance.call("GET", "/config.json").body.contains(#""a":9007199254740993,"b":1.10"#))
        #expect(try instance.call("GET", "/config/c").body.contains("123456789012345678901234567890"))
        let forecast = try replace(instance, #"{"b":1.100}"#, "&dry_run=true")
        #expect(forecast.body.contains(#""before":1.10,"after":1.100"#))
        #expect(try replace(instance, #"{"a":1e400}"#).outcome == "422 invalid-value")
        #expect(try instance.call("GET", "/config?form=summary").body.contains(#""value":9007199254740993"#))
    }

    @Test(arguments: [
        (#"{"a":1}"#, "'a'"), (#"{"a":{}}"#, "'value'"), (#"{"a":{"value":null}}"#, "'value'"),
        (#"{"a":{"value":1,"descripton":"x"}}"#, "'descripton'"),
        (#"{"a":{"value":1,"description":2}}"#, "'description'"),
        (#"{"a":[]}"#, "'a'"), ("[]", "object"),
    ])
    func `an entry that is none is refused, and nothing is done`(body: String, hint: String) throws {
        let instance = try ConfigInstance()
        try instance.put("a", "0")
        let answer = try replace(instance, body, "&form=entries")
        #expect(answer.outcome == "422 invalid-value")
        #expect(answer[member: "detail"]?.stringValue?.contains(hint) == true, "\(answer.body)")
        #expect(instance.snapshot.head.revision == 1)
    }

    @Test func `a description of what isn't there is refused`() throws {
        let instance = try ConfigInstance()
        let answer = try replace(instance, #"{"b":{"value":1},"a":{"description":"x"}}"#, "&form=entries")
        #expect(answer.outcome == "404 entry-not-found")
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `a merge patch does not pass for whole values`() throws {
        let type = ("Content-Type", "application/merge-patch+json")
        let answer = try ConfigInstance().call("PATCH", "/config?replace=true", "{}", as: .configWrite, type)
        #expect(answer.outcome == "415 unsupported-media-type")
    }
}
