import AlmanacClientRuntime
import Testing

/// Tests of the event stream parser, with the cases of the HTML Living Standard (§9.2.6).
@Suite struct EventStreamParserTests {
    private typealias Event = ServerSentEvent

    private func event(_ data: String, id: String = "", type: String = "message") -> ServerSentEvent {
        ServerSentEvent(type: type, data: Array(data.utf8), lastEventID: id)
    }

    private func events(_ text: String) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return try parser.parse(text.utf8)
    }

    private static let stream = """
        : a comment
        id: config=43.k3f9
        data: {"type":"hello"}

        event: message
        data:one
        data: two
        data

        retry: 1500
        id
        unknown: x

        data:  ä\u{1F63A}


        """

    private var expected: [ServerSentEvent] {
        [
            event(#"{"type":"hello"}"#, id: "config=43.k3f9"), event("one\ntwo\n", id: "config=43.k3f9"),
            event(" ä\u{1F63A}"),
        ]
    }

    @Test(arguments: ["\n", "\r\n", "\r"], 1...9)
    func `events are the same however their bytes are cut`(lineBreak: String, size: Int) throws {
        let bytes = Array(("\u{FEFF}" + Self.stream.replacing("\n", with: lineBreak)).utf8)
        var parser = EventStreamParser()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.parse(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == expected)
        #expect(parser.retry == .milliseconds(1500))
        #expect(parser.lastEventID == "")
    }

    @Test func `the streams of the standard's examples give its events`() throws {
        #expect(try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [event("YHOO\n+2\n10")])
        let second = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
        #expect(try events(second) == [event("first event", id: "1"), event("second event"), event(" third event")])
        #expect(try events("data\n\ndata\ndata\n\ndata:") == [event(""), event("\n")])
        #expect(try events("data:test\n\ndata: test\n\n") == [event("test"), event("test")])
    }

    @Test func `a line break of two bytes may be cut in the middle`() throws {
        var parser = EventStreamParser()
        #expect(try parser.parse("data: 1\r".utf8) == [])
        #expect(try parser.parse("\n\r".utf8) == [event("1")])
        #expect(try parser.parse("\ndata: 2\r\n".utf8) == [])
        #expect(try parser.parse("\r\n".utf8) == [event("2")])
    }

    @Test func `only the first mark of byte order is dropped`() throws {
        #expect(try events("\u{FEFF}data: 1\n\n") == [event("1")])
        #expect(try events("data: 1\n\n\u{FEFF}data: 2\n\n") == [event("1")])
        #expect(try events("\u{FEFF}\u{FEFF}data: 1\n\n") == [])
    }

    @Test func `an id with U+0000 is ignored, an empty one is taken`() throws {
        #expect(try events("id: a\ndata: 1\n\nid: b\u{0}c\ndata: 2\n\n").map(\.lastEventID) == ["a", "a"])
        #expect(try events("id: a\ndata: 1\n\nid:\ndata: 2\n\n").map(\.lastEventID) == ["a", ""])
    }

    @Test(arguments: [("retry: 15", 15), ("retry:0", 0), ("retry:", nil), ("retry: 1s", nil), ("retry: -1", nil)])
    func `a reconnection time is digits only`(line: String, milliseconds: Int?) throws {
        var parser = EventStreamParser()
        _ = try parser.parse("\(line)\n".utf8)
        #expect(parser.retry == milliseconds.map { .milliseconds($0) })
    }

    @Test func `a field name is taken exactly, and the type of an event ends with it`() throws {
        #expect(try events("Data: 1\n data: 2\ndata : 3\n\n") == [])
        #expect(try events("event: a\ndata: 1\n\ndata: 2\n\n").map(\.type) == ["a", "message"])
        #expect(try events("event: a\n\ndata: 2\n\n").map(\.type) == ["message"])
    }

    @Test func `an id is taken with the event that it belongs to, not before`() throws {
        var parser = EventStreamParser(lastEventID: "notes=1.k3f9")
        #expect(try parser.parse("id: notes=2.k3f9\n".utf8) == [])
        #expect(parser.lastEventID == "notes=1.k3f9")
        #expect(try parser.parse("data: 2\n".utf8) == [])
        #expect(parser.lastEventID == "notes=1.k3f9")
        #expect(try parser.parse("\n".utf8) == [event("2", id: "notes=2.k3f9")])
        #expect(parser.lastEventID == "notes=2.k3f9")
        // By the standard, an id without data sets the last event id, but dispatches no event.
        #expect(try parser.parse("id: notes=3.k3f9\n\n".utf8) == [])
        #expect(parser.lastEventID == "notes=3.k3f9")
    }

    @Test func `an id holds for later events, and from an earlier stream`() throws {
        var parser = EventStreamParser(lastEventID: "a")
        let events = try parser.parse("data: 1\n\nid: b\ndata: 2\n\ndata: 3\n\n".utf8)
        #expect(events.map(\.lastEventID) == ["a", "b", "b"])
    }

    @Test func `an event without end is refused`() {
        var parser = EventStreamParser(limit: 100)
        #expect(throws: EventStreamParser.TooLong(limit: 100)) {
            _ = try parser.parse(repeatElement(UInt8(ascii: "x"), count: 101))
        }
        parser = EventStreamParser(limit: 100)
        #expect(throws: EventStreamParser.TooLong(limit: 100)) {
            while true { _ = try parser.parse("data: more\n".utf8) }
        }
    }
}
