import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

@Suite struct TransportTests {
    @Test func `a request that is cancelled at any moment ends`() async throws {
        let server = try AppServer { _, connection in
            connection.begin()
            while connection.send("part of a body without end\n") {}
        }
        let transport = ConfigHTTPTransport()
        let request = TransportRequest(url: URL(string: server.environment)!)
        var ended = 0
        for turns in 0..<100 {
            let task = Task {
                let response = try await transport.send(request)
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
        let transport = ConfigHTTPTransport()
        let request = TransportRequest(url: URL(string: server.environment)!)
        do {
            let response = try await transport.send(request)
            #expect(response.status == 200)
        }
        #expect(try await isOver.opens())
    }

    @Test func `a header is found whatever its case`() {
        let response = TransportResponse(status: 200, headers: ["ETag": "\"1\""])
        #expect(response.header("etag") == "\"1\"")
        #expect(response.header("Date") == nil)
    }
}
