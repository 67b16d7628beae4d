import AlmanacConfig
import AlmanacTestSupport
import Testing

@Suite struct TransportTests {
    @Test func `a request that is cancelled at any moment ends`() async throws {
        let server = try AppServer { _, connection in
            connection.begin()
            while connection.send("part of a body without end\n") {}
        }
        let transport = AlmanacHTTPTransport()
        let request = TransportRequest("GET", server.environment)
        var ended = 0
        for turns in 0..<100 {
            let task = Task {
                let response = try await transport.open(request)
                for try await _ in response.body {}
            }
            for _ in 0..<(turns * turns) { await Task.yield() }
            task.cancel()
            _ = await task.result
            ended += 1
        }
        #expect(ended == 100)
    }

    @Test func `letting go of a body ends the transfer`() async throws {
        let isOver = Gate()
        let server = try AppServer { _, connection in
            connection.begin()
            while connection.send("part of a body without end\n") {}
            isOver.open()
        }
        let transport = AlmanacHTTPTransport()
        let request = TransportRequest("GET", server.environment)
        do {
            let response = try await transport.open(request)
            #expect(response.status == 200)
        }
        #expect(try await isOver.opens())
    }

    @Test func `a token goes over HTTP to this device alone`() async throws {
        let token = [(name: "authorization", value: "Bearer secret")]
        let hosts = [
            "notes.example", "localhost.example", "127.0.0.1.example", "localhost@notes.example", "[::2]", "10.0.0.1",
            "notes.example#localhost", "notes.example?@localhost", "LOCALHOST.example",
        ]
        for host in hosts {
            await #expect(throws: TransportFailure.tokenInClear, "\(host)") {
                try await AlmanacHTTPTransport().open(TransportRequest("GET", "HTTP://\(host)/", headers: token))
            }
        }
        // No server listens at these addresses, so a request must be attempted and fail.
        for host in ["localhost:1", "LocalHost:1/a@notes.example", "127.0.0.1:1", "[::1]:1"] {
            let failure = await #expect(throws: TransportFailure.self) {
                try await AlmanacHTTPTransport().open(TransportRequest("GET", "http://\(host)", headers: token))
            }
            guard case .unreachable? = failure else { throw failure ?? .cancelled }
        }
        #expect(!TransportRequest("GET", "http://notes.example/").sendsTokenInClear)
        #expect(!TransportRequest("GET", "https://notes.example/", headers: token).sendsTokenInClear)
    }

    @Test func `a header is found whatever its case`() {
        let headers: HeaderFields = ["ETag": "\"1\""]
        #expect(headers["etag"] == "\"1\"")
        #expect(headers["Date"] == nil)
    }
}
