import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct FollowTests {
    private static let stream = ["Content-Type: text/event-stream"]

    private static func event(_ id: String, _ data: String) -> String { "id: config=\(id)\ndata: \(data)\n\n" }

    @Test func `a change on the server is visible as soon as the stream names it`() async throws {
        let sandbox = try Sandbox()
        let isChanged = Gate()
        let server = try AppServer { request, connection in
            if request.path == "/test/events" {
                connection.begin(Self.stream)
                connection.send(Self.event("1.aaaa", #"{"type":"hello","config":"1.aaaa"}"#))
                isChanged.wait()
                connection.send(": a comment\n\ndata: {not json}\n\ndata: {\"type\":\"news\"}\n\n")
                connection.send(
                    Self.event("2.aaaa", #"{"type":"refetchEvaluation","etag":"\"2.aaaa\"","spreadMs":10}"#))
                connection.waitForClose()
            } else if request.path.contains("since") {
                connection.config("2.aaaa", #"[{"key":"a","deleted":true},{"key":"b","value":2}]"#)
            } else {
                connection.config("1.aaaa", #"[{"key":"a","value":1},{"key":"b","value":1}]"#)
            }
        }
        let client = ConfigClient(sandbox.options(server.environment, defaults: ["a": 0]))
        let following = Task { await client.follow() }
        var seen: [Int64?] = []
        for await update in client.updates {
            seen.append(update.values.revision)
            if update.values.revision == 1 { isChanged.open() }
            if update.values.revision == 2 {
                #expect(update.keys == ["a", "b"])
                #expect(update.values.int("a", default: -1) == 0)
                break
            }
        }
        await following.cancelAndWait()
        #expect(seen == [nil, 1, 2])
        #expect(server.requests.map(\.path).contains("/test/config?since=1.aaaa&revision=2.aaaa"))
        #expect(server.requests.first { $0.path == "/test/events" }?.headers["accept"] == "text/event-stream")
    }

    @Test func `without a stream the config is asked for again and again`() async throws {
        let sandbox = try Sandbox()
        let count = Mutex(0)
        let server = try AppServer { request, connection in
            if request.path == "/test/events" { return connection.answer("404 Not Found") }
            let revision = count.next()
            connection.config("\(revision).aaaa", #"[{"key":"n","value":\#(revision)}]"#)
        }
        let client = ConfigClient(sandbox.options(server.environment))
        let following = Task { await client.follow() }
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        for await update in client.updates where update.values.int("n", default: 0) >= 3 { break }
        await following.cancelAndWait()
        #expect(server.requests.filter { $0.path == "/test/events" }.count >= 3)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a stream that says nothing is given up, and the next one resumes from the cursor`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.path != "/test/events" {
                return connection.config("4.aaaa", #"[{"key":"n","value":1}]"#)
            }
            connection.begin(Self.stream)
            connection.waitForClose()
        }
        let client = ConfigClient(sandbox.options(server.environment))
        let following = Task { await client.follow() }
        #expect(try await server.waits { $0.map(\.path) == ["/test/events"] })
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        for await update in client.updates where update.values.revision == 4 { break }
        let resumed = try await server.waits { requests in
            requests.contains { $0.path == "/test/events" && $0.headers["last-event-id"] == "config=4.aaaa" }
        }
        #expect(resumed)
        await following.cancelAndWait()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a server that closes the stream is asked for another one within the time that it names`() async throws {
        let sandbox = try Sandbox()
        let transport = ScriptedTransport { request, _ in
            if !request.url.hasSuffix("/events") {
                return .text(
                    "[]",
                    headers: [(name: "Almanac-Cursor", value: "1.aaaa"), (name: "Almanac-Version", value: "1.0.0")])
            }
            return .events(#"data: {"type":"bye","spreadMs":80000}"# + "\n\n", ending: false)
        }
        var options = sandbox.options("https://config.example.com/test")
        options.transport = transport
        options.random = FixedRandom(.max)
        let client = ConfigClient(options)
        let following = Task { await client.follow() }
        #expect(try await eventuallyAsync { sandbox.clock.sleepers.first.map { $0 > .seconds(79) } ?? false })
        #expect(transport.requests.map(\.url).map { $0.suffix(6) } == ["events", "config"])
        sandbox.clock.advance(by: .seconds(82))
        #expect(try await eventuallyAsync { transport.requests.filter { $0.url.hasSuffix("/events") }.count == 2 })
        await following.cancelAndWait()
    }

    @Test func `fetched values wait when the app activates by itself`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.path != "/test/events" {
                return connection.config("4.aaaa", #"[{"key":"n","value":1}]"#)
            }
            connection.begin(Self.stream)
            connection.send(Self.event("4.aaaa", #"{"type":"hello","config":"4.aaaa"}"#))
            connection.waitForClose()
        }
        let client = ConfigClient(sandbox.options(server.environment))
        let following = Task { await client.follow(activating: false) }
        #expect(try await server.waits { $0.contains { $0.path == "/test/config" } })
        #expect(try await eventuallyAsync { client.status.hasPendingValues })
        #expect(client.int("n", default: 0) == 0)
        #expect(await client.activate())
        #expect(client.int("n", default: 0) == 1)
        await following.cancelAndWait()
    }

    @Test func `the updates end with the client and start with what is there`() async throws {
        let sandbox = try Sandbox()
        var client: ConfigClient? = ConfigClient(sandbox.options("http://127.0.0.1:1/test", defaults: ["a": 1]))
        var updates = client!.updates.makeAsyncIterator()
        #expect(await updates.next()?.keys == ["a"])
        client = nil
        #expect(await updates.next() == nil)
    }
}
