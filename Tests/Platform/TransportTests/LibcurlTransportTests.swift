import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTransport
import Testing

/// Tests behaviour that Foundation's transport on Linux does not have.
@Suite struct LibcurlTransportTests {
    @Test(arguments: [
        "", "H", "HTTP/1.1 ", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Len",
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "SSH-2.0-OpenSSH\r\n", "\u{0}\u{1}\u{2}",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 999999999999 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    ])
    func `half an answer is none, wherever it breaks off`(bytes: String) async throws {
        let server = try ScriptedServer { _ in .bytes(Array(bytes.utf8)) }
        let transport = LibcurlTransport()
        for _ in 0..<5 {
            var request = TransportRequest("GET", server.base)
            request.timeout = .seconds(20)
            await #expect { try await transport.send(request) } throws: {
                if case TransportFailure.unreachable = $0 { true } else { false }
            }
        }
    }

    @Test func `a head without end is given up`() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n".utf8)
            while connection.send("X-Next: \(String(repeating: "a", count: 1000))\r\n".utf8) {}
        }
        await #expect(throws: TransportFailure.tooLarge(limit: 256 << 10)) {
            try await LibcurlTransport().send(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
        }
    }

    @Test(arguments: [
        "", "nonsense", "file:///etc/passwd", "ftp://localhost/", "http://a b/", "http://localhost/\u{0}", "https://",
    ])
    func `a text that is no web address is refused`(url: String) async throws {
        await #expect(throws: TransportFailure.unsendable("the URL")) {
            try await LibcurlTransport().send(TransportRequest("GET", url))
        }
    }

    @Test func `a header cannot reach into the next line`() async throws {
        await #expect(throws: TransportFailure.self) {
            try await LibcurlTransport().send(
                TransportRequest("GET", "http://localhost/", headers: [("X-One", "1\r\nX-Two: 2")]))
        }
    }

    @Test func `a server that says nothing more is given up after the silence`() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".utf8)
            connection.waitForClose()
        }
        var request = TransportRequest("GET", "http://127.0.0.1:\(server.port)/")
        request.idleTimeout = .seconds(1)
        await #expect(throws: TransportFailure.timedOut) { try await LibcurlTransport().send(request) }
    }

    @Test func `one connection serves requests that follow each other`() async throws {
        let connections = Monitor(0)
        let server = try LoopbackServer { connection in
            connections.update { $0 += 1 }
            while connection.message() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            }
        }
        let transport = LibcurlTransport()
        for _ in 0..<10 {
            _ = try await transport.send(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
        }
        #expect(connections.read { $0 } == 1)
    }

    @Test func `hundreds of exchanges run side by side`() async throws {
        let server = try ScriptedServer { path in .response(body: path.utf8) }
        let transport = LibcurlTransport()
        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let answer = try await transport.send(TransportRequest("GET", "\(server.base)/\(number)"))
                    #expect(answer.body == Array("/\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a request under way when the transport goes comes to its end`() async throws {
        let next = Monitor(false)
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab".utf8)
            _ = next.wait(upTo: .seconds(30)) { $0 ? true : nil }
            connection.send("cd".utf8)
        }
        let answer = try await LibcurlTransport().open(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
        next.update { $0 = true }
        var body: [UInt8] = []
        for try await part in answer.body { body += part }
        #expect(body == Array("abcd".utf8))
    }
}
