import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite struct RequestTests {
    @Test func `parameters and body arrive as they were sent`() throws {
        let application = try Application()
        let long = String(repeating: "größer ", count: 3000)
        let answer = try application.connect().fetch(
            WebServerRequest(
                parameters: [
                    ("REQUEST_METHOD", "PUT"), ("EMPTY", ""), ("EQUALS", "a=b=c"), ("LONG", long), ("UTF8", "😸"),
                    (String(repeating: "N", count: 200), "long name"), ("REQUEST_METHOD", "again"),
                ], body: Array("the body".utf8)))
        #expect(
            answer.text == """
                REQUEST_METHOD=PUT
                EMPTY=
                EQUALS=a=b=c
                LONG=\(long)
                UTF8=😸
                \(String(repeating: "N", count: 200))=long name
                REQUEST_METHOD=again
                CONTENT_LENGTH=8

                the body
                """)
        #expect(answer.errors.isEmpty)
        #expect(answer.status == 0)
        #expect(answer.protocolStatus == 0)
    }

    @Test func `of parameters with one name the first counts`() throws {
        let application = try Application { parameters, connection in
            connection.write(Array((parameters["A"]! + (parameters["a"] ?? "none")).utf8))
        }
        let answer = try application.connect().fetch(WebServerRequest(parameters: [("A", "1"), ("A", "2")]))
        #expect(answer.text == "1none")
    }

    @Test(arguments: [
        ("If-None-Match", "\"43\""), ("if-none-match", "\"43\""), ("If-None", nil), ("If-None-Match-Or", nil),
        ("Host", "é=1"),
        ("Content-Type", "text/plain"), ("Empty", ""), ("REQUEST", nil), ("", nil), ("If\u{0}", nil),
    ])
    func `a header field is found under its own name`(name: String, expected: String?) throws {
        let application = try Application { parameters, connection in
            connection.write(Array((parameters.field(name) ?? "none").utf8))
        }
        let answer = try application.connect().fetch(
            WebServerRequest(parameters: [
                ("REQUEST", "1"), ("HTTP", "2"), ("HTTP_IF", "3"), ("HTTP_IF_NONE_MATCH", "\"43\""), ("HTTP_EMPTY", ""),
                ("HTTP_HOST", "é=1"), ("HTTP_HOST", "second"), ("CONTENT_TYPE", "text/plain"),
            ]))
        #expect(answer.text == expected ?? "none")
    }

    @Test(arguments: [("", "none"), ("text/plain", "text/plain")])
    func `an empty content type is none`(type: String, expected: String) throws {
        let application = try Application { parameters, connection in
            connection.write(Array((parameters.field("Content-Type") ?? "none").utf8))
        }
        let answer = try application.connect().fetch(WebServerRequest(parameters: [("CONTENT_TYPE", type)]))
        #expect(answer.text == expected)
    }

    @Test func `parameters are gone when their request has ended`() throws {
        let folder = try TemporaryFolder()
        let stop = try Event()
        let listener = try Listener(.address("\(folder.path)/s"), stop: stop)
        let connection = try WebServerConnection(path: "\(folder.path)/s")
        try connection.send(WebServerRequest(parameters: [("HTTP_A", "1")]).bytes)
        let held = try #require(listener.accept())
        let parameters = try #require(held.nextRequest())
        #expect(parameters["HTTP_A"] == "1")
        stop.set()
        #expect(listener.accept(after: held) == nil)
        #expect(parameters["HTTP_A"] == nil)
        #expect(parameters.field("A") == nil)
        #expect(parameters.pairs.isEmpty)
    }

    @Test func `bytes that are no UTF-8 arrive as replacement characters`() throws {
        let application = try Application()
        let connection = try application.connect()
        let pair: [UInt8] = [1, 2, 65, 0xff, 66]
        let records =
            [Record.begin(keepsConnection: true)] + Record.stream(Record.parameters, pair)
            + Record.stream(Record.input, [])
        try connection.send(records.flatMap(\.bytes))
        #expect(try connection.answer().text == "A=\u{fffd}B\n\n")
    }

    @Test(
        arguments: [0, 1, 8191, 8192, 8193, 65_535, 65_536, 300_000], [(65_535, 0), (8192, 7), (1000, 255)])
    func `a body of any length arrives whole, however it is cut into records`(
        length: Int, records: (size: Int, padding: UInt8)
    ) throws {
        let application = try Application(threads: 1) { parameters, connection in
            connection.write(connection.readBody(count: Int(parameters["CONTENT_LENGTH"]!)!) ?? [])
        }
        let body = pattern(length)
        let answer = try application.connect().fetch(
            WebServerRequest(body: body, recordSize: records.size, padding: records.padding))
        #expect(answer.output == body)
    }

    @Test func `a request that arrives byte by byte is one request`() throws {
        let application = try Application()
        let connection = try application.connect()
        for byte in WebServerRequest(parameters: [("A", "1")], body: [66], padding: 3).bytes {
            try connection.send([byte])
        }
        #expect(try connection.answer().text == "A=1\nCONTENT_LENGTH=1\n\nB")
    }

    @Test func `a request that arrives in two parts is one request, wherever it is cut`() throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        let request = WebServerRequest(parameters: [("A", "größer")], body: Array("body".utf8), padding: 5)
        for cut in request.bytes.indices {
            try connection.send(Array(request.bytes[..<cut]))
            try connection.send(Array(request.bytes[cut...]))
            let answer = try connection.answer()
            #expect(answer.text == "A=größer\nCONTENT_LENGTH=4\n\nbody", "\(cut)")
        }
    }

    @Test func `a parameter is found under its whole name only`() throws {
        let application = try Application { parameters, connection in
            let values = ["REQUEST", "REQUEST_ID", "REQUEST_ID_2", "request_id"].map { parameters[$0] ?? "none" }
            connection.write(Array(values.joined(separator: " ").utf8))
        }
        let answer = try application.connect().fetch(
            WebServerRequest(parameters: [("REQUEST_ID_2", "2"), ("REQUEST_ID", "1"), ("REQUEST_ID_22", "3")]))
        #expect(answer.text == "none 1 2 none")
    }

    @Test(arguments: [0, 100, 20_000, 400_000])
    func `a kept connection carries one request after the other, read or not`(length: Int) throws {
        let application = try Application(threads: 1) { parameters, connection in
            var body: [UInt8]? = []
            if parameters["READ"] == "all" { body = connection.readBody(count: Int(parameters["CONTENT_LENGTH"]!)!) }
            if parameters["READ"] == "some" { body = connection.readBody(count: 10) }
            connection.write(Array("\(parameters["NUMBER"]!): ".utf8) + (body ?? []))
        }
        let connection = try application.connect()
        let body = pattern(length + 10)
        for (number, read) in ["none", "all", "some", "none", "all"].enumerated() {
            let answer = try connection.fetch(
                WebServerRequest(
                    id: UInt16(number + 1), parameters: [("READ", read), ("NUMBER", "\(number)")], body: body))
            let expected = read == "all" ? body : read == "some" ? Array(body.prefix(10)) : []
            #expect(answer.output == Array("\(number): ".utf8) + expected)
        }
    }

    @Test func `a connection that isn't to be kept is closed after the answer`() throws {
        let application = try Application()
        let connection = try application.connect()
        #expect(try connection.fetch(WebServerRequest(keepsConnection: false)).text.contains("CONTENT_LENGTH=0"))
        #expect(try connection.isClosed())
    }

    @Test func `a connection that is used once is closed after the answer`() throws {
        let application = try Application()
        for parameter in ["close", "keep-alive"] {
            let connection = try application.connect()
            let request = WebServerRequest(parameters: [("ALMANAC_CONNECTION", parameter)], body: pattern(100_000))
            #expect(try connection.fetch(request).output.suffix(100_000) == pattern(100_000)[...])
            if parameter == "close" {
                #expect(try connection.isClosed())
            } else {
                #expect(try connection.fetch(request).output.suffix(100_000) == pattern(100_000)[...])
            }
        }
    }

    @Test func `a body shorter than announced is told from a whole one`() throws {
        let application = try Application()
        let connection = try application.connect()
        let records =
            [Record.begin(keepsConnection: true)]
            + Record.stream(Record.parameters, Record.pairs([("CONTENT_LENGTH", "10")]))
            + Record.stream(Record.input, [1, 2, 3])
        try connection.send(records.flatMap(\.bytes))
        #expect(try connection.answer().text == "incomplete")
        #expect(try connection.fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }

    @Test(arguments: [1 << 20, 5_000_001])
    func `a large answer arrives whole`(length: Int) throws {
        let answer = pattern(length)
        let application = try Application { _, connection in
            connection.write(Array(answer.prefix(1000)))
            connection.write([])
            connection.write(Array(answer.dropFirst(1000)))
        }
        let connection = try application.connect()
        #expect(try connection.fetch(WebServerRequest()).output == answer)
        #expect(try connection.fetch(WebServerRequest()).output == answer)
    }

    @Test func `many connections to many threads don't mix`() throws {
        let application = try Application(threads: 8)
        let path = application.path
        // There are more clients than threads. The application accepts one connection per thread, and the rest wait.
        let wrong = try concurrently(24) { client in
            var wrong = 0
            for round in 0..<5 {
                let connection = try WebServerConnection(path: path)
                for number in 0..<10 {
                    let body = Array("\(client)/\(round)/\(number)".utf8) + pattern(client * 997)
                    let answer = try connection.fetch(
                        WebServerRequest(id: UInt16(number + 1), parameters: [("CLIENT", "\(client)")], body: body))
                    let head = "CLIENT=\(client)\nCONTENT_LENGTH=\(body.count)\n\n"
                    if answer.output != Array(head.utf8) + body { wrong += 1 }
                }
            }
            return wrong
        }
        #expect(wrong.allSatisfy { $0 == 0 })
    }

    @Test func `an answer that nobody takes is noticed`() throws {
        let outcome = PassedNumber()
        let application = try Application(threads: 1) { parameters, connection in
            guard parameters["LARGE"] != nil else { return Application.echo(parameters, connection) }
            var written = 0
            while written < 1000, connection.write(pattern(65_536)) { written += 1 }
            outcome.set(written)
        }
        do {
            let connection = try application.connect()
            try connection.send(WebServerRequest(parameters: [("LARGE", "1")]).bytes)
            // The web server disconnects after the first bytes of the response.
            try connection.awaitBytes()
        }
        #expect(outcome.wait().map { $0 < 1000 } == true)
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }
}
