import AlmanacEnvironments
import AlmanacEventsDomain
import AlmanacHTTP
import AlmanacJSON
import AlmanacMetrics
import AlmanacPOSIX
import AlmanacResponseStreams
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct AccountStreamTests {
    private let instance: EventsInstance

    init() throws { instance = try EventsInstance() }

    private func create(_ id: String, as user: String = "alice") throws {
        try instance.act(#"[["createNote",{"action_id":"c-\#(id)","id":"\#(id)","body":"milk"}]]"#, as: user)
    }

    @Test func `a user is sent each action on their notes, and nobody else's`() throws {
        let (alice, bob) = (try instance.open(as: "alice"), try instance.open(as: "bob"))
        for reader in [alice, bob] { #expect(try reader.next()?.type == "hello") }
        try create("n1")
        try create("n2", as: "bob")
        try instance.act(
            #"""
            [["updateNote",{"action_id":"u","id":"n1","base":1,"body":[4,"\nbread"]}],
             ["createNote",{"id":"n3","body":""}], ["moveNote",{"id":"n1","after":"n3"}],
             ["deleteNote","n1"], ["restoreNote",{"id":"n1"}]]
            """#)
        var events = try (0..<6).map { _ in try #require(try alice.next()) }
        // Actions on a note are not sent once the note is purged.
        try instance.act(#"[["purgeNote",{"id":"n3"}]]"#)
        events.append(try #require(try alice.next()))
        #expect(
            events.map(\.type) == [
                "noteCreated", "noteUpdated", "noteCreated", "notesReordered", "noteDeleted", "noteUpdated",
                "noteDeleted",
            ])
        #expect(events.map { $0.number("revision") } == (1...7).map { $0 })
        #expect(events.map { $0.text("action_id") } == ["c-n1", "u", nil, nil, nil, nil, nil])
        #expect(events[1].number("base") == 1)
        #expect(try apply(events[1].data["body"], to: "milk") == "milk\nbread")
        #expect(events[5].data["restored"] == true)
        #expect(events[6].data["purged"] == true)
        #expect(events.allSatisfy { $0.id?.contains("config=0.") == true })
        #expect(try bob.next()?.text("id") == "n2")
        #expect(try bob.next(within: .milliseconds(300)) == nil)
    }

    @Test func `an edit that takes a note out of the trash says so`() throws {
        try create("n1")
        let reader = try instance.open(as: "alice")
        #expect(try reader.next()?.type == "hello")
        try instance.act(
            #"[["deleteNote","n1"], ["updateNote",{"id":"n1","base":1,"body":[4,"!"]}], "#
                + #"["updateNote",{"id":"n1","base":3,"body":[5,"?"]}]]"#)
        let events = try (0..<3).map { _ in try #require(try reader.next()) }
        #expect(events.map(\.type) == ["noteDeleted", "noteUpdated", "noteUpdated"])
        #expect(events[1].data["restored"] == true)
        #expect(events[2].data["restored"] == nil)
    }

    @Test func `metrics count the streams, the events they were sent and why they ended`() throws {
        let reader = try instance.open(as: "alice")
        #expect(try reader.next()?.type == "hello")
        try create("n1")
        #expect(try reader.next()?.type == "noteCreated")
        #expect(eventually { metrics.contains("almanac_stream_delivery_seconds_count 1\n") })
        let name = "development"
        #expect(metrics.contains("almanac_streams{environment=\"\(name)\"} 1\n"))
        #expect(metrics.contains("almanac_stream_events_total{environment=\"\(name)\",type=\"noteCreated\"} 1\n"))
        instance.hub.close()
        #expect(metrics.contains("almanac_streams{environment=\"\(name)\"} 0\n"))
        #expect(metrics.contains("almanac_streams_closed_total{reason=\"restarting\"} 1\n"))
    }

    private var metrics: String {
        var exposition = Exposition()
        instance.hub.write(to: &exposition)
        return exposition.text
    }

    @Test func `a user's very first action reaches a stream that was open before`() throws {
        let reader = try instance.open(as: "alice")
        let hello = try #require(try reader.next())
        #expect(hello.text("notes")?.hasPrefix("0.") == true)
        try create("n1")
        #expect(try reader.next()?.type == "noteCreated")
        let resumed = try instance.open(as: "alice", last: hello.id)
        #expect(try resumed.next()?.type == "hello")
        #expect(try resumed.next()?.type == "noteCreated")
    }

    @Test func `hello has the newest revision of the notes for a reader who resumes`() throws {
        let first = try instance.open(as: "alice")
        _ = try first.next()
        for number in 1...3 { try create("n\(number)") }
        let eventID = try #require(try first.next()?.id)
        #expect(eventID.contains("notes=1."))
        first.leave()
        #expect(eventually { instance.hub.count == 0 })
        let again = try instance.open(as: "alice", last: eventID)
        let hello = try #require(try again.next())
        #expect(hello.id == eventID)
        #expect(hello.text("notes")?.hasPrefix("3.") == true)
        #expect(try [again.next(), again.next()].map { $0?.number("revision") } == [2, 3])
    }

    @Test func `an erased account ends its streams, and a reader who comes back drops what they had`() throws {
        try create("n1")
        let reader = try instance.open(as: "alice")
        let eventID = try #require(try reader.next()?.id)
        try instance.call("DELETE", "/account")
        #expect(try reader.next("bye", within: .seconds(6))?.text("reason") == "account-erased")
        let again = try instance.open(as: "alice", last: eventID)
        _ = try again.next("hello")
        #expect(try again.next()?.type == "resync")
        // A new account of the same user differs from the old one.
        try create("n1")
        let third = try instance.open(as: "alice", last: eventID)
        _ = try third.next("hello")
        #expect(try third.next()?.type == "resync")
    }

    @Test func `an account's stream ends with its token`() throws {
        instance.setExpiry(WallClock.milliseconds + 2000)
        let reader = try instance.open(as: "alice")
        #expect(try reader.next()?.number("tokenExpiresIn") ?? 9 <= 2)
        let bye = try #require(try reader.next("bye", within: .seconds(8)))
        #expect(bye.text("reason") == "token-expired")
        #expect(try reader.ends())
    }

    @Test func `no more streams of an account than its limit, until one is closed`() throws {
        var limits = Limits()
        limits.streams = 3
        let instance = try EventsInstance(limits: limits)
        let readers = try (0..<3).map { _ in try instance.open(as: "alice") }
        let refusal = try #require(try instance.problem(as: "alice"))
        #expect(refusal.kind == .tooManyStreams)
        #expect(refusal.headers.contains { $0.name == "Retry-After" })
        _ = try instance.open(as: "bob")
        _ = try instance.open()
        readers[0].leave()
        #expect(try eventually { try instance.problem(as: "alice") == nil })
    }

    @Test func `a batch of hundreds of actions arrives whole and in order`() throws {
        let reader = try instance.open(as: "alice")
        let actions: [JSONValue] = (0..<450).map { ["createNote", ["id": .string("n\($0)"), "body": "x"]] }
        try instance.act("\(JSONValue.array(actions))")
        var revisions: [Int64] = []
        while revisions.count < 450, let event = try reader.next("noteCreated") {
            revisions.append(event.number("revision")!)
        }
        #expect(revisions == Array(1...450))
    }

    @Test func `a long text is sent without a delta`() throws {
        let reader = try instance.open(as: "alice")
        let long = String(repeating: "x", count: 40_000)
        try instance.act("\([["createNote", ["id": "n1", "body": .string(long)]]] as JSONValue)")
        try instance.act(
            #"[["updateNote",{"id":"n1","base":1,"title":["T"]}],"#
                + #"["updateNote",{"id":"n1","base":2,"body":[-40000,"short"]}]]"#)
        #expect(try reader.next()?.type == "hello")
        let events = try (0..<3).map { _ in try #require(try reader.next()) }
        #expect(events.map { $0.data["body"] == nil } == [true, true, true])
        #expect(events.map { $0.number("revision") } == [1, 2, 3])
        // A short title is still sent.
        #expect(try apply(events[1].data["title"], to: "") == "T")
    }
}
