import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacEventsDomain

@Suite(.database(.migrated)) struct FlagStreamTests {
    private static func toggle(_ state: String = "ENABLED", targeting: String = "{}") -> String {
        #"{"state":"\#(state)","variants":{"on":true,"off":false},"defaultVariant":"on","targeting":\#(targeting)}"#
    }

    @Test func `a stream about flags hears of flags alone, without their keys, and others as before`() throws {
        let instance = try EventsInstance()
        let token = try instance.makeToken(.configWrite).text
        let flags = try instance.open(query: "?ofrep=true")
        let config = try instance.open()
        let reader = try instance.open(token: token)
        for stream in [flags, config, reader] { #expect(try stream.next("hello") != nil) }
        try instance.patch(#"{"banner":"x"}"#, token: token)
        #expect(try config.next("refetchEvaluation")?.data["keys"] == ["banner"])
        #expect(try reader.next("refetchEvaluation")?.data["keys"] == ["banner"])
        try instance.put(flag: "new-ui", Self.toggle(), token: token)
        // Callers who may not read flags must not learn the keys.
        #expect(try config.next("refetchEvaluation")?.data["keys"] == [])
        #expect(try reader.next("refetchEvaluation")?.data["keys"] == ["new-ui"])
        let event = try #require(try flags.next("refetchEvaluation"))
        #expect(event.number("revision") == 2, "the release without a flag was passed over")
        #expect(event.data["keys"] == nil)
        #expect(event.number("spreadMs") == 0)
        // OFREP clients send the tag and the time of the change, in seconds, back to the server.
        let head = try #require(instance.hub.head)
        #expect(event.text("etag") == "\"\(head.cursor)\"")
        #expect(abs(try #require(event.number("lastModified")) - WallClock.milliseconds / 1000) < 600)
        #expect(event.id == "config=\(head.cursor)")
    }

    @Test func `a stream about flags that comes back hears of what it missed`() throws {
        let instance = try EventsInstance()
        let token = try instance.makeToken(.configWrite).text
        try instance.put(flag: "new-ui", Self.toggle(), token: token)
        let id = try #require(try instance.open(query: "?ofrep=true").next("hello")?.id)
        try instance.put(flag: "new-ui", Self.toggle("DISABLED"), token: token)
        let back = try instance.open(last: id, query: "?ofrep=true")
        #expect(try back.next("refetchEvaluation")?.number("revision") == 2)
        let poll = try instance.open(last: id, query: "?ofrep=true&wait=30")
        #expect(try poll.next("refetchEvaluation")?.number("revision") == 2)
        #expect(try poll.ends())
    }

    @Test func `a flag whose time comes announces itself to streams about flags alone`() throws {
        let time = TestClock(milliseconds: 1_790_000_000_000)
        let instance = try EventsInstance(clock: time.server)
        let token = try instance.makeToken(.configWrite).text
        let rule = #"{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=",1790000100]},"off"]}"#
        try instance.put(flag: "sale", Self.toggle(targeting: rule), token: token)
        // Without a stream, nothing is read before the next check, which the test's clock never reaches by itself.
        instance.hub.check()
        #expect(eventually { instance.hub.revision == 1 })
        let flags = try instance.open(query: "?ofrep=true")
        let config = try instance.open()
        #expect(try flags.next("hello") != nil && config.next("hello") != nil)
        instance.hub.check()
        #expect(eventually { instance.hub.hasScheduledChange })
        time.advance(by: .seconds(100))
        time.advance(by: .seconds(2))
        let event = try #require(try flags.next("refetchEvaluation"))
        #expect(event.number("revision") == 1 && event.number("lastModified") == 1_790_000_102)
        try instance.patch(#"{"banner":"x"}"#, token: token)
        #expect(try config.next("refetchEvaluation")?.number("revision") == 2, "time alone is nothing to it")
    }
}
