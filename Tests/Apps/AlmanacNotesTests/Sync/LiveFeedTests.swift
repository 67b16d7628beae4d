import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@testable import AlmanacNotes

@Suite struct LiveFeedTests {
    private let clock = ManualClock()

    private func feed(
        _ transport: any ClientTransport, tokens: any TokenProvider = FixedToken("token"),
        wake: @escaping @Sendable () -> Void = {}
    ) -> Task<Void, Never> {
        let server = NotesServer(
            environment: Folder.environment, account: .alice, tokens: tokens, transport: transport, clock: clock)
        return Task {
            var feed = LiveFeed(server, random: SystemRandomSource(), wake: wake)
            await feed.run()
        }
    }

    /// The connection breaks between an event's id and the empty line that ends the event.
    @Test(.timeLimit(.minutes(1)))
    func `a stream that is cut within an event resumes behind the last one that arrived whole`() async throws {
        let transport = ScriptedTransport { _, count throws(TransportFailure) in
            guard count == 0 else { return .events(ending: false) }
            return .events(
                "id: notes=5.k3f9\ndata: {\"type\": \"hello\"}\n\n",
                "id: notes=6.k3f9\ndata: {\"type\": \"noteUpdated\"}\n")
        }
        let running = feed(transport)
        defer { running.cancel() }
        try #require(await passTime { transport.requests.count == 2 })
        #expect(transport.requests.map { $0.header("Last-Event-ID") } == [nil, "notes=5.k3f9"])
    }

    /// The stream announces that its token expires soon, and stays open for a while.
    @Test(.timeLimit(.minutes(1)))
    func `before the token ends the next stream is opened, with a new token and before the old one closes`()
        async throws
    {
        let log = Monitor<[String]>([])
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            let token = request.header("Authorization") ?? ""
            log.update { $0.append("open \(token) after \(request.header("Last-Event-ID") ?? "-")") }
            let (stream, pipe) = ByteStream.makeStream()
            pipe.onTermination = { _ in log.update { $0.append("closed \(token)") } }
            if token == "Bearer old" {
                pipe.yield(Array("id: notes=5.k3f9\ndata: {\"type\": \"hello\", \"tokenExpiresIn\": 30}\n\n".utf8))
            }
            return TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: stream)
        }
        let running = feed(transport, tokens: ScriptedTokens { refused in refused == nil ? "old" : "new" })
        defer { running.cancel() }
        try #require(await passTime { log.read { $0.count } == 3 })
        #expect(
            log.read { $0 } == [
                "open Bearer old after -", "open Bearer new after notes=5.k3f9", "closed Bearer old",
            ])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a stream that stays silent gives way to long polls`() async throws {
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            guard request.value("wait") != nil else { return .events(ending: false) }
            return .events("data: {\"type\": \"noteUpdated\"}\n\n")
        }
        let wakes = Monitor(0)
        let running = feed(transport) { wakes.update { $0 += 1 } }
        defer { running.cancel() }
        try #require(await passTime { transport.requests.count > 3 && wakes.read { $0 } > 0 })
        #expect(transport.requests.prefix(3).map { $0.value("wait") } == [nil, "25", "25"])
    }

    /// Ends every sleep that is not longer than the longest silence of a stream, until a condition holds.
    private func passTime(_ condition: () -> Bool) async -> Bool {
        while !Task.isCancelled {
            if condition() { return true }
            if let shortest = clock.sleepers.first, shortest <= .seconds(50) { clock.advance(by: shortest) }
            await Task.yield()
        }
        return false
    }
}
