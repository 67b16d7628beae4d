import AlmanacClient
import Testing

@Suite struct EventParserTests {
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

        data: ä\u{1F63A}


        """

    private static let events = [
        ServerSentEvent(data: #"{"type":"hello"}"#, id: "config=43.k3f9"),
        ServerSentEvent(data: "one\ntwo\n", id: "config=43.k3f9"),
        ServerSentEvent(data: "ä\u{1F63A}", id: ""),
    ]

    @Test(arguments: ["\n", "\r\n", "\r"], 1...7) func `events come out however their bytes are cut`(
        lineBreak: String, size: Int
    ) throws {
        let bytes = Array(("\u{FEFF}" + Self.stream.replacing("\n", with: lineBreak)).utf8)
        var parser = EventParser()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let ended = parser.read(Array(bytes[start..<min(start + size, bytes.count)]))
            events += try #require(ended)
        }
        #expect(events == Self.events)
        #expect(parser.retry == 1500)
    }

    @Test func `an id holds for later events, and from an earlier stream`() {
        var parser = EventParser(lastID: "a")
        let events = parser.read(Array("data: 1\n\nid: b\ndata: 2\n\ndata: 3\n\n".utf8))
        #expect(events?.map(\.id) == ["a", "b", "b"])
    }

    @Test func `an event that is not finished is none`() {
        var parser = EventParser()
        let (first, second) = (parser.read(Array("data: 1\n".utf8)), parser.read([10]))
        #expect(first == [])
        #expect(second?.count == 1)
    }

    @Test func `a line without an end is given up`() {
        var parser = EventParser(longestLine: 40_000)
        let part = [UInt8](repeating: 65, count: 10_000)
        let isGivenUp = (0..<5).map { _ in parser.read(part) == nil }
        #expect(isGivenUp == [false, false, false, false, true])
    }
}
