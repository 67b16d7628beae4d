import AlmanacPOSIX
import Testing

@testable import AlmanacNotes

@Suite struct LivePartsTests {
    @Test(arguments: [1, 2, 7, 1000])
    func `events are read whatever pieces they come in`(size: Int) throws {
        let text =
            "id: notes=5.k3f9\r\nevent: message\r\ndata: {\"type\": \"hello\"}\r\n\r\n: comment\n\ndata: a\ndata:b\n\nid: 9\ndata: half"
        var parser = EventParser()
        var events: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.take(bytes[start..<min(start + size, bytes.count)]).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(events == ["{\"type\": \"hello\"}", "a\nb"])
    }

    @Test func `an event without an end is refused`() {
        var parser = EventParser()
        #expect(throws: SyncFailure.self) {
            for _ in 0..<20 { _ = try parser.take(Array(repeating: UInt8(ascii: "x"), count: 100_000)) }
        }
    }

    @Test func `waits grow from half a second to five minutes, and begin anew after a success`() {
        var backoff = Backoff()
        let waits = (0..<30).map { _ in backoff.wait(1) }
        #expect(waits[0] == .milliseconds(500))
        #expect(waits[1] == .seconds(1))
        #expect(waits[29] == .seconds(300))
        #expect(backoff.wait(0) == .seconds(150))
        #expect(backoff.wait(1, asked: 60) == .seconds(360))
        backoff.succeed()
        #expect(backoff.wait(1) == .milliseconds(500))
    }

    /// A stream that tells of a token near its end, and how long it then stayed open.
    @Test(.timeLimit(.minutes(1)))
    func `before the token ends the next stream is opened, with a new token and before the old one closes`()
        async throws
    {
        let log = Monitor<[String]>([])
        let transport = StreamingTransport { request, pipe in
            let token = request.headers.first { $0.name == "Authorization" }?.value ?? ""
            log.update {
                $0.append("open \(token) after \(request.headers.first { $0.name == "Last-Event-ID" }?.value ?? "-")")
            }
            pipe.onTermination = { _ in log.update { $0.append("closed \(token)") } }
            if token == "Bearer old" {
                pipe.yield(Array("id: notes=5.k3f9\ndata: {\"type\": \"hello\", \"tokenExpiresIn\": 30}\n\n".utf8))
            }
        }
        let server = NotesServer(transport) { refused in refused == nil ? "old" : "new" }
        let feed = LiveFeed(server, Surroundings()) {}
        let running = Task { await feed.run() }
        defer { running.cancel() }
        let all = try #require(await log.becomes { $0.count == 3 })
        #expect(all == ["open Bearer old after -", "open Bearer new after notes=5.k3f9", "closed Bearer old"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a stream that stays mute gives way to long polls`() async throws {
        let log = Monitor<[String]>([])
        let transport = StreamingTransport { _, _ in log.update { $0.append("stream") } }
        transport.onSend { request in
            log.update { $0.append("poll \(request.value("wait") ?? "-")") }
            return NotesAnswer(status: 200, body: Array("data: {\"type\": \"noteUpdated\"}\n\n".utf8))
        }
        let wakes = Monitor(0)
        let surroundings = Surroundings(sleep: { _ in try await Task.sleep(for: .milliseconds(5)) })
        let feed = LiveFeed(NotesServer(transport) { _ in "token" }, surroundings) { wakes.update { $0 += 1 } }
        let running = Task { await feed.run() }
        defer { running.cancel() }
        let all = try #require(await log.becomes { $0.count > 3 })
        #expect(all.prefix(3) == ["stream", "poll 25", "poll 25"])
        #expect(await wakes.becomes { $0 > 0 } != nil)
    }
}

/// Opens streams that a test writes to.
private final class StreamingTransport: NotesTransport {
    typealias Pipe = AsyncThrowingStream<[UInt8], any Error>.Continuation

    private let opened: @Sendable (NotesRequest, Pipe) -> Void
    private let pipes = Monitor<[Pipe]>([])
    private let sent = Monitor<(@Sendable (NotesRequest) -> NotesAnswer)?>(nil)

    init(_ opened: @escaping @Sendable (NotesRequest, Pipe) -> Void) {
        self.opened = opened
    }

    func onSend(_ answer: @escaping @Sendable (NotesRequest) -> NotesAnswer) {
        sent.update { $0 = answer }
    }

    func send(_ request: NotesRequest) async throws -> NotesAnswer {
        guard let answer = sent.read({ $0 }) else { throw CancellationError() }
        return answer(request)
    }

    func open(_ request: NotesRequest) async throws -> NotesStream {
        let (bytes, pipe) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        pipes.update { $0.append(pipe) }
        opened(request, pipe)
        return NotesStream(status: 200, bytes: bytes)
    }
}

extension Monitor {
    /// Waits until the value is so, without holding up a thread.
    fileprivate func becomes(_ condition: @Sendable (State) -> Bool) async -> State? where State: Sendable {
        for _ in 0..<2000 {
            let value = read { copy $0 }
            if condition(value) { return value }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }
}
