import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestRandomness
import AlmanacTestSupport
import Testing

/// Threads share the connections, and are told of arriving bytes once.
@Suite(.blocking) struct ConnectionTests {
    @Test func `a request that arrives while the one before is being answered is answered after it`() throws {
        let (begun, released) = (PassedNumber(), PassedNumber())
        let application = try Application(threads: 2) { parameters, connection in
            if parameters["HOLD"] != nil {
                begun.set(1)
                _ = released.wait()
            }
            Application.echo(parameters, connection)
        }
        let connection = try application.connect()
        try connection.send(WebServerRequest(parameters: [("HOLD", "1")], body: [65]).bytes)
        #expect(begun.wait() == 1)
        try connection.send(WebServerRequest(id: 2, body: [66]).bytes)
        // The other thread learns of the new bytes first, and then of this connection.
        #expect(try application.connect().fetch(WebServerRequest(body: [67])).text.hasSuffix("\nC"))
        released.set(1)
        #expect(try connection.answer().text.hasSuffix("\nA"))
        #expect(try connection.answer(to: 2).text.hasSuffix("\nB"))
    }

    @Test func `a request beyond what is received at once is answered too`() throws {
        let application = try Application(threads: 1)
        let connection = try application.connect()
        #expect(try connection.fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
        // The application receives 8,192 bytes at once, which are the whole first request.
        var first = WebServerRequest(body: [66])
        first.parameters = [("FILL", String(repeating: "x", count: 8192 - first.bytes.count - 9))]
        #expect(first.bytes.count == 8192)
        try connection.send(first.bytes + WebServerRequest(id: 2, body: [67]).bytes)
        #expect(try connection.answer().text.hasSuffix("\nB"))
        #expect(try connection.answer(to: 2).text.hasSuffix("\nC"))
    }

    @Test func `a connection that ends while its request is being answered makes room for others`() throws {
        let (begun, released) = (PassedNumber(), PassedNumber())
        let application = try Application(threads: 2) { parameters, connection in
            if parameters["HOLD"] != nil {
                begun.set(1)
                _ = released.wait()
            }
            Application.echo(parameters, connection)
        }
        do {
            let connection = try application.connect()
            try connection.send(WebServerRequest(parameters: [("HOLD", "1")]).bytes)
            #expect(begun.wait() == 1)
        }
        #expect(try application.connect().fetch(WebServerRequest(body: [67])).text.hasSuffix("\nC"))
        released.set(1)
        let other = try application.connect()
        for number in 0..<20 {
            #expect(try other.fetch(WebServerRequest(body: [UInt8(number)])).output.last == UInt8(number))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `requests in pieces on many connections, which come and go, are all answered`(seed: UInt64) throws {
        let application = try Application(threads: 4)
        let wrong = try concurrently(12) { client in
            var random = Randomness(seed: seed * 100 + UInt64(client))
            var connection = try application.connect()
            return try (0..<200).filter { number in
                let name = "\(client)-\(number)"
                let body = pattern(Int.random(in: 0...3000, using: &random))
                var rest = WebServerRequest(parameters: [("NAME", name)], body: body).bytes[...]
                while !rest.isEmpty {
                    let part = rest.prefix(Int.random(in: 1...1500, using: &random))
                    try connection.send(Array(part))
                    rest = rest.dropFirst(part.count)
                }
                let answer = try connection.answer()
                if Int.random(in: 0..<10, using: &random) == 0 { connection = try application.connect() }
                return answer.output != Array("NAME=\(name)\nCONTENT_LENGTH=\(body.count)\n\n".utf8) + body
            }
        }
        #expect(wrong == Array(repeating: [], count: 12))
        #expect(application.end())
    }
}
