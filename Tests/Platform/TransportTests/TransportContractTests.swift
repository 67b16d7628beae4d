import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTransport
import Glibc
import Testing

/// Tests the behaviour that all transports share.
@Suite struct TransportContractTests {
    @Test(arguments: TestedTransport.all, [200, 204, 304, 401, 500])
    func `a response is given whatever its status`(subject: TestedTransport, status: Int) async throws {
        let hasBody = status != 204 && status != 304
        let server = try ScriptedServer { path in
            .response("\(status) Some", headers: ["X-Path: \(path)"], body: hasBody ? Array("body".utf8) : [])
        }
        let answer = try await subject.transport().send(TransportRequest("GET", "\(server.base)/a%20b?c=%2F"))
        #expect(answer.status == status)
        #expect(answer.headers.fields.first { $0.name.lowercased() == "x-path" }?.value == "/a%20b?c=%2F")
        #expect(answer.body == (hasBody ? Array("body".utf8) : []))
    }

    @Test(arguments: TestedTransport.all, ["POST", "PATCH", "PUT", "DELETE"])
    func `a body arrives as it was given`(subject: TestedTransport, method: String) async throws {
        let server = try ScriptedServer { _ in .response() }
        let text = "text \u{0} \u{1F600}\n"
        var request = TransportRequest(method, server.base, headers: [("X-One", "1")], body: Array(text.utf8))
        _ = try await subject.transport().send(request)
        request.body = []
        _ = try await subject.transport().send(request)
        let messages = server.messages
        #expect(messages[0].hasPrefix("\(method) / HTTP/1.1\r\n") && messages[0].hasSuffix("\r\n\r\n" + text))
        #expect(messages[0].contains("X-One: 1\r\n"))
        #expect(messages[1].lowercased().contains("content-length: 0\r\n"))
    }

    @Test(arguments: TestedTransport.all, [301, 302, 307])
    func `without a limit above zero a redirect is an answer`(subject: TestedTransport, status: Int) async throws {
        let server = try ScriptedServer { _ in
            .response("\(status) Moved", headers: ["Location: /elsewhere"], body: "moved".utf8)
        }
        let answer = try await subject.transport().send(TransportRequest("POST", server.base, body: [65]))
        #expect(answer.status == status)
        #expect(server.requests == ["/"])
    }

    @Test(arguments: TestedTransport.all)
    func `redirects are followed up to the limit, and credentials stay with the first origin`(
        subject: TestedTransport
    ) async throws {
        let other = try ScriptedServer { _ in .response(body: "there".utf8) }
        let server = try ScriptedServer { path in
            switch path {
            case "/away": .response("302 Found", headers: ["Location: \(other.base)/there"])
            case "/loop": .response("302 Found", headers: ["Location: /loop"])
            case "/near": .response("307 Temporary Redirect", headers: ["Location: /here"])
            default: .response(body: "here".utf8)
            }
        }
        let transport = subject.transport()
        func load(_ path: String) async throws(TransportFailure) -> TransportResponse<[UInt8]> {
            var request = TransportRequest("GET", server.base + path, headers: [("Authorization", "Bearer secret")])
            request.redirectLimit = 5
            return try await transport.send(request)
        }
        #expect(try await load("/near").body == Array("here".utf8))
        #expect(server.messages.count { $0.contains("Bearer secret") } == 2)
        #expect(try await load("/away").body == Array("there".utf8))
        #expect(other.messages.count == 1 && !other.messages[0].contains("secret"))
        await #expect(throws: TransportFailure.redirectedTooOften) { try await load("/loop") }
        #expect(server.requests.count { $0 == "/loop" } == 6)
    }

