import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct FollowTests {
    private static let stream = ["Content-Type: text/event-stream"]

    private static func event(_ id: String, _ data: String) -> String { "id: config=\(id)\ndata: \(data)\n\n" }

    private static func streams(_ address: String, origin: String? = nil) -> String {
        let origin = origin.map { #""origin":"\#($0)","# } ?? ""
        return #","eventStreams":[{"type":"poll"},{"type":"sse","endpoint":{\#(origin)"requestUri":"\#(address)"}}]"#
    }

    @Test func `a change on the server is visible as soon as the stream names it`() async throws {
        let sandbox = try Sandbox()
        let isChanged = Gate()
        let server = try AppServer { request, connection in
            if request.isStream {
                connection.begin(Self.stream)
                connection.send(Self.event("1.aaaa", #"{"type":"hello","config":"1.aaaa"}"#))
                isChanged.wait()
                connection.send(": a comment\n\ndata: {not json}\n\ndata: {\"type\":\"news\"}\n\n")
                connection.send(
                    Self.event("2.aaaa", #"{"type":"refetchEvaluation","etag":"\"2.aaaa\"","spreadMs":10}"#))
                connection.waitForClose()
            } else if request.path.contains("flagConfigEtag") {
                connection.flags("2.aaaa", evaluated("a", "2"))
            } else {
                connection.flags("1.aaaa", evaluated("a", "1"))
            }
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        for await update in flags.updates {
            if update.values.revision == 1 { isChanged.open() }
            if update.values.revision == 2 {
                #expect(update.keys == ["a"])
                break
            }
        }
        await following.cancelAndWait()
        #expect(flags.int("a", default: 0) == 2)
        #expect(server.requests.map(\.path).contains("/test/ofrep/v1/evaluate/flags?flagConfigEtag=%222.aaaa%22"))
        let stream = try #require(server.requests.first { $0.isStream })
        #expect(stream.path == "/test/events")
        #expect(stream.headers["last-event-id"] == "config=1.aaaa")
        #expect(server.requests.count == 3)
    }

    @Test func `a change that time alone has brought is fetched, though nothing was released`() async throws {
        let sandbox = try Sandbox()
        let count = Mutex(0)
        let server = try AppServer { request, connection in
            if request.isStream {
                connection.begin(Self.stream)
                connection.send(Self.event("1.aaaa", #"{"type":"hello","config":"1.aaaa"}"#))
                connection.send(Self.event("1.aaaa", #"{"type":"refetchEvaluation","etag":"\"1.aaaa\""}"#))
                return connection.waitForClose()
            }
            let count = count.next()
            connection.flags("1.aaaa", evaluated("a", "\(count)"))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        for await update in flags.updates where update.values.int("a", default: 0) == 2 { break }
        await following.cancelAndWait()
        #expect(server.requests.count == 3)
    }

    @Test func `fetches are spread over the time that the server asks for`() async throws {
        let sandbox = try Sandbox()
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            if request.method == "POST" {
                return .text(
                    #"{"flags":[]}"#, headers: [("Content-Type", "application/json"), ("Almanac-Cursor", "1.aaaa")])
            }
            return .events(
                #"data: {"type":"refetchEvaluation","etag":"\"2.aaaa\"","spreadMs":80000}"# + "\n\n", ending: false)
        }
        var options = sandbox.options("https://config.example.com/test")
        options.transport = transport
        options.random = FixedRandom.highest
        let flags = RemoteFlags(options)
        let following = Task { await flags.follow() }
        #expect(
            try await eventuallyAsync { sandbox.clock.sleepers.contains { $0 > .seconds(79) && $0 < .seconds(81) } })
        #expect(transport.requests.map(\.method) == ["POST", "GET"])
        sandbox.clock.advance(by: .seconds(81))
        #expect(try await eventuallyAsync { transport.requests.map(\.method).prefix(3) == ["POST", "GET", "POST"] })
        await following.cancelAndWait()
    }

    @Test func `without a stream the flags are asked for again and again`() async throws {
        let sandbox = try Sandbox()
        let count = Mutex(0)
        let server = try AppServer { request, connection in
            if request.isStream { return connection.answer("404 Not Found") }
            let count = count.next()
            connection.flags("\(count).aaaa", evaluated("n", "\(count)"))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        for await update in flags.updates where update.values.int("n", default: 0) >= 4 { break }
        await following.cancelAndWait()
        #expect(server.requests.filter(\.isStream).count >= 3)
    }

    @Test func `a stream is opened with the ticket of the answer, and another one fetched when it has ended`()
        async throws
    {
        let sandbox = try Sandbox()
        let tickets = Mutex(0)
        let server = try AppServer { request, connection in
            if request.path == "/test/events?ticket=2" {
                connection.begin(Self.stream)
                connection.send(Self.event("2.aaaa", #"{"type":"hello","config":"2.aaaa"}"#))
                return connection.waitForClose()
            }
            if request.isStream { return connection.answer("401 Unauthorized") }
            if request.path.contains("flagConfigEtag") { return connection.flags("2.aaaa", evaluated("a", "2")) }
            if request.headers["if-none-match"] != nil { return connection.answer("304 Not Modified") }
            let ticket = tickets.next()
            connection.flags(
                "1.aaaa", evaluated("a", "1"), ["ETag: \"1\""], members: Self.streams("/test/events?ticket=\(ticket)"))
        }
        var options = sandbox.options(server.environment)
        options.tokens = FixedToken("secret")
        let flags = RemoteFlags(options)
        let following = Task { await flags.follow() }
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        for await update in flags.updates where update.values.int("a", default: 0) == 2 { break }
        await following.cancelAndWait()
        let streams = server.requests.filter(\.isStream)
        #expect(Set(streams.map(\.path)) == ["/test/events?ticket=1", "/test/events?ticket=2"])
        // The ticket authorizes the stream. A token must not appear in a URL, because URLs are logged.
        #expect(streams.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test func `a ticket of an earlier run is tried only when the server has said that its answer is still right`()
        async throws
    {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.isStream { return connection.waitForClose() }
            if request.headers["if-none-match"] != nil { return connection.answer("304 Not Modified") }
            connection.flags(
                "1.aaaa", evaluated("a", "1"), ["ETag: \"1\""], members: Self.streams("/test/events?ticket=x"))
        }
        let options = sandbox.options(server.environment)
        try await RemoteFlags(options).fetch()
        let flags = RemoteFlags(options)
        let following = Task { await flags.follow() }
        #expect(try await server.waits { $0.contains { $0.isStream } })
        await following.cancelAndWait()
        #expect(server.requests.map(\.method) == ["POST", "POST", "GET"])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\"", nil])
    }

    @Test func `a stream of somebody else is not followed`() async throws {
        let sandbox = try Sandbox()
        let other = try AppServer { _, connection in connection.answer("404 Not Found") }
        let elsewhere = String(other.environment.dropLast(5))
        let server = try AppServer { request, connection in
            if request.isStream { return connection.waitForClose() }
            connection.flags("1.aaaa", evaluated("a", "1"), members: Self.streams("/test/events", origin: elsewhere))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        #expect(try await server.waits { $0.contains { $0.isStream && $0.path == "/test/events" } })
        await following.cancelAndWait()
        #expect(other.requests.isEmpty)
    }

    @Test func `a refused client that follows does not ask, and follows once it has another token`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.headers["authorization"] != "Bearer good" { return connection.answer("401 Unauthorized") }
            if request.isStream { return connection.waitForClose() }
            connection.flags("1.aaaa", evaluated("a", "1"))
        }
        final class Tokens: TokenProvider {
            private let token = Mutex((value: "bad", asked: 0))
            var asked: Int { token.withLock { $0.asked } }
            func signIn() { token.withLock { $0.value = "good" } }
            func accessToken(replacing refused: String?) -> String {
                token.withLock {
                    $0.asked += 1
                    return $0.value
                }
            }
        }
        var options = sandbox.options(server.environment)
        let tokens = Tokens()
        options.tokens = tokens
        let flags = RemoteFlags(options)
        let following = Task { await flags.follow() }
        let time = sandbox.clock.passTime()
        defer { time.cancel() }
        #expect(try await eventuallyAsync { tokens.asked > 20 })
        #expect(server.requests.count == 1)
        tokens.signIn()
        #expect(try await server.waits { $0.contains { $0.isStream } })
        #expect(flags.int("a", default: 0) == 1)
        await following.cancelAndWait()
    }

    @Test func `whoever follows keeps on following when somebody else is asking`() async throws {
        let sandbox = try Sandbox()
        let isChanged = Gate()
        let revision = Mutex(1)
        let server = try AppServer { request, connection in
            if request.isStream {
                connection.begin(Self.stream)
                isChanged.wait()
                revision.withLock { $0 = 2 }
                connection.send(Self.event("2.aaaa", #"{"type":"refetchEvaluation","etag":"\"2.aaaa\""}"#))
                return connection.waitForClose()
            }
            let revision = revision.withLock { $0 }
            connection.flags("\(revision).aaaa", evaluated("a", "\"\(request.targetingKey ?? "")\(revision)\""))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        #expect(try await server.waits { $0.contains { $0.isStream } })
        try await flags.setContext(FlagContext(targetingKey: "bob"))
        #expect(flags.string("a", default: "") == "bob1")
        isChanged.open()
        for await update in flags.updates where update.values.string("a", default: "") == "bob2" { break }
        await following.cancelAndWait()
        #expect(server.requests.filter(\.isStream).count == 1)
    }
}
