import AlmanacClient
import AlmanacClientRuntime
import AlmanacJSON
import AlmanacTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConfigWatchTests {
    private let clock = ManualClock()
    private let log = Log()

    /// The updates of a watch, as text.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ update: ConfigWatch.Update) {
            lines.withLock {
                switch update {
                case .connected(let cursor): $0.append("connected at \(cursor)")
                case .changed(let revision, let version, let entries):
                    $0.append("\(revision) \(version): \(entries.map { $0["key"]?.stringValue ?? "-" })")
                case .replaced(let revision, _, let entries): $0.append("whole \(revision): \(entries.count)")
                case .interrupted(let reason, let wait): $0.append("\(reason), \(wait / .milliseconds(1)) ms")
                }
            }
        }
    }

    private func watch(since cursor: String? = nil, _ transport: ScriptedTransport) throws -> ConfigWatch {
        let remote = try RemoteEnvironment(Profile(url: "https://a.example", environment: "test"))
        return ConfigWatch(remote, since: cursor, transport: transport, clock: clock, random: FixedRandom.lowest) {
            [log] in log.add($0)
        }
    }

    private static func config(
        _ cursor: String, _ body: String = "[]", isFull: Bool = false
    ) -> TransportResponse<ByteStream> {
        let revision = String(cursor.prefix { $0 != "." })
        return .text(
            body,
            headers: [
                ("Almanac-Cursor", cursor), ("Almanac-Revision", revision), ("Almanac-Version", "1.\(revision).0"),
                ("Almanac-Full", "\(isFull)"),
            ])
    }

    @Test func `changes missed while there is no stream are fetched, and the stream resumed`() async throws {
        let transport = ScriptedTransport { request, count in
            switch count {
            case 0: Self.config("4.aaaa")
            case 1:
                .events(
                    "retry: 5000\n\nid: config=4.aaaa\ndata: {\"type\": \"hello\", \"config\": \"4.aaaa\"}\n\n"
                        + "id: config=5.aa")
            case 2: .events(#"data: {"type": "hello", "config": "6.aaaa"}"#, "\n\n", ending: false)
            default: Self.config("6.aaaa", #"[{"key": "a", "value": 1}, {"key": "b", "deleted": true}]"#)
            }
        }
        let watching = Task { [watch = try watch(transport)] in try await watch.run() }
        #expect(try await eventuallyAsync { log.all.count == 2 && clock.sleepers == [.seconds(5)] })
        clock.advance(by: .seconds(5))
        #expect(try await eventuallyAsync { log.all.count == 4 })
        watching.cancel()
        #expect(
            log.all == [
                "connected at 4.aaaa", "the stream ended, 5000.0 ms", "connected at 4.aaaa",
                #"6 1.6.0: ["a", "b"]"#,
            ])
        #expect(
            transport.requests.map(\.url) == [
                "https://a.example/test/config?since=0", "https://a.example/test/events",
                "https://a.example/test/events", "https://a.example/test/config?since=4.aaaa",
            ])
        #expect(transport.requests[2].header("Last-Event-ID") == "config=4.aaaa")
        #expect(transport.requests[3].header("Almanac-Min-Revision") == "6.aaaa")
    }

    @Test func `a server that closes, or asks to wait, is left alone for that long`() async throws {
        let transport = ScriptedTransport { _, count in
            switch count {
            case 0: .events("data: {\"type\": \"bye\", \"reason\": \"restart\", \"spreadMs\": 8000}\n\n")
            case 1: .text(#"{"detail": "too many streams"}"#, status: 503, headers: [("Retry-After", "20")])
            default: .text(#"{"type": "urn:almanac:problem:no-token", "detail": "give a token"}"#, status: 401)
            }
        }
        let watching = Task { [watch = try watch(since: "4.aaaa", transport)] in try await watch.run() }
        #expect(try await eventuallyAsync { clock.sleepers == [.milliseconds(500)] })
        clock.advance(by: .seconds(1))
        #expect(try await eventuallyAsync { clock.sleepers == [.seconds(20)] })
        clock.advance(by: .seconds(20))
        guard case .failure(let failure as CallFailure) = await watching.result else {
            Issue.record("expected the watch to end with what the server said")
            return
        }
        #expect(failure.kind == .notAllowed && failure.problem == "no-token")
        #expect(failure.description.hasPrefix("give a token"))
        #expect(
            log.all == [
                "the server closed the stream: restart, 500.0 ms", "too many streams (status 503), 20000.0 ms",
            ])
    }

    @Test func `changes are fetched when the server says so, spread over its time, and whole after a restore`()
        async throws
    {
        let transport = ScriptedTransport { _, count in
            switch count {
            case 0:
                .events(
                    #"data: {"type": "refetchEvaluation", "etag": "\"5.aaaa\"", "spreadMs": 4000}"#, "\n\n",
                    #"data: {"type": "ping", "config": "5.aaaa"}"#, "\n\n", "data: {\"type\": \"resync\"}\n\n",
                    ending: false)
            case 1: Self.config("5.aaaa", #"[{"key": "a", "value": 1}]"#)
            default: Self.config("3.bbbb", #"[{"key": "a", "value": 1}]"#, isFull: true)
            }
        }
        let watching = Task { [watch = try watch(since: "4.aaaa", transport)] in try await watch.run() }
        #expect(try await eventuallyAsync { log.all.count == 2 })
        watching.cancel()
        #expect(log.all == [#"5 1.5.0: ["a"]"#, "whole 3: 1"])
    }

    @Test func `a silent stream is opened again`() async throws {
        let transport = ScriptedTransport { _, count in .events(": hello\n", ending: false) }
        let watching = Task { [watch = try watch(since: "4.aaaa", transport)] in try await watch.run() }
        #expect(
            try await eventuallyAsync {
                clock.advance(by: .seconds(10))
                return transport.requests.count > 2
            })
        watching.cancel()
        #expect(log.all.first == "https://a.example: the stream was silent for 60.0 seconds, 500.0 ms")
    }
}
