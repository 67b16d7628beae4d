import AlmanacConfigDomain
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

/// Tests the requests about definitions: list, explain, sample, switch, manifest.
@Suite(.database(.migrated)) struct DefinitionCallTests {
    private static func split(_ percent: Int) -> String {
        """
        {"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",\
        "targeting":{"fractional":[["on",\(percent)],["off",\(100 - percent)]]}}
        """
    }

    private func json(_ answer: TestResponse) throws -> JSONObject {
        try #require(try JSONValue(parsing: answer.response.bytes).objectValue)
    }

    @Test func `the list says what each flag is`() throws {
        let instance = try FlagsInstance()
        try instance.put(
            set: """
                {"flags":{
                    "base":{"state":"ENABLED","variants":{"a":1,"b":2.50},"defaultVariant":"a"},
                    "broken":{"state":"ENABLED","variants":{"on":true},"targeting":{"oops":[1]}},
                    "sale":{"state":"DISABLED","variants":{"x":"y"},"metadata":{"almanac.public":true},"targeting":
                        {"if":[{"and":[{"almanac.flag":"base"},{"var":"$flagd.timestamp"}]},"x"]}}
                }}
                """)
        let answer = try instance.call("GET", "/flags", as: .token(.configRead))
        let object = try json(answer)
        #expect(object["fractional"]?.numberValue?.int64 == 3)
        let flags = try #require(object["flags"]?.arrayValue).compactMap(\.objectValue)
        #expect(flags.map { $0["key"] } == ["base", "broken", "sale"])
        #expect(flags.map { $0["type"] } == ["number", "boolean", "string"])
        #expect(flags.map { $0["state"] } == ["ENABLED", "ENABLED", "DISABLED"])
        #expect(flags.map { $0["default_variant"] } == ["a", .null, .null])
        #expect(flags.map { $0["public"] } == [false, false, true])
        #expect(flags.map { $0["reads_time"] } == [false, false, true])
        #expect(flags[2]["depends_on"] == ["base"])
        #expect(answer.body.contains(#"{"name":"b","value":2.50,"last_evaluated_at":null,"evaluations":0}"#))
        let fault = try #require(flags[1]["fault"]?.objectValue)
        #expect(fault["path"] == "/targeting/oops" && fault["message"] == "unknown operator")
        #expect(flags[0]["fault"] == .null && flags[2]["fault"] == .null)
        #expect(flags[0]["revision"]?.numberValue?.int64 == 1)
        #expect(answer["Almanac-Revision"] == "1")
    }

    @Test func `whoever may not read definitions gets none of these calls`() throws {
        let instance = try FlagsInstance()
        try instance.put(flag: "new-ui", Self.split(50))
        for (method, path) in [
            ("GET", "/flags"), ("GET", "/flags/new-ui/evaluations"), ("POST", "/flags/new-ui/explain"),
            ("POST", "/flags/new-ui/sample"),
            ("GET", "/openfeature/v0/manifest"),
        ] {
            #expect(try instance.call(method, path, as: .nobody).status == 401, "\(path)")
            #expect(try instance.call(method, path, as: .token(.flagsEvaluate)).status == 403, "\(path)")
            #expect(try instance.call(method, path, as: .user).status == 403, "\(path)")
            #expect(try instance.call(method, path, as: .token(.configRead)).status == 200, "\(path)")
        }
        #expect(try instance.call("POST", "/flags/new-ui/disable", as: .token(.configRead)).status == 403)
        #expect(try instance.call("POST", "/flags/new-ui/disable", as: .nobody).status == 401)
    }

    @Test func `explain says which branch won, with what is stored and with a draft`() throws {
        let instance = try FlagsInstance()
        try instance.put(flag: "new-ui", Self.split(10))
        let stored = try json(try instance.call("POST", "/flags/new-ui/explain", #"{"context":{"targetingKey":"u1"}}"#))
        #expect(stored["variant"] == "off" && stored["value"] == false && stored["reason"] == "TARGETING_MATCH")
        #expect(stored["branch"]?.stringValue?.hasSuffix(#"so the variant is "off""#) == true)
        let step = try #require(stored["steps"]?.arrayValue?.first?.objectValue)
        #expect(step["path"] == "/flags/new-ui/targeting/fractional" && step["finding"] == "split")
        #expect(step["bucket"]?.numberValue?.int64 == 1 && step["decides"] == true)
        #expect(stored["faults"] == nil)
        let draft = #"{"state":"ENABLED","variants":{"on":true},"targeting":{"if":[{"==":[{"var":"a"},1]},"on"]}}"#
        let tried = try json(
            try instance.call("POST", "/flags/new-ui/explain", #"{"context":{"a":1},"definition":\#(draft)}"#))
        #expect(tried["variant"] == "on" && tried["faults"]?.arrayValue == [])
        #expect(tried["branch"] == #"condition 1 of the if holds (a (1) == 1: true); so the variant is "on""#)
        // A definition that is not stored can be tried. A broken one is answered with the place of each fault.
        let broken = try json(
            try instance.call("POST", "/flags/other/explain", #"{"definition":{"state":"ENABLED","variants":{}}}"#))
        #expect(broken["reason"] == "ERROR" && broken["error_code"] == "PARSE_ERROR" && broken["variant"] == .null)
        #expect(broken["faults"]?.arrayValue?.first?.objectValue?["path"] == "/variants")
        #expect(broken["faults"]?.arrayValue?.first?.objectValue?["key"] == "other")
        let sample = try json(try instance.call("POST", "/flags/other/sample", #"{"definition":\#(draft),"count":5}"#))
        #expect(sample["moved"]?.numberValue?.int64 == 0 && sample["faults"]?.arrayValue == [])
        #expect(try instance.call("POST", "/flags/other/explain").status == 404)
        #expect(instance.service.state.revision == 1, "nothing was written")
    }

    @Test func `explain and sample answer for another time and for shared rules that are not stored`() throws {
        let instance = try FlagsInstance()
        let rules =
            #"{"soon":{">=":[{"var":"$flagd.timestamp"},1796115600]},"pro":{"==":[{"var":"plan"},"pro"]}}"#
        let definition =
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
            + #""targeting":{"if":[{"and":[{"$ref":"soon"},{"$ref":"pro"}]},"on"]}}"#
        // 2026-12-01T09:00:00Z is 1796115600.
        for (time, variant) in [
            ("2026-12-01T08:59:59.999Z", "off"), ("2026-12-01T10:00:00+01:00", "on"), ("9999-12-31T23:59:59Z", "on"),
            ("0001-01-01T00:00:00Z", "off"),
        ] {
            let draft = #""definition":\#(definition),"$evaluators":\#(rules)"#
            let body = #"{"context":{"plan":"pro"},"time":"\#(time)",\#(draft)}"#
            let explained = try json(try instance.call("POST", "/flags/new-ui/explain", body))
            #expect(explained["variant"]?.stringValue == variant && explained["faults"] == [], "\(time)")
            let sample = try json(try instance.call("POST", "/flags/new-ui/sample", body))
            let counts = try #require(sample["variants"]?.arrayValue).compactMap(\.objectValue)
            let count = counts.first { $0["name"]?.stringValue == variant }?["count"]?.numberValue?.int64
            #expect(count == 10_000, "\(time)")
        }
        // Without the shared rules the draft is broken.
        let broken = try json(
            try instance.call("POST", "/flags/new-ui/explain", #"{"$evaluators":{},"definition":\#(definition)}"#))
        #expect(broken["error_code"] == "PARSE_ERROR")
        #expect(instance.service.state.revision == 0, "nothing was written")
    }

    @Test func `a body that says something else is refused`() throws {
        let instance = try FlagsInstance()
        try instance.put(flag: "new-ui", Self.split(10))
        for (body, status) in [
            ("[]", 422), ("{", 400), (#"{"contxt":{}}"#, 422), (#"{"context":[]}"#, 422), (#"{"definition":1}"#, 422),
            (#"{"count":0}"#, 422), (#"{"count":1.5}"#, 422), (#"{"count":1000000}"#, 422), (#"{"ids":[1]}"#, 422),
            (#"{"fractional":4}"#, 422), (#"{"time":1}"#, 422), (#"{"time":"tomorrow"}"#, 422),
            (#"{"$evaluators":[]}"#, 422), (#"{"context":{"a":1,"a":2}}"#, 400), ("{}", 200), ("", 200),
        ] {
            let answer = try instance.call("POST", "/flags/new-ui/sample", body)
            #expect(answer.status == status, "\(body): \(answer.body)")
        }
        #expect(try instance.call("GET", "/flags?x=1").status == 400)
    }

    @Test func `a sample of a draft says who moves: from 10 to 20 percent nobody moves out`() throws {
        let instance = try FlagsInstance()
        try instance.put(flag: "new-ui", Self.split(10))
        let sample = try json(try instance.call("POST", "/flags/new-ui/sample", #"{"definition":\#(Self.split(20))}"#))
        #expect(sample["sampled"]?.numberValue?.int64 == 10_000)
        let moves = try #require(sample["moves"]?.arrayValue).compactMap(\.objectValue)
        #expect(moves.count == 1 && moves[0]["from"] == "off" && moves[0]["to"] == "on")
        let moved = try #require(sample["moved"]?.numberValue?.int64)
        #expect((900...1100).contains(moved))
        // Another version of splits moves many contexts; the unchanged flag moves none.
        let split = try json(try instance.call("POST", "/flags/new-ui/sample", #"{"fractional":2,"count":1000}"#))
        #expect(try #require(split["moved"]?.numberValue?.int64) > 100)
        let plain = try json(try instance.call("POST", "/flags/new-ui/sample", #"{"ids":["u1","u2"]}"#))
        #expect(plain["sampled"]?.numberValue?.int64 == 2 && plain["moved"]?.numberValue?.int64 == 0)
        let other = try json(
            try instance.call(
                "POST", "/flags/new-ui/sample", #"{"definition":{"state":"DISABLED","variants":{"on":true}},"count":3}"#
            ))
        #expect(other["variants"]?.arrayValue?.last?.objectValue?["name"] == .null)
    }

    @Test func `the kill switch is one call, for a flag with faults too`() throws {
        let instance = try FlagsInstance()
        try instance.put(
            set: #"{"flags":{"odd":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"gone"},"#
                + #""new-ui":\#(Self.split(100))}}"#)
        #expect(try instance.evaluate("new-ui", #"{"targetingKey":"u"}"#)[member: "value"] == "true")
        let off = try instance.call(
            "POST", "/flags/new-ui/disable", "", as: .token(.configWrite), ("Almanac-Message", "outage"))
        #expect(off.status == 200 && off[member: "revision"] == "2")
        #expect(try instance.evaluate("new-ui", #"{"targetingKey":"u"}"#)[member: "reason"] == #""DISABLED""#)
        #expect(try instance.call("GET", "/config/new-ui")[member: "kind"] == #""flag""#)
        // A repeated request changes nothing.
        #expect(try instance.call("POST", "/flags/new-ui/disable")[member: "revision"] == "2")
        #expect(try instance.call("POST", "/flags/new-ui/enable")[member: "revision"] == "3")
        #expect(try instance.evaluate("new-ui", #"{"targetingKey":"u"}"#)[member: "value"] == "true")
        #expect(try instance.call("POST", "/flags/odd/disable").status == 200)
        #expect(try instance.call("POST", "/flags/odd/disable", "", ("If-Match", "\"1\"")).status == 412)
        for missing in ["nothing", "_flags"] {
            let answer = try instance.call("POST", "/flags/\(missing)/disable")
            #expect(answer.status == 404 && answer.body.contains("flag-not-found"))
        }
        #expect(try instance.call("PUT", "/config/plain", #"{"value":{"state":"x"}}"#).status == 201)
        #expect(try instance.call("POST", "/flags/plain/disable").status == 404)
    }

    @Test func `the manifest has what generators need`() throws {
        let instance = try FlagsInstance()
        try instance.put(
            set: """
                {"flags":{
                    "b":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"on"},
                    "broken":{"state":"ENABLED","variants":7},
                    "f":{"state":"ENABLED","variants":{"a":1,"b":2.5},"defaultVariant":"b"},
                    "i":{"state":"DISABLED","variants":{"a":1,"b":2},"defaultVariant":"b"},
                    "o":{"state":"ENABLED","variants":{"a":{"x":[1]}},"defaultVariant":"a"},
                    "s":{"state":"ENABLED","variants":{"a":"x"}}
                }}
                """)
        let answer = try instance.call("GET", "/openfeature/v0/manifest")
        #expect(answer["X-Manifest-Capabilities"] == "read")
        #expect(
            answer.body == """
                {"flags":[{"key":"b","type":"boolean","defaultValue":true},\
                {"key":"f","type":"float","defaultValue":2.5},{"key":"i","type":"integer","defaultValue":2},\
                {"key":"o","type":"object","defaultValue":{"x":[1]}},{"key":"s","type":"string","defaultValue":""}]}
                """)
    }

    @Test func `an evaluation says where its stream is, with a ticket that the tag tells apart`() throws {
        let time = TestClock(milliseconds: 1_790_000_000_000)
        let instance = try FlagsInstance(configRead: .token, clock: time.server)
        try instance.put(flag: "new-ui", Self.split(50))
        func address(_ answer: TestResponse) throws -> String {
            let streams = try #require(try json(answer)["eventStreams"]?.arrayValue)
            let stream = try #require(streams.first?.objectValue)
            #expect(streams.count == 1 && stream["type"] == "sse")
            return try #require(stream["endpoint"]?.objectValue?["requestUri"]?.stringValue)
        }
        let first = try instance.evaluateAll()
        #expect(try address(first).hasPrefix("/development/events?ticket="))
        let tag = try #require(first["ETag"])
        #expect(try instance.evaluateAll(tag: tag).status == 304)
        // With the same tag for ever, a client whose ticket expired would never receive a new one.
        time.advance(by: .seconds(1800))
        let later = try instance.evaluateAll(tag: tag)
        #expect(later.status == 200)
        #expect(try address(later) != address(first))
        let open = try FlagsInstance(sharing: instance)
        try open.service.refresh()
        #expect(try address(try open.evaluateAll(as: .nobody)) == "/development/events?ofrep=true")
        #expect(try address(try open.evaluateAll()) == "/development/events?ofrep=true")
    }
}
