import AlmanacTestRandomness
import Testing

/// Sends lengths that libfcgi would accept unchecked. The application passes a request on only if its lengths add up.
@Suite struct LengthTests {
    private static let begin = Record.begin(keepsConnection: true).bytes

    /// Sends the start of a request and one record, in 32 bytes, with lengths whose sum exceeds an Int32.
    @Test(
        arguments: [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0]]
            as [[UInt8]])
    func `lengths past the largest number close the connection`(lengths: [UInt8]) throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        let bytes = Self.begin + Record(type: Record.parameters, content: lengths).bytes
        #expect(bytes.count == 32)
        try connection.send(bytes + Record(type: Record.parameters).bytes)
        #expect(try connection.isClosed())
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }

    @Test func `a management record is not taken, before, between and behind the parameters`() throws {
        let application = try Application(threads: 1)
        // The record asks ten times for a value that libfcgi knows. The library's response buffer has room for three.
        let values = Record.pairs(Array(repeating: ("FCGI_MAX_CONNS", ""), count: 10))
        let question = Record(type: 9, id: 0, content: values).bytes
        let parameters = Record.stream(Record.parameters, Record.pairs([("CONTENT_LENGTH", "1")])).flatMap(\.bytes)
        for bytes in [question, Self.begin + question, Self.begin + parameters + question] {
            let connection = try application.connect()
            try connection.send(bytes)
            #expect(try connection.isClosed())
        }
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }

    @Test(arguments: [(131_000, true), (131_100, false)])
    func `parameters may have 128 KiB`(count: Int, areTaken: Bool) throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        // The application closes the connection before it has read all parameters.
        try? connection.send(WebServerRequest(parameters: [("LONG", String(repeating: "x", count: count))]).bytes)
        if areTaken {
            #expect(try connection.answer().text.utf8.count > count)
        } else {
            #expect(try connection.isClosed())
        }
    }

    /// Randomly varies the lengths in a request: of records, names and values.
    @Test func `no lengths stop the application, and sound requests are answered beside them`() throws {
        let application = try Application(threads: 4)
        var random = Randomness(seed: 20_261_122)
        let sound = WebServerRequest(parameters: [("A", "1"), ("B", String(repeating: "x", count: 200))], body: [65])
        let soundAnswer = try application.connect().fetch(sound)
        for round in 0..<TestDepth.runs(quick: 2000, standard: 10_000, long: 100_000) {
            let connection = try application.connect()
            let parameters = Self.pairs(using: &random)
            var bytes = Self.begin + Record(type: Record.parameters, content: parameters).bytes
            if Bool.random(using: &random) {
                // The record's length field.
                bytes[20] = .random(in: 0...255, using: &random)
                bytes[21] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes += Record(type: Record.parameters).bytes }
            try? connection.send(bytes)
            connection.endSending()
            if round.isMultiple(of: 1000) {
                #expect(try connection.isClosed(), "round \(round)")
                #expect(try application.connect().fetch(sound) == soundAnswer, "round \(round)")
            }
        }
        #expect(try application.connect().fetch(sound) == soundAnswer)
    }

    /// Returns a few names and values with random length fields.
    private static func pairs(using random: inout Randomness) -> [UInt8] {
        (0..<Int.random(in: 1...3, using: &random)).flatMap { _ -> [UInt8] in
            var bytes: [UInt8] = []
            for _ in 0..<2 { bytes += length(using: &random) }
            return bytes + Array(repeating: 65, count: .random(in: 0...12, using: &random))
        }
    }

    private static func length(using random: inout Randomness) -> [UInt8] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: [.random(in: 0...127, using: &random)]
        case 1: [0x80, 0, 0, .random(in: 0...255, using: &random)]
        case 2: [0xff, 0xff, 0xff, .random(in: 0...255, using: &random)]
        default: (0..<4).map { _ in .random(in: 128...255, using: &random) }
        }
    }
}
