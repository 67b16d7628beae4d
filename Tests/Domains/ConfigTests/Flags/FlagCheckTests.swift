import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTargeting
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct FlagCheckTests {
    /// Returns the faults of a refusal, as `key path`.
    private func faults(_ answer: TestResponse) throws -> [String] {
        #expect(answer.outcome == "422 invalid-flag", "\(answer.body)")
        let faults = try #require(answer[member: "faults"]?.arrayValue)
        return faults.map {
            "\($0.objectValue?["key"]?.stringValue ?? "?") \($0.objectValue?["path"]?.stringValue ?? "?")"
        }
    }

    private static let deep = String(repeating: #"{"!":["#, count: 200) + "true" + String(repeating: "]}", count: 200)
    private static let wide = #"{"and":["# + Array(repeating: "true", count: 10_001).joined(separator: ",") + "]}"

    @Test(
        arguments: [
            (Definition.toggle(targeting: #"{"fractional_":[]}"#), "/targeting/fractional_"),
            (Definition.toggle(targeting: #"{"$ref":"missing"}"#), "/targeting/$ref"),
            (Definition.toggle(targeting: #"{"almanac.flag":"f"}"#), "/targeting"),
            (Definition.toggle(targeting: #"{"fractional":[["on",-1],["off",1]]}"#), "/targeting/fractional"),
            (Definition.toggle(targeting: #"{"fractional":[["on",2147483648],["off",1]]}"#), "/targeting"),
            (Definition.toggle(targeting: wide), "/targeting"),
            (#"{"state":"ON","variants":{"on":true}}"#, "/state"),
            (#"{"variants":{"on":true}}"#, "/state"),
            (#"{"state":"ENABLED","variants":{}}"#, "/variants"),
            (#"{"state":"ENABLED","variants":{"on":true,"off":"no"}}"#, "/variants/off"),
            (#"{"state":"ENABLED","variants":{"on":true},"defaultVariant":"x"}"#, "/defaultVariant"),
            (#"{"state":"ENABLED","variants":{"on":true},"metadata":{"a":[]}}"#, "/metadata/a"),
            ("true", ""), (#""text""#, ""), ("[]", ""),
        ])
    func `a definition that can't be evaluated is refused with the place of the fault`(
        definition: String, path: String
    ) throws {
        let instance = try ConfigInstance(limits: .tall)
        let answer = try instance.call("PUT", "/config/f", #"{"value":\#(definition),"kind":"flag"}"#)
        #expect(try faults(answer).contains { $0.hasPrefix("f " + path) }, "\(answer.body)")
        #expect(instance.snapshot.head.revision == 0)
        // A release is refused as a whole, even if its other entries are valid.
        let patch =
            #"{"good":{"value":\#(Definition.toggle()),"kind":"flag"},"f":{"value":\#(definition),"kind":"flag"}}"#
        #expect(try instance.call("PATCH", "/config?replace=true&form=entries", patch).outcome == "422 invalid-flag")
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `a rule that is too deep, NUL and a name that is there twice are refused`() throws {
        let instance = try ConfigInstance(limits: .tall)
        for (definition, outcomes) in [
            (Definition.toggle(targeting: Self.deep), ["422 invalid-flag"]),
            (Definition.toggle(targeting: #"{"==":["\u0000",1]}"#), ["400 invalid-json", "422 invalid-value"]),
            (#"{"state":"ENABLED","variants":{"on":1e400}}"#, ["422 invalid-value"]),
            (#"{"state":"ENABLED","state":"DISABLED","variants":{"a":1}}"#, ["400 invalid-json"]),
        ] {
            let answer = try instance.call("PUT", "/config/f", #"{"value":\#(definition),"kind":"flag"}"#)
            #expect(outcomes.contains(answer.outcome), "\(answer.outcome) \(answer.body.prefix(300))")
        }
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `a split of nothing is taken, and leaves the default to everybody`() throws {
        let instance = try ConfigInstance()
        let nothing = Definition.toggle(targeting: #"{"fractional":[["on",0],["off",0]]}"#)
        try instance.putFlag("f", nothing)
        let evaluation = instance.snapshot.flags.compiled(for: nil).set.evaluate("f", for: EvaluationContext(), now: 0)
        #expect(evaluation.value == true && evaluation.reason == .default)
        // A flag that is too large is refused like any other value.
        let huge = Definition.toggle(targeting: #"{"==":["\#(String(repeating: "x", count: 300_000))",1]}"#)
        #expect(try instance.call("PUT", "/config/f", #"{"value":\#(huge)}"#).outcome == "422 limit-exceeded")
    }

    @Test func `a token for some keys changes the flags with those keys, in a set too`() throws {
        let instance = try ConfigInstance()
        let set = { (state: String, other: String) in
            #"{"flags":{"app.f":\#(Definition.toggle(state: state)),"other":\#(Definition.toggle(state: other))}}"#
        }
        _ = try instance.call("PUT", "/flags.json?fractional=3", set("ENABLED", "ENABLED")).expecting(200)
        let administration = TokenAdministration(
            try Connection(instance.database.settings(user: TestDatabase.owner)), by: Author("tests", .host))
        let part = try administration.create(
            environment: "development", label: "part", scopes: [#require(Scope(rawValue: "config:write:app.*"))],
            expiresAt: nil
        ).token.text
        try instance.tokens.refresh()
        func send(_ method: String, _ path: String, _ body: String) throws -> TestResponse {
            try instance.call(method, path, body, as: nil, ("Authorization", "Bearer \(part)"))
        }
        let refused = try send("PUT", "/flags.json", set("DISABLED", "DISABLED"))
        #expect(refused.outcome == "403 keys-out-of-scope" && refused[member: "keys"] == .some(["other"]))
        #expect(
            try send("PUT", "/flags.json", #"{"flags":{"app.f":\#(Definition.toggle())}}"#).outcome
                == "403 keys-out-of-scope")
        #expect(try send("PUT", "/flags.json", set("DISABLED", "ENABLED")).status == 200)
        #expect(try send("PATCH", "/config", #"{"app.f":{"state":"ENABLED"}}"#).status == 200)
        #expect(instance.snapshot.head.revision == 3)
    }

    @Test func `shared rules in a circle are refused, and one that a flag needs can't go`() throws {
        let instance = try ConfigInstance()
        let circle = #"{"$evaluators":{"a":{"$ref":"b"},"b":{"$ref":"a"}}}"#
        #expect(
            try faults(instance.call("PUT", "/config/_flags", #"{"value":\#(circle)}"#)).allSatisfy {
                $0.hasPrefix("_flags ")
            })
        try instance.put("_flags", #"{"$evaluators":{"staff":{"==":[{"var":"plan"},"staff"]}}}"#)
        #expect(try instance.call("GET", "/config/_flags")[member: "kind"] == .some("flag-set"))
        let flag = Definition.toggle(targeting: #"{"if":[{"$ref":"staff"},"on","off"]}"#)
        try instance.call("PUT", "/config/f", #"{"value":\#(flag),"kind":"flag"}"#).expecting(201)
        #expect(try faults(instance.call("PUT", "/config/_flags", #"{"value":{}}"#)).contains { $0.hasPrefix("f ") })
        #expect(try faults(instance.call("DELETE", "/config/_flags")).contains { $0.hasPrefix("f ") })
        #expect(instance.snapshot.head.revision == 2)
    }

    @Test func `a flag that another one asks for can't go, nor ask back`() throws {
        let instance = try ConfigInstance()
        let asking = Definition.toggle(targeting: #"{"almanac.flag":"base"}"#)
        #expect(
            try faults(instance.call("PUT", "/config/f", #"{"value":\#(asking),"kind":"flag"}"#)).first?.hasPrefix(
                "f /targeting") == true)
        try instance.putFlag("base", Definition.toggle())
        try instance.putFlag("f", asking)
        #expect(try faults(instance.call("DELETE", "/config/base")).contains { $0.hasPrefix("f ") })
        #expect(
            try faults(instance.call("PUT", "/config/base", #"{"value":1,"kind":"value"}"#)).contains {
                $0.hasPrefix("f ")
            })
        let back = Definition.toggle(targeting: #"{"almanac.flag":"f"}"#)
        #expect(try !faults(instance.call("PUT", "/config/base", #"{"value":\#(back)}"#)).isEmpty)
        #expect(instance.snapshot.head.revision == 2)
        try instance.patch(#"{"f":null,"base":null}"#)
    }

    @Test func `the settings that flags share are checked, and are under their own key`() throws {
        let instance = try ConfigInstance()
        for value in [
            #"{"fractional":4}"#, #"{"fractional":"2"}"#, #"{"evaluators":{}}"#, #"{"metadata":{"a":{}}}"#, "1",
            #"{"$evaluators":[]}"#, #"{"$schema":1}"#,
        ] {
            #expect(
                try faults(instance.call("PUT", "/config/_flags", #"{"value":\#(value)}"#)).allSatisfy {
                    $0.hasPrefix("_flags ")
                })
        }
        for (key, kind) in [("_flags", "value"), ("_flags", "flag"), ("a", "flag-set"), ("a", "x")] {
            let body = #"{"value":{},"kind":"\#(kind)"}"#
            #expect(try instance.call("PUT", "/config/\(key)", body).outcome == "422 invalid-value")
        }
        #expect(instance.snapshot.head.revision == 0)
    }

    @Test func `a dry run says how many flags it tried where their rules do very much`() throws {
        let instance = try ConfigInstance()
        let numbers = (0..<400).map(\.description).joined(separator: ",")
        func shared(_ number: Int) -> String {
            let rule = #"{"some":[[\#(numbers)],{"some":[[\#(numbers)],{"==":[{"var":""},-\#(number)]}]}]}"#
            return #"{"_flags":{"value":{"$evaluators":{"heavy":\#(rule)}},"kind":"flag-set"}}"#
        }
        let path = "/config?replace=true&form=entries"
        try instance.call("PATCH", path, shared(1)).expecting(200)
        let flag = Definition.toggle(targeting: #"{"if":[{"$ref":"heavy"},"on"]}"#)
        for number in 0..<12 { try instance.putFlag("f\(number)", flag) }
        let forecast = try instance.call("PATCH", path + "&dry_run=true", shared(2)).expecting(200)
        let warnings = try #require(forecast[member: "warnings"]?.arrayValue).compactMap(\.stringValue)
        #expect(
            warnings.contains { $0.hasPrefix("sampling stopped at the step limit after 1 of 12 flags") }, "\(warnings)")
    }

    @Test func `a merge patch goes into a definition, and switches one off that is broken already`() throws {
        let instance = try ConfigInstance()
        try instance.putFlag("f", Definition.toggle())
        try instance.patch(#"{"f":{"state":"DISABLED"}}"#)
        #expect(try instance.call("GET", "/config/f")[member: "value"]?.objectValue?["state"] == "DISABLED")
        #expect(try faults(instance.call("PATCH", "/config", #"{"f":{"state":"OFF"}}"#)) == ["f /state"])
        let broken = Definition.toggle(targeting: #"{"unknown":[]}"#)
        #expect(try instance.call("PUT", "/flags.json", #"{"flags":{"f":\#(broken)}}"#).outcome == "422 invalid-flag")
        try instance.call("PUT", "/flags.json?lenient=true", #"{"flags":{"f":\#(broken)}}"#).expecting(200)
        try instance.patch(#"{"f":{"state":"DISABLED"}}"#)
        #expect(
            try faults(instance.call("PATCH", "/config", #"{"f":{"defaultVariant":"off"}}"#)).first?.hasPrefix("f ")
                == true)
        // Other flags can still be changed.
        try instance.putFlag("g", Definition.toggle())
        #expect(instance.snapshot.flags.compiled(for: nil).set.flags.map { $0.fault == nil } == [false, true])
    }

    @Test func `a kind changed to and fro is a new major each time, and pinned builds keep what they had`() throws {
        let instance = try ConfigInstance()
        try instance.put("k", "true")
        try instance.putFlag("k", Definition.toggle())
        let forecast = try instance.call(
            "PATCH", "/config?replace=true&form=entries&dry_run=true", #"{"k":{"value":1,"kind":"value"}}"#)
        let change = try #require(forecast[member: "changes"]?.arrayValue?.first?.objectValue)
        #expect(
            change["bump"] == "major" && change["reason"] == "retyped" && change["from"] == "flag"
                && change["to"] == "value")
        try instance.call("PUT", "/config/k", #"{"value":1,"kind":"value"}"#).expecting(200)
        try instance.putFlag("k", Definition.toggle(state: "DISABLED"))
        #expect(instance.snapshot.head.version.major == 4)
        let kinds = try (1...4).map { try instance.call("GET", "/config/k?version=\($0)")[member: "kind"]?.stringValue }
        #expect(kinds == [nil, "flag", nil, "flag"])
        try instance.call("POST", "/releases/1/restore").expecting(200)
        #expect(try instance.call("GET", "/config/k")[member: "kind"] == nil)
        try instance.call("POST", "/releases/2/restore").expecting(200)
        #expect(try instance.call("GET", "/config/k")[member: "kind"] == .some("flag"))
        let release = try instance.call("GET", "/releases/6")[member: "changes"]?.arrayValue?.first?.objectValue
        #expect(release?["kind"] == "flag" && release?["kind_before"] == "value")
    }
}

extension Limits {
    /// Limits for definitions that the default limits refuse.
    static var tall: Limits {
        var limits = Limits()
        limits.depth = 1000
        return limits
    }
}

extension ConfigInstance {
    @discardableResult
    func putFlag(_ key: String, _ definition: String) throws -> TestResponse {
        try call("PUT", "/config/\(key)", #"{"value":\#(definition),"kind":"flag"}"#).expecting(200, 201)
    }
}
