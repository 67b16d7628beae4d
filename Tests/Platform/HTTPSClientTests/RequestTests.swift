import AlmanacHTTPSClient
import AlmanacTestSupport
import AlmanacTransport
import Testing

@Suite struct RequestTests {
    private func request(
        _ method: String, _ server: ScriptedServer, headers: [(name: String, value: String)] = [], body: String? = nil
    ) -> TransportRequest {
        var request = TransportRequest(method, "\(server.base)/a%20b/../c?d=e%26f", headers: headers)
        request.body = body.map { Array($0.utf8) }
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
}
