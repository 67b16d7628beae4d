import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTransport
import Testing

@Suite(.blocking) struct CheckedPostTests {
    private func post(_ url: String, seconds: Int = 15) -> CheckedPost {
        var post = CheckedPost(url, headers: [("webhook-id", "a:r1")], body: Array("{}".utf8))
        post.timeout = .seconds(seconds)
        return post
    }

    @Test func `a permitted receiver gets the whole request`() throws {
        let server = try ScriptedServer { _ in .response("429 Slow down", headers: ["Retry-After: 7"]) }
        let seen = Monitor<[[UInt8]]>([])
        let answer = try post("\(server.base)/a").send { address in
            seen.update { $0.append(address) }
            return true
        }
        #expect(answer.status == 429 && answer.headers["Retry-After"] == "7")
        #expect(seen.read { $0 } == [[127, 0, 0, 1]])
        let message = try #require(server.messages.first)
        #expect(message.hasPrefix("POST /a HTTP/1.1\r\n") && message.hasSuffix("\r\n\r\n{}"))
        #expect(message.contains("\r\nwebhook-id: a:r1\r\n"))
    }

    /// The name server could have answered with a public address when the URL was checked.
    @Test func `the address of the connection is checked, not that of the name`() throws {
        let server = try ScriptedServer { _ in .response() }
        let post = post("http://localhost:\(server.port)/")
        #expect(throws: TransportFailure.self) { try post.send { $0.count == 4 && $0.first != 127 } }
        #expect(server.messages == [])
    }

    @Test func `a redirect is not followed`() throws {
        let target = try ScriptedServer { _ in .response() }
        let server = try ScriptedServer { _ in .response("307 Over there", headers: ["Location: \(target.base)/"]) }
        #expect(try post(server.base).send { _ in true }.status == 307)
        #expect(target.messages == [])
    }

    @Test func `an endless answer ends after the head and a bounded body`() throws {
        let sent = Monitor(0)
        let server = try LoopbackServer { connection in
            _ = connection.message()
            var part = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
            while connection.send(part) {
                part = [UInt8](repeating: 97, count: 1 << 16)
                sent.update { $0 += part.count }
            }
        }
        #expect(try post("http://127.0.0.1:\(server.port)/").send { _ in true }.status == 200)
        // The buffers of both sockets take some megabytes more.
        #expect(sent.read { $0 } < 64 << 20)
    }

    @Test(arguments: [StallingServer.Point.connecting, .handshake, .beforeHead, .inHead])
    func `a receiver that hangs ends the request`(_ point: StallingServer.Point) throws {
        let server = try StallingServer(point)
        #expect(throws: TransportFailure.timedOut) { try post(server.base, seconds: 1).send { _ in true } }
    }
}
