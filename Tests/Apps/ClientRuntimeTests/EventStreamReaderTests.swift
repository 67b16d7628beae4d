import AlmanacClientRuntime
import AlmanacTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventStreamReaderTests {
    private let clock = ManualClock()

    private func open(
        _ transport: ScriptedTransport, after id: String = ""
    ) async throws(EventStreamFailure) -> EventStreamReader {
        try await .open(
            TransportRequest("GET", "http://a.test/events"), over: transport, resumingAfter: id,
            idleTimeout: .seconds(60), clock: clock)
    }

    private func failure(of transport: ScriptedTransport) async -> EventStreamFailure? {
        await #expect(throws: EventStreamFailure.self) {
            var reader = try await open(transport)
            while try await reader.next() != nil {}
        }
    }

    @Test func `a stream cut between an id and the empty line resumes behind the last event that arrived`() async throws
    {
        let transport = ScriptedTransport { _, count in
            count == 0
                ? .events("id: notes=1.k3f9\ndata: 1\n\nid: notes=2.k3f9\nda", "ta: 2\n")
                : .events("id: notes=2.k3f9\ndata: 2\n\n")
        }
        var reader = try await open(transport)
        #expect(try await reader.next()?.data == Array("1".utf8))
        #expect(try await reader.next() == nil)
        #expect(reader.lastEventID == "notes=1.k3f9")
        reader = try await open(transport, after: reader.lastEventID)
        #expect(try await reader.next()?.data == Array("2".utf8))
        #expect(reader.lastEventID == "notes=2.k3f9")
        #expect(transport.requests.map { $0.header("Last-Event-ID") } == [nil, "notes=1.k3f9"])
        #expect(transport.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
    }

    @Test func `an event that has arrived and was not taken is resumed before`() async throws {
        var reader = try await open(
            ScriptedTransport { _, _ in .events("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\n\n") })
        #expect(reader.lastEventID == "")
        _ = try await reader.next()
        #expect(reader.lastEventID == "1")
        _ = try await reader.next()
        // An id without an event counts as well.
        #expect(reader.lastEventID == "3")
        #expect(try await reader.next() == nil)
    }

    @Test func `the time for the next stream is the one that the server has said`() async throws {
        var reader = try await open(ScriptedTransport { _, _ in .events("retry: 2500\n\n") })
        #expect(reader.retry == nil)
        #expect(try await reader.next() == nil)
        #expect(reader.retry == .milliseconds(2500))
    }

    @Test func `a stream that says nothing is given up`() async throws {
        let transport = ScriptedTransport { _, _ in .events(": hi\n", ending: false) }
        let result = Mutex<EventStreamFailure?>(nil)
        let reading = Task {
            let failure = await failure(of: transport)
            result.withLock { $0 = failure }
        }
        #expect(
            try await eventuallyAsync {
                clock.advance(by: .seconds(10))
                return result.withLock { $0 != nil }
            })
        await reading.value
        #expect(result.withLock { $0 } == .silent(.seconds(60)))
        #expect(clock.uptime >= .seconds(1060))
    }

    @Test func `a stream that only has comments is not silent`() async throws {
        let (stream, pipe) = ByteStream.makeStream()
        let headers: HeaderFields = ["content-type": "Text/Event-Stream; charset=utf-8"]
        var reader = try EventStreamReader(
            TransportResponse(status: 200, headers: headers, body: stream), idleTimeout: .seconds(60), clock: clock)
        let event = Task { [reader] in
            var reader = reader
            return try await reader.next()
        }
        for _ in 0..<5 {
            #expect(try await eventuallyAsync { clock.sleepers == [.seconds(60)] })
            clock.advance(by: .seconds(40))
            #expect(clock.sleepers == [.seconds(20)])
            pipe.yield(Array(": ping\n".utf8))
        }
        pipe.yield(Array("data: 1\n\n".utf8))
        #expect(try await event.value?.data == Array("1".utf8))
        pipe.finish()
        #expect(try await reader.next() == nil)
    }

    @Test func `a server that does not answer is silent as well`() async throws {
        let transport = ScriptedTransport { _, _ throws(TransportFailure) in
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                throw .cancelled
            }
            return .text("")
        }
        async let failure = failure(of: transport)
        #expect(try await eventuallyAsync { clock.sleepers == [.seconds(60)] })
        clock.advance(by: .seconds(60))
        #expect(await failure == .silent(.seconds(60)))
    }

    @Test func `a response that is no stream says why`() async {
        let later = (name: "Retry-After", value: "30")
        #expect(
            await failure(of: ScriptedTransport { _, _ in .text("", status: 503, headers: [later]) })
                == .refused(status: 503, retryAfter: .seconds(30)))
        #expect(
            await failure(of: ScriptedTransport { _, _ in .text("", status: 204) })
                == .refused(status: 204, retryAfter: nil))
        let page = (name: "Content-Type", value: "text/html")
        #expect(
            await failure(of: ScriptedTransport { _, _ in .text("<p>", headers: [page]) })
                == .unexpectedType("text/html"))
        #expect(await failure(of: ScriptedTransport { _, _ in .text("") }) == .unexpectedType(""))
        #expect(
            await failure(of: ScriptedTransport { _, _ throws(TransportFailure) in throw .unreachable("no host") })
                == .broken(.unreachable("no host")))
        let long = String(repeating: "x", count: 2 << 20)
        #expect(await failure(of: ScriptedTransport { _, _ in .events(long) }) == .tooLong(limit: 1 << 20))
    }

    @Test func `a stream that breaks says why, after its events`() async throws {
        let (stream, pipe) = ByteStream.makeStream()
        pipe.yield(Array("data: 1\n\n".utf8))
        pipe.finish(throwing: TransportFailure.unreachable("reset"))
        var reader = try EventStreamReader(
            TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: stream),
            idleTimeout: .seconds(60), clock: clock)
        #expect(try await reader.next()?.data == Array("1".utf8))
        await #expect(throws: EventStreamFailure.broken(.unreachable("reset"))) { try await reader.next() }
    }

    @Test func `a cancelled reader ends at once`() async throws {
        let transport = ScriptedTransport { _, _ in .events("data: 1\n\n", ending: false) }
        let reading = Task { await failure(of: transport) }
        #expect(try await eventuallyAsync { clock.sleepers == [.seconds(60)] })
        reading.cancel()
        #expect(await reading.value == .broken(.cancelled))
    }
}
