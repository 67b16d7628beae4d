import AlmanacHTTP
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacFlagsDomain

/// Tests evaluating all flags over OFREP, and when the response changes.
@Suite(.database(.migrated)) struct BulkEvaluationTests {
    private let pro = #"{"targetingKey":"u1","plan":"pro"}"#
    private let free = #"{"targetingKey":"u1","plan":"free"}"#

    private func instance() throws -> FlagsInstance {
        let instance = try FlagsInstance()
        try instance.put(set: EvaluationTests.set)
        return instance
    }

    @Test func `each flag is an item, and a broken one spoils no other`() throws {
        let instance = try instance()
        let answer = try instance.evaluateAll(pro)
        #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
        #expect(
            try answer.flags
                == #"broken=! dark=0 new-ui=true nobody= off= split="\#(try splitOf(instance))" title="Hello" wrong=!"#)
        #expect(answer[member: "metadata"] == #"{"version":"1.0.0"}"#)
        #expect(
            answer[member: "eventStreams"]
                == #"[{"type":"sse","endpoint":{"requestUri":"/development/events?ofrep=true"},"#
                + #""inactivityDelaySec":120}]"#)
        #expect(answer["Cache-Control"] == "private, no-cache")
        #expect(try instance.call("POST", "/ofrep/v1/evaluate/flags/").status == 200)
    }

    private func splitOf(_ instance: FlagsInstance) throws -> String {
        try instance.evaluate("split", pro).body.contains("\"value\":\"A\"") ? "A" : "B"
    }

    @Test func `an environment without flags has none to tell`() throws {
        let answer = try FlagsInstance().evaluateAll()
        #expect(answer.status == 200 && answer.body.hasPrefix(#"{"flags":[],"metadata""#))
    }

    @Test func `the attribute 'flags' narrows the answer, unless it is something else`() throws {
        let instance = try instance()
        for (flags, expected) in [
            (#"["title","new-ui","title","none"]"#, #"new-ui=false title="Hello""#),
            (#""title, new-ui""#, #"new-ui=false title="Hello""#),
        ] {
            #expect(try instance.evaluateAll("{\"flags\":\(flags)}").flags == expected)
        }
        for flags in [#""US""#, "3", "[]", "[1]", "\"\""] {
            #expect(try instance.evaluateAll("{\"flags\":\(flags)}").flags.hasPrefix("broken=! dark=0 new-ui"))
        }
    }

    @Test func `the same question is answered 304, another never`() throws {
        let instance = try instance()
        let tag = try #require(try instance.evaluateAll(pro)["ETag"])
        #expect(tag.hasPrefix("W/"))
        let strong = String(tag.dropFirst(2))
        for (known, form) in [(tag, tag), (strong, strong), ("\"x\", " + tag, tag)] {
            let answer = try instance.evaluateAll(pro, tag: known)
            #expect(answer.status == 304 && answer.body.isEmpty && answer["ETag"] == form)
            #expect(answer["Almanac-Revision"] == "1")
        }
        // The web provider sends a changed context with its old tag.
        #expect(try instance.evaluateAll(free, tag: tag).status == 200)
        // The caller and the major are parts of the tag.
        #expect(try instance.evaluateAll(pro, as: .nobody, tag: tag).status == 200)
        #expect(try instance.evaluateAll(pro, tag: tag, query: "?version=1").status == 200)
        #expect(try instance.evaluateAll(pro, tag: tag, ("Almanac-Major", "1")).status == 200)
        // A change of a flag changes the tag, and a change of a plain value does not.
        let other = try instance.call("PUT", "/config/plain", #"{"value":1}"#)
        let same = try instance.evaluateAll(pro, tag: tag)
        #expect(same.status == 304 && same["Almanac-Revision"] == other["Almanac-Revision"])
        try instance.put(flag: "title", #"{"state":"ENABLED","variants":{"long":"Bye"},"defaultVariant":"long"}"#)
        #expect(try instance.evaluateAll(pro, tag: tag).status == 200)
        #expect(try instance.evaluateAll(pro, tag: "no tags").status == 400)
    }

    @Test func `a client that heard of another state gets the answer, whatever it has`() throws {
        let instance = try instance()
        let answer = try instance.evaluateAll(pro)
        let tag = try #require(answer["ETag"])
        let cursor = try #require(answer["Almanac-Cursor"])
        let lineage = try #require(cursor.split(separator: ".").last)
        for heard in [cursor, "1", "%22\(cursor)%22", "W/%22\(cursor)%22"] {
            let query = "?flagConfigEtag=\(heard)&flagConfigLastModified=1771622898"
            #expect(try instance.evaluateAll(pro, tag: tag, query: query).status == 304, "\(heard)")
            #expect(try instance.evaluateAll(free, tag: tag, query: query).status == 200, "\(heard)")
        }
        for heard in ["0.\(lineage)", "1.other", "99.other", "nonsense", "%22differs%22", ""] {
            let answer = try instance.evaluateAll(pro, tag: tag, query: "?flagConfigEtag=\(heard)")
            #expect(answer.status == 200 && answer["ETag"] == tag, "\(heard): \(answer.status)")
        }
        // A later version of the protocol may add parameters.
        #expect(try instance.evaluateAll(pro, tag: tag, query: "?flagConfigOther=1").status == 304)
    }

    @Test func `a state that isn't here yet is waited for, and then asked for once more`() throws {
        let instance = try instance()
        let cursor = try #require(try instance.evaluateAll(pro)["Almanac-Cursor"])
        let next = "2." + cursor.split(separator: ".")[1]
        let answer = try instance.evaluateAll(pro, query: "?flagConfigEtag=\(next)")
        #expect(answer.status == 503 && answer["Retry-After"] == "1")
        #expect(answer[member: "errorDetails"] != nil && answer[member: "errorCode"] == #""GENERAL""#)
        // Another worker makes a release of which this worker is not yet notified.
        let other = try FlagsInstance(sharing: instance)
        try other.put(flag: "title", #"{"state":"ENABLED","variants":{"long":"Bye"},"defaultVariant":"long"}"#)
        let reached = try instance.evaluateAll(pro, query: "?flagConfigEtag=\(next)")
        #expect(reached.status == 200 && reached["Almanac-Revision"] == "2", "\(reached.body)")
        #expect(reached.body.contains(#""value":"Bye""#))
    }

    @Test func `where a rule reads the time the answer tells whether it is the same`() throws {
        let clock = TestClock(milliseconds: 1_000_000)
        let instance = try FlagsInstance(clock: clock.server)
        let timed = """
            {"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","metadata":%,
            "targeting":{"if":[{"<":[{"var":"$flagd.timestamp"},1100]},"off","on"]}}
            """
        try instance.put(flag: "timed", timed.replacing("%", with: "{}"))
        try instance.put(flag: "plain", #"{"state":"ENABLED","variants":{"on":1},"metadata":{"almanac.public":true}}"#)
        let tag = try #require(try instance.evaluateAll(pro)["ETag"])
        let publicTag = try #require(try instance.evaluateAll(pro, as: .nobody)["ETag"])
        clock.advance(by: .seconds(50))
        #expect(try instance.evaluateAll(pro, tag: tag).status == 304)
        #expect(try instance.evaluateAll(free, tag: tag).status == 200)
        clock.advance(by: .seconds(100))
        let later = try instance.evaluateAll(pro, tag: tag)
        #expect(later.status == 200)
        #expect(try later.flags.contains("timed=true"))
        // Without a token, the flag that depends on the time is hidden.
        #expect(try instance.evaluateAll(pro, as: .nobody, tag: publicTag).status == 304)
    }
}
