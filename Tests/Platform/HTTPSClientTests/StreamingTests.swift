import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTransport
import Testing

/// Tests exchanges whose bodies are sent and received in parts.
@Suite(.blocking) struct StreamingTests {
    private struct Stop: Error {}

    private func request(_ method: String, _ base: String) -> TransportRequest {
        TransportRequest(method, "\(base)/a", headers: [("X-A", "1")])
    }

    @Test func `a body arrives in the order of its parts, and so does the response`() throws {
        let part = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try ScriptedServer { _ in .response("201 Created", body: part) }
        var (status, received) = (0, [UInt8]())
        try HTTPSClient().exchange(
            request("PUT", server.base), uploadBytes: 1_500_003,
            fill: { send in
                try send([UInt8](repeating: 65, count: 1_000_000))
                try send([66, 66, 66])
                try send([UInt8](repeating: 67, count: 500_000))
            }, begin: { code, _ in status = code }, receive: { received += $0 })
        #expect(status == 201)
        #expect(received == part)
        let message = try #require(server.messages.first)
        #expect(message.hasPrefix("PUT /a HTTP/1.1\r\n"))
        #expect(message.contains("\r\nContent-Length: 1500003\r\n"))
        let body = String(repeating: "A", count: 1_000_000) + "BBB" + String(repeating: "C", count: 500_000)
        #expect(message.hasSuffix("\r\n\r\n" + body))
    }

    @Test func `an error of a closure ends the exchange`() throws {
        let server = try ScriptedServer { _ in .response(body: [UInt8](repeating: 65, count: 3_000_000)) }
        #expect(throws: Stop.self) {
            try HTTPSClient().exchange(
                request("GET", server.base), begin: { _, _ in throw Stop() },
                receive: { _ in Issue.record("received") })
        }
        var parts = 0
        #expect(throws: Stop.self) {
            try HTTPSClient().exchange(
                request("GET", server.base), begin: { _, _ in },
                receive: { _ in
                    parts += 1
                    throw Stop()
                })
        }
        #expect(parts == 1)
        #expect(throws: Stop.self) {
            try HTTPSClient().exchange(
                request("PUT", server.base), uploadBytes: 10,
                fill: { send in
                    try send([1, 2, 3])
                    throw Stop()
                }, begin: { _, _ in Issue.record("answered") }, receive: { _ in })
        }
    }

    @Test func `a response that comes before the body has been sent is the result`() throws {
        let server = try LoopbackServer { connection in
            connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno".utf8)
            connection.waitForClose()
        }
        var (status, received) = (0, [UInt8]())
        try HTTPSClient().exchange(
            request("PUT", "http://127.0.0.1:\(server.port)"), uploadBytes: 100_000_000,
            fill: { send in for _ in 0..<100 { try send([UInt8](repeating: 65, count: 1_000_000)) } },
            begin: { code, _ in status = code }, receive: { received += $0 })
        #expect(status == 403)
        #expect(received == Array("no".utf8))
    }

    @Test func `a connection is reused`() throws {
        let connections = Monitor(0)
        let server = try LoopbackServer { connection in
            connections.update { $0 += 1 }
            for _ in 0..<3 where connection.message() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            }
        }
        let client = HTTPSClient()
        for _ in 0..<4 {
            var received: [UInt8] = []
            try client.exchange(
                request("GET", "http://127.0.0.1:\(server.port)"), begin: { _, _ in }, receive: { received += $0 })
            #expect(received == Array("ok".utf8))
        }
        // The server closes the first connection after three responses.
        #expect(connections.read { $0 } == 2)
    }
}
