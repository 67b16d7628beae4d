import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database) struct NotificationTests {
    @Test func `notifications of another session are received in order`() throws {
        let (listener, speaker) = (try connection(), try connection())
        try listener.listen("config")
        try speaker.execute(script: "notify config, '1'; notify config; notify other, 'x'")
        try speaker.execute(script: "notify config, '😸'")
        var notifications: [Notification] = []
        while notifications.count < 3 {
            let next = try listener.notifications(upTo: .seconds(10))
            try #require(!next.isEmpty)
            notifications += next
        }
        #expect(notifications.map(\.payload) == ["1", "", "😸"])
        #expect(Set(notifications.map(\.channel)) == ["config"])
        #expect(Set(notifications.map(\.processID)) == [speaker.processID])
    }

    @Test(arguments: ["Config", "a b", "q\"uote", "; drop table x --", "😸"])
    func `a channel may have any name`(channel: String) throws {
        let listener = try connection()
        try listener.listen(channel)
        try connection().run(Statement("-- name: say\nselect pg_notify($1, 'hello')"), .text(channel))
        #expect(try listener.notifications(upTo: .seconds(10)).map(\.channel) == [channel])
    }

    @Test func `silence ends with the time`() throws {
        let listener = try connection()
        try listener.listen("config")
        let start = ContinuousClock.now
        #expect(try listener.notifications(upTo: .milliseconds(30)).isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        #expect(try listener.notifications(upTo: .zero).isEmpty)
    }

    @Test func `a wake-up ends the wait`() throws {
        let listener = try connection()
        try listener.listen("config")
        let event = try Event()
        let thread = AlmanacPOSIX.Thread(name: "waking") { event.set() }
        let start = ContinuousClock.now
        #expect(try listener.notifications(upTo: .seconds(60), wakeUp: event.descriptor).isEmpty)
        #expect(ContinuousClock.now - start < .seconds(30))
        thread.wait(upTo: .seconds(10))

        // The event, still set, must not hide a received notification.
        try connection().execute(script: "notify config, 'heard'")
        var notifications: [Notification] = []
        while notifications.isEmpty {
            notifications = try listener.notifications(upTo: .seconds(10), wakeUp: event.descriptor)
        }
        #expect(notifications.map(\.payload) == ["heard"])
    }

    @Test func `an ended connection is an error, before the wait and during it`() throws {
        let listener = try connection()
        try listener.listen("config")
        let session = listener.processID
        let thread = AlmanacPOSIX.Thread(name: "ending") { try? terminate(session) }
        guard case .lost? = failure({ try listener.notifications(upTo: .seconds(60)) }) else {
            Issue.record("not lost")
            return
        }
        thread.wait(upTo: .seconds(10))
        #expect(failure { try listener.notifications(upTo: .seconds(60)) }?.isUnavailable == true)
        #expect(!listener.isUsable)
    }

    @Test func `a listening connection stays usable when it has something to hear`() throws {
        let listener = try connection()
        try listener.listen("config")
        try connection().execute(script: "notify config, '7'")
        _ = AlmanacPOSIX.Poll.readable([-1], upTo: .milliseconds(20))
        #expect(listener.isUsable)
        #expect(try listener.notifications(upTo: .seconds(10)).map(\.payload) == ["7"])
    }

    private func connection() throws -> Connection { try Connection(TestDatabase.current.settings) }
}
