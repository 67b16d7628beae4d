import Testing

@testable import AlmanacConfig

@Suite struct EventStreamParserTests {
    typealias Event = EventStreamParser.Event

    private let text =
        "\u{FEFF}: hello\r\nid: 1\r\ndata: one\r\ndata:two\r\n\r\n"
        + "event: x\ndata\n\nretry: 5\n\n\rdata:  é\rid\r\r"
    private let events = [Event(id: "1", data: "one\ntwo"), Event(id: "1", data: ""), Event(id: "", data: " é")]

    @Test func `events are the same however the bytes are cut`() throws {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var parser = EventStreamParser()
            #expect(try parser.feed(bytes[..<cut]) + parser.feed(bytes[cut...]) == events, "cut at \(cut)")
        }
    }

    @Test func `an event without end is refused`() {
        var parser = EventStreamParser(limit: 100)
        #expect(throws: ConfigFailure.tooLarge(limit: 100)) {
            _ = try parser.feed(repeatElement(UInt8(ascii: "x"), count: 101))
        }
        parser = EventStreamParser(limit: 100)
        #expect(throws: ConfigFailure.tooLarge(limit: 100)) {
            while true { _ = try parser.feed("data: more\n".utf8) }
        }
    }
}
