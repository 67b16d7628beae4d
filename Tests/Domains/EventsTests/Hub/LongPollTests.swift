import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct LongPollTests {
    private let instance: EventsInstance
    private let token: String

    init() throws {
        instance = try EventsInstance()
        token = try instance.makeToken(.admin).text
    }

    @Test func `without a place it answers at once where everything stands`() throws {
        let reader = try instance.open(query: "?wait=25")
        #expect(try reader.ends())
        #expect(reader.all.map(\.type) == ["hello"])
    }

    @Test func `it answers a reader who is behind at once, with everything`() throws {
        let eventID = try #require(try instance.open().next()?.id)
        for number in 1...250 { try instance.patch(#"{"a":\#(number)}"#, token: token) }
        let reader = try instance.open(last: eventID, query: "?wait=25")
        #expect(try reader.ends())
        #expect(reader.all.map { $0.number("revision") } == (1...250).map { $0 })
    }

    @Test func `it waits for the next change`() throws {
        let eventID = try #require(try instance.open().next()?.id)
        let reader = try instance.open(last: eventID, query: "?wait=25")
        #expect(try reader.next(within: .milliseconds(300)) == nil)
        try instance.patch(#"{"a":1}"#, token: token)
        #expect(try reader.ends())
        #expect(reader.all.map(\.type) == ["refetchEvaluation"])
    }

    @Test(arguments: [0, 1]) func `without a change it ends with a ping after its time`(wait: Int) throws {
        let eventID = try #require(try instance.open().next()?.id)
        let start = ContinuousClock.now
        let reader = try instance.open(last: eventID, query: "?wait=\(wait)")
        #expect(try reader.ends(within: .seconds(wait + 20)))
        #expect(ContinuousClock.now - start >= .seconds(wait))
        #expect(reader.all.map(\.type) == ["ping"])
    }

    @Test func `a place that is not known is a resync at once`() throws {
        let reader = try instance.open(last: "nonsense", query: "?wait=25")
        #expect(try reader.ends())
        #expect(reader.all.map(\.type) == ["resync"])
    }
}
