import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestRandomness
import Testing

/// Checks that after any input, the same thread of the application serves the next connection.
@Suite struct MalformedTests {
    private static let begin = Record.begin(keepsConnection: true).bytes
    private static let end = Record(type: Record.parameters).bytes

    private static func parameters(_ content: [UInt8]) -> [UInt8] {
        Record(type: Record.parameters, content: content).bytes
    }

    private static let broken: [(name: String, bytes: [UInt8])] = [
        ("nothing", []),
        ("another protocol", Array("GET /development/config HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)),
        ("one byte", [1]),
        ("half a header", [1, 1, 0, 1]),
        ("a header alone", [1, 1, 0, 1, 0, 8, 0, 0]),
        ("half a beginning", Array(begin.prefix(12))),
        ("a beginning alone", begin),
        ("version 0", Record(version: 0, type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes),
        ("version 2", Record(version: 2, type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes),
        ("version 2 later", begin + Record(version: 2, type: 4).bytes),
        ("request 0", Record(type: 1, id: 0, content: [0, 1, 1, 0, 0, 0, 0, 0]).bytes),
        ("a short beginning", Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0]).bytes),
        ("a long beginning", Record(type: 1, content: [0, 1, 1, 0, 0, 0, 0, 0, 0]).bytes),
        ("an empty beginning", Record(type: 1).bytes),
        ("role 0", Record.begin(role: 0, keepsConnection: true).bytes + end),
        ("role 9", Record.begin(role: 9, keepsConnection: true).bytes + end),
        ("parameters first", parameters([1, 1, 65, 66]) + end),
        ("the body first", begin + Record(type: Record.input, content: [1, 2, 3]).bytes),
        ("a record of the application's", begin + Record(type: Record.end, content: [0, 0, 0, 0, 0, 0, 0, 0]).bytes),
        ("an unknown type", begin + Record(type: 200, content: [1, 2, 3]).bytes),
        ("a length of 65535 with 3 bytes", begin + [1, 4, 0, 1, 255, 255, 0, 0, 1, 2, 3]),
        ("padding that is missing", begin + [1, 4, 0, 1, 0, 4, 255, 0, 1, 1, 65, 66]),
        ("a name without its length's end", begin + parameters([0x80, 0, 0]) + end),
        ("a name without a value's length", begin + parameters([1]) + end),
        ("a value's length without its end", begin + parameters([1, 0x80, 0]) + end),
        ("a name past the end", begin + parameters([10, 0, 65]) + end),
        ("a value past the end", begin + parameters([1, 10, 65, 66]) + end),
        ("a name of 16 MiB", begin + parameters([0x81, 0, 0, 0, 0, 65]) + end),
        ("a value of 16 MiB", begin + parameters([1, 0x81, 0, 0, 0, 65]) + end),
        ("lengths whose sum overflows", begin + parameters([255, 255, 255, 255, 255, 255, 255, 255, 65]) + end),
        ("an abort before the parameters", begin + Record(type: Record.abort).bytes),
        ("an abort between them", begin + parameters([1, 1, 65, 66]) + Record(type: Record.abort).bytes),
        ("parameters that end between two", begin + parameters([1, 1, 65, 66])),
        ("a management record between them", begin + parameters([1, 1, 65, 66]) + Record(type: 9, id: 0).bytes),
    ]

    @Test(arguments: broken.indices)
    func `a connection that breaks the protocol is closed and the next one served`(index: Int) throws {
        let served = Monitor<[String]>([])
        let application = try Application(threads: 1) { parameters, connection in
            served.update { $0.append(parameters["NAME"] ?? "") }
            Application.echo(parameters, connection)
        }
        let (name, bytes) = Self.broken[index]
        let connection = try application.connect()
        try connection.send(bytes)
        connection.endSending()
        #expect(try connection.isClosed(), "\(name)")
        let answer = try application.connect().fetch(WebServerRequest(parameters: [("NAME", "next")], body: [65]))
        #expect(answer.text.hasSuffix("\nA"), "\(name)")
        #expect(served.read { $0 } == ["next"], "\(name)")
    }

    @Test func `an abort in the middle of the body ends the request`() throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        let records =
            [Record.begin(keepsConnection: true)]
            + Record.stream(Record.parameters, Record.pairs([("CONTENT_LENGTH", "10")]))
            + [Record(type: Record.input, content: [1, 2, 3]), Record(type: Record.abort)]
        try connection.send(records.flatMap(\.bytes))
        #expect(try connection.answer().text == "incomplete")
        #expect(try connection.isClosed())
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }

    @Test func `a zero byte cuts a value and makes a name another one`() throws {
        let application = try Application()
        let parameters = [("A", "1\u{0}2"), ("B\u{0}", "3"), ("", "4"), ("C", "5")]
        let answer = try application.connect().fetch(WebServerRequest(parameters: parameters))
        #expect(answer.text == "A=1\nB\u{0}=3\n=4\nC=5\nCONTENT_LENGTH=0\n\n")
    }

    @Test func `records of another request are left out`() throws {
        let application = try Application()
        let connection = try application.connect()
        let records =
            [Record.begin(id: 7, keepsConnection: true)]
            + [Record(type: Record.parameters, id: 8, content: Record.pairs([("WRONG", "1")]))]
            + Record.stream(Record.parameters, id: 7, Record.pairs([("CONTENT_LENGTH", "1")]))
            + [Record(type: Record.input, id: 8, content: [1, 2, 3])] + Record.stream(Record.input, id: 7, [65])
        try connection.send(records.flatMap(\.bytes))
        #expect(try connection.answer(to: 7).text == "CONTENT_LENGTH=1\n\nA")
    }

    @Test func `a second request on a busy connection is refused and the first one served`() throws {
        let application = try Application()
        let connection = try application.connect()
        let records =
            [Record.begin(keepsConnection: true), Record.begin(id: 2, keepsConnection: true)]
            + Record.stream(Record.parameters, Record.pairs([("A", "1")])) + Record.stream(Record.input, [])
        try connection.send(records.flatMap(\.bytes))
        // Protocol status 1 is FCGI_CANT_MPX_CONN.
        #expect(try connection.answer(to: 2).protocolStatus == 1)
        #expect(try connection.answer().text == "A=1\n\n")
    }

    @Test func `random bytes and requests with random changes never stop the application`() throws {
        let application = try Application(threads: 1)
        var random = Randomness(seed: 20201017)
        let parameters = [("A", "1"), ("LONG", String(repeating: "x", count: 300))]
        let request = WebServerRequest(parameters: parameters, body: pattern(50)).bytes
        for round in 0..<TestDepth.runs(quick: 200, standard: 600, long: 6000) {
            var bytes: [UInt8]
            if round % 3 == 0 {
                bytes = (0..<Int.random(in: 1...120, using: &random)).map { _ in .random(in: 0...255, using: &random) }
                if round % 2 == 0 { bytes[0] = 1 }
            } else {
                bytes = request
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            }
            let connection = try application.connect()
            // The application may close the connection before it has read everything.
            try? connection.send(bytes)
            connection.endSending()
            #expect(try connection.isClosed(), "round \(round)")
        }
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }
}
