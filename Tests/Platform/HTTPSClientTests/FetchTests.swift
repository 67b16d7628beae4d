import AlmanacHTTPSClient
import AlmanacTestSupport
import AlmanacTransport
import Testing

@Suite struct FetchTests {
    private func address(_ text: String) throws -> WebAddress { try #require(WebAddress(text)) }

    @Test func `a document comes with its headers`() throws {
        let server = try ScriptedServer { path in
            .response(headers: ["Cache-Control: max-age=60", "cache-control:public"], body: "for \(path)".utf8)
        }
        let document = try HTTPSClient().get(address("\(server.base)/a/b?c=d"))
        #expect(String(decoding: document.body, as: UTF8.self) == "for /a/b?c=d")
        #expect(document.headers["CACHE-CONTROL"] == "max-age=60, public")
        #expect(document.headers["Age"] == nil)
    }

    @Test(arguments: [201, 204, 304, 400, 404, 500, 503]) func `a response comes whatever its status`(
        status: Int
    ) throws {
        let server = try ScriptedServer { _ in .response("\(status) Some") }
        #expect(try HTTPSClient().get(address(server.base)).status == status)
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect is not followed`(status: Int) throws {
        let server = try ScriptedServer { _ in .response("\(status) Moved", headers: ["Location: /elsewhere"]) }
        #expect(try HTTPSClient().get(address(server.base)).status == status)
        #expect(server.requests == ["/"])
    }

    @Test func `an answer beyond the limit is not read to its end`() throws {
        let client = HTTPSClient(byteLimit: 10_000)
        let exact = try ScriptedServer { _ in .response(body: [UInt8](repeating: 65, count: 9_000)) }
        #expect(try client.get(address(exact.base)).body.count == 9_000)
        let large = try ScriptedServer { _ in .response(body: [UInt8](repeating: 65, count: 10_001)) }
        #expect(throws: TransportFailure.tooLarge(limit: 10_000)) { try client.get(address(large.base)) }
        let endless = try ScriptedServer { _ in
            .bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 65, count: 50_000_000))
        }
        #expect(throws: TransportFailure.tooLarge(limit: 10_000)) { try client.get(address(endless.base)) }
        let headers = try ScriptedServer { _ in
            .response(headers: (0..<3000).map { "X-\($0): \(String(repeating: "a", count: 100))" })
        }
        #expect(throws: TransportFailure.tooLarge(limit: 256 << 10)) { try client.get(address(headers.base)) }
    }

    @Test func `a server that says nothing is given up after the time`() throws {
        let server = try ScriptedServer { _ in .silence }
        let start = ContinuousClock.now
        #expect(throws: TransportFailure.timedOut) {
            try HTTPSClient(timeout: .milliseconds(300)).get(address(server.base))
        }
        #expect((.milliseconds(250)..<Duration.seconds(5)).contains(ContinuousClock.now - start))
    }

    @Test(arguments: ["", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"])
    func `an answer that is none, or is cut short, is a failure`(bytes: String) throws {
        let server = try ScriptedServer { _ in .bytes(Array(bytes.utf8)) }
        let failure = try #require(throws: TransportFailure.self) { try HTTPSClient().get(address(server.base)) }
        guard case .unreachable = failure else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test func `where nothing listens is a failure`() throws {
        let silent = try SilentPort()
        defer { withExtendedLifetime(silent) {} }
        let failure = try #require(throws: TransportFailure.self) {
            try HTTPSClient().get(address("http://127.0.0.1:\(silent.port)"))
        }
        #expect("\(failure)".contains("connect"))
    }
}
