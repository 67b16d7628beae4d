import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Testing

/// Tests that cancel calls while a server is silent. Without the cancellation, the calls would last an hour.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func client(_ server: StallingServer) -> RemoteFlags {
        var options = sandbox.options(server.base)
        options.transport = UnlimitedTransport()
        return RemoteFlags(options)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled fetch returns while the server is silent, and the next one asks at once`(
        point: StallingServer.Point
    ) async throws {
        let server = try StallingServer(point)
        let flags = client(server)
        for round in 1...2 {
            let fetch = Task { await #expect(throws: FlagFailure.cancelled) { try await flags.fetch() } }
            #expect(try await server.stalls(round == 1 || point != .connecting ? round : 1))
            _ = await timeToEnd(fetch)
            #expect(flags.status.lastFailure == nil)
        }
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `a cancelled change of the context returns while the server is silent, and the context is another`(
        point: StallingServer.Point
    ) async throws {
        let server = try StallingServer(point)
        let flags = client(server)
        let bob = FlagContext(targetingKey: "bob")
        let change = Task { await #expect(throws: FlagFailure.cancelled) { try await flags.setContext(bob) } }
        #expect(try await server.stalls())
        _ = await timeToEnd(change)
        #expect(flags.values.context == bob)
    }

    @Test(arguments: StallingServer.Point.allCases)
    func `following that is cancelled ends while the server is silent`(point: StallingServer.Point) async throws {
        let server = try StallingServer(point)
        let flags = client(server)
        let following = Task { await flags.follow() }
        #expect(try await server.stalls())
        _ = await timeToEnd(following)
    }

    @Test func `one of two that wait for a fetch leaves when it is cancelled, and the fetch goes on`() async throws {
        let (isAsked, asked) = AsyncStream<Void>.makeStream()
        let (mayAnswer, answer) = AsyncStream<Void>.makeStream()
        var options = sandbox.options("https://config.example.com/test")
        options.transport = ScriptedTransport { _, _ throws(TransportFailure) in
            asked.finish()
            for await _ in mayAnswer {}
            if Task.isCancelled { throw .cancelled }
            return .text(#"{"flags":[\#(evaluated("a", "1"))]}"#, headers: [("Content-Type", "application/json")])
        }
        let flags = RemoteFlags(options)
        let first = Task { try await flags.fetch() }
        for await _ in isAsked {}
        let second = Task { await #expect(throws: FlagFailure.cancelled) { try await flags.fetch() } }
        _ = await timeToEnd(second)
        answer.finish()
        #expect(try await first.value == .changed(["a"]))
    }
}
