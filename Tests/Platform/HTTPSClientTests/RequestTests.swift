import AlmanacHTTPSClient
import AlmanacTestSupport
import AlmanacTransport
import Testing

/// Requests of every method, and answers of every status.
@Suite struct RequestTests {
    private func request(
        _ method: String, _ server: ScriptedServer, headers: [(name: String, value: String)] = [], body: String? = nil
    ) -> TransportRequest {
        var request = TransportRequest(method, "\(server.base)/a%20b/../c?d=e%26f", headers: headers)
        request.body = body.map { Array($0.utf8) }
        request.silence = .seconds(5)
        return request
    }

    @Test(arguments: [("GET", nil), ("PUT", "text"), ("PATCH", ""), ("DELETE", nil), ("POST", "ä")])
    func `a request arrives as it was meant`(method: String, body: String?) throws {
        let server = try ScriptedServer { _ in .response("404 Not Found", headers: ["X-A: 1"], body: "gone".utf8) }
        let answer = try HTTPSClient().send(
            request(method, server, headers: [("If-Match", "\"4.abcd\""), ("Almanac-Message", "grün")], body: body))
        #expect(answer.status == 404)
        #expect(String(decoding: answer.body, as: UTF8.self) == "gone")
        #expect(answer.headers["x-a"] == "1")
        let message = try #require(server.messages.first)
        #expect(message.hasPrefix("\(method) /a%20b/../c?d=e%26f HTTP/1.1\r\n"))
        #expect(message.contains("\r\nIf-Match: \"4.abcd\"\r\n"))
        #expect(message.contains("\r\nAlmanac-Message: grün\r\n"))
        #expect(message.hasSuffix("\r\n\r\n" + (body ?? "")))
        #expect(message.contains("Content-Length: \(body?.utf8.count ?? 0)") == (body != nil))
    }

    @Test func `a large body is sent without asking first`() throws {
        let server = try ScriptedServer { _ in .response() }
        let body = String(repeating: "a", count: 3_000_000)
        #expect(try HTTPSClient().send(request("PUT", server, body: body)).status == 200)
        #expect(server.messages.first?.hasSuffix(body) == true)
        #expect(server.messages.first?.contains("Expect:") == false)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\n", "\u{0}", "a\u{1}"])
    func `a header that would reach into the next line is not sent`(value: String) throws {
        let server = try ScriptedServer { _ in .response() }
        #expect(throws: TransportFailure.unsendable("the header X-A")) {
            try HTTPSClient().send(request("GET", server, headers: [("X-A", value)]))
        }
        #expect(throws: TransportFailure.unsendable("the method")) {
            try HTTPSClient().send(request("GET / HTTP/1.1\r\nX:", server))
        }
        #expect(server.messages == [])
    }

    @Test(arguments: ["http://example.com/", "ftp://localhost/", "https://user@localhost/", "", "https://a b/"])
    func `only what is a web address is asked`(url: String) {
        #expect(throws: TransportFailure.unsendable("the URL")) { try HTTPSClient().send(TransportRequest("GET", url)) }
    }

    @Test func `a stream is handed on part by part, beyond the limit of an answer`() throws {
        let body = [UInt8](repeating: 65, count: 50_000)
        let server = try ScriptedServer { _ in .response(body: body) }
        var received: [UInt8] = []
        let answer = try HTTPSClient(byteLimit: 10_000).stream(request("GET", server)) {
            received += $0
            return true
        }
        #expect(answer.status == 200)
        #expect(answer.body == [])
        #expect(received == body)
    }

    @Test func `a stream ends when its receiver has enough`() throws {
        let server = try ScriptedServer { _ in .response(body: [UInt8](repeating: 65, count: 5_000_000)) }
        var count = 0
        let answer = try HTTPSClient().stream(request("GET", server)) {
            count += $0.count
            return false
        }
        #expect(answer.status == 200)
        #expect((1..<5_000_000).contains(count))
    }

    @Test func `what is no stream is an answer like any other`() throws {
        let server = try ScriptedServer { _ in .response("401 Unauthorized", body: "why".utf8) }
        let answer = try HTTPSClient().stream(request("GET", server)) { _ in true }
        #expect(answer.status == 401)
        #expect(String(decoding: answer.body, as: UTF8.self) == "why")
    }

    @Test func `a stream that is silent for too long is given up`() throws {
        let server = try ScriptedServer { _ in .silence }
        let start = ContinuousClock.now
        var request = request("GET", server)
        request.silence = .seconds(1)
        #expect(throws: TransportFailure.timedOut) { try HTTPSClient().stream(request) { _ in true } }
        #expect((.milliseconds(500)..<Duration.seconds(10)).contains(ContinuousClock.now - start))
    }
}
