import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that cancel calls while a server is silent. Without the cancellation, the calls would last an hour.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func client(_ server: StallingServer) -> ConfigClient {
        var options = sandbox.options(server.base)
        options.transport = UnlimitedTransport()
        return ConfigClient(options)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled fetch returns while the server is silent, and the next one asks at once`(
        point: StallingServer.Point
    ) async throws {
        let server = try StallingServer(point)
        let client = client(server)
        for round in 1...2 {
            let fetch = Task { await #expect(throws: ConfigFailure.cancelled) { try await client.fetch() } }
            #expect(try await server.stalls(round == 1 || point != .connecting ? round : 1))
            _ = await timeToEnd(fetch)
            #expect(client.status.lastFailure == nil)
        }
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `following that is cancelled ends while the server is silent`(point: StallingServer.Point) async throws {
        let server = try StallingServer(point)
        let client = client(server)
        let following = Task { await client.follow() }
        #expect(try await server.stalls())
        _ = await timeToEnd(following)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled update of a document returns while the server is silent`(
        point: StallingServer.Point
    ) async throws {
        let server = try StallingServer(point)
        let document = ConfigDocument(
            ["a"],
            loader: ConfigDocumentURLLoader(
                url: URL(string: "\(server.base)/config.json")!, transport: UnlimitedTransport()))
        let update = Task { await #expect(throws: ConfigFailure.cancelled) { try await document.update() } }
        #expect(try await server.stalls())
        _ = await timeToEnd(update)
        #expect(document.failure == nil && document.value == ["a"])
    }

    @Test func `one of two that wait for a fetch leaves when it is cancelled, and the fetch goes on`() async throws {
        let (isAsked, asked) = AsyncStream<Void>.makeStream()
        let (mayAnswer, answer) = AsyncStream<Void>.makeStream()
        var options = sandbox.options("https://config.example.com/test")
        options.transport = ScriptedTransport { _, _ throws(TransportFailure) in
            asked.finish()
            for await _ in mayAnswer {}
            if Task.isCancelled { throw .cancelled }
            return .text(
                #"[{"key": "a", "value": 1, "updated_at": "2020-10-17T18:43:19.000Z"}]"#,
                headers: [("Almanac-Cursor", "1.k3f9"), ("Almanac-Version", "1.0.0")])
        }
        let client = ConfigClient(options)
        let first = Task { try await client.fetch() }
        for await _ in isAsked {}
        let second = Task { await #expect(throws: ConfigFailure.cancelled) { try await client.fetch() } }
        _ = await timeToEnd(second)
        answer.finish()
        #expect(try await first.value == .changed(["a"]))
    }
}