    @Test(arguments: TestedTransport.all)
    func `an answer beyond its limit is not read to its end`(subject: TestedTransport) async throws {
        let limit = 100_000
        let exact = try ScriptedServer { _ in .response(body: [UInt8](repeating: 65, count: limit)) }
        var request = TransportRequest("GET", exact.base, byteLimit: limit)
        #expect(try await subject.transport().send(request).body.count == limit)
        let endless = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n\r\n".utf8)
            while connection.send([UInt8](repeating: 65, count: 65_536)) {}
        }
        request.url = "http://127.0.0.1:\(endless.port)/"
        await #expect(throws: TransportFailure.tooLarge(limit: limit)) { try await subject.transport().send(request) }
    }

    @Test(arguments: TestedTransport.all)
    func `a compressed body counts as long as it really is`(subject: TestedTransport) async throws {
        let folder = try TemporaryFolder()
        let plain = [UInt8](repeating: 65, count: 1 << 20)
        let small = try Command.run("gzip", ["-c", folder.write("plain", plain)]).outputBytes
        let server = try ScriptedServer { _ in .response(headers: ["Content-Encoding: gzip"], body: small) }
        var request = TransportRequest("GET", server.base, byteLimit: plain.count)
        #expect(try await subject.transport().send(request).body == plain)
        request.byteLimit = plain.count / 2
        await #expect(throws: TransportFailure.tooLarge(limit: plain.count / 2)) {
            try await subject.transport().send(request)
        }
        #expect(server.messages[0].lowercased().contains("accept-encoding:"))
    }

    @Test(arguments: TestedTransport.all)
    func `a server that is silent or slow is given up`(subject: TestedTransport) async throws {
        let server = try ScriptedServer { _ in .silence }
        var request = TransportRequest("GET", server.base)
        request.timeout = .milliseconds(200)
        await #expect(throws: TransportFailure.timedOut) { try await subject.transport().send(request) }
        let slow = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n\r\n".utf8)
            while connection.send([65]) { usleep(10_000) }
        }
        request.url = "http://127.0.0.1:\(slow.port)/"
        await #expect(throws: TransportFailure.timedOut) { try await subject.transport().send(request) }
    }

    @Test(arguments: TestedTransport.all)
    func `where nobody listens nothing is reached`(subject: TestedTransport) async throws {
        let silent = try SilentPort()
        defer { withExtendedLifetime(silent) {} }
        let transport = subject.transport()
        for _ in 0..<20 {
            await #expect {
                try await transport.send(TransportRequest("GET", "http://127.0.0.1:\(silent.port)/"))
            } throws: {
                if case TransportFailure.unreachable = $0 { true } else { false }
            }
        }
    }

    @Test(arguments: TestedTransport.all)
    func `an exchange that is cancelled at any moment ends`(subject: TestedTransport) async throws {
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n\r\n".utf8)
            while connection.send([UInt8](repeating: 65, count: 1000)) {}
        }
        let transport = subject.transport()
        let request = TransportRequest("GET", "http://127.0.0.1:\(server.port)/")
        for turns in 0..<60 {
            let task = Task { try await transport.send(request) }
            for _ in 0..<(turns * turns) { await Task.yield() }
            task.cancel()
            await #expect(throws: TransportFailure.self) { try await task.value }
        }
    }

    @Test(arguments: TestedTransport.all)
    func `letting go of a body ends the exchange`(subject: TestedTransport) async throws {
        let isOver = Monitor(false)
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n\r\n".utf8)
            while connection.send([UInt8](repeating: 65, count: 1000)) {}
            isOver.update { $0 = true }
        }
        let transport = subject.transport()
        do {
            let answer = try await transport.open(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
            #expect(answer.status == 200)
        }
        #expect(try await eventuallyAsync { isOver.read { $0 } })
    }

    @Test(arguments: TestedTransport.all)
    func `a stream that nobody reads ends before it fills the memory`(subject: TestedTransport) async throws {
        let isOver = Monitor(0)
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\n\r\n".utf8)
            var count = 0
            while connection.send([UInt8](repeating: 65, count: 65_536)) { count += 65_536 }
            isOver.update { $0 = count }
        }
        let transport = subject.transport()
        let answer = try await transport.open(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
        #expect(try await eventuallyAsync { isOver.read { $0 > 0 } })
        #expect(isOver.read { $0 } < 100_000_000)
        await #expect(throws: TransportFailure.readTooSlowly) { for try await _ in answer.body {} }
    }

    @Test(arguments: TestedTransport.all)
    func `a stream is handed on as it comes`(subject: TestedTransport) async throws {
        let next = Monitor(0)
        let server = try LoopbackServer { connection in
            _ = connection.message()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            for number in 1...3 {
                _ = next.wait(upTo: .seconds(30)) { $0 >= number ? true : nil }
                connection.send("1\r\n\(number)\r\n".utf8)
            }
            connection.send("0\r\nX-Trailer: 1\r\n\r\n".utf8)
        }
        let transport = subject.transport()
        let answer = try await transport.open(TransportRequest("GET", "http://127.0.0.1:\(server.port)/"))
        var parts = answer.body.makeAsyncIterator()
        for number in 1...3 {
            next.update { $0 = number }
            #expect(try await parts.next() == Array("\(number)".utf8))
        }
        #expect(try await parts.next() == nil)
    }
}
