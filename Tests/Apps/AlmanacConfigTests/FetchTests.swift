import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct FetchTests {
    @Test func `fetched values wait for their activation, and then all of them show at once`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in
            connection.config("1.aaaa", #"[{"key":"a","value":1,"updated_at":"x"},{"key":"b","value":"two"}]"#)
        }
        let client = ConfigClient(sandbox.options(server.environment, defaults: ["a": 0, "c": true]))
        #expect(client.status.origin == .bundled)
        #expect(client.status.isStale)
        #expect(try await client.fetch() == .changed(["a", "b"]))
        #expect(client.int("a", default: -1) == 0)
        #expect(client.status.hasPendingValues)
        #expect(await client.activate())
        #expect(client.int("a", default: -1) == 1)
        #expect(client.string("b", default: "") == "two")
        #expect(client.bool("c", default: false))
        #expect(client.status.origin == .fetched)
        #expect(!client.status.isStale)
        #expect(client.values.revision == 1)
        #expect(await !client.activate())
    }

    @Test func `the second fetch asks since the cursor for the pinned version, and takes in changes`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.path.contains("since") {
                connection.config(
                    "3.aaaa", #"[{"key":"a","deleted":true,"updated_at":"x"},{"key":"b","value":2}]"#,
                    ["Almanac-Major: 2"])
            } else {
                connection.config(
                    "2.aaaa", #"[{"key":"a","value":1},{"key":"b","value":1},{"key":"c","value":1}]"#,
                    ["Almanac-Major: 2"])
            }
        }
        var options = sandbox.options(server.environment, version: "2.1", defaults: ["a": "bundled"])
        options.tokens = FixedToken("secret")
        let client = ConfigClient(options)
        try await client.fetchAndActivate()
        #expect(try await client.fetchAndActivate() == .changed(["a", "b"]))
        #expect(server.requests.map(\.path) == ["/test/config?version=2.1", "/test/config?since=2.aaaa&version=2.1"])
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
        #expect(client.string("a", default: "") == "bundled")
        #expect(client.int("b", default: 0) == 2)
        #expect(client.int("c", default: 0) == 1)
    }

    @Test func `a flag is no value, and a value that becomes one is gone`() async throws {
        let sandbox = try Sandbox()
        let flag = #""kind":"flag","value":{"state":"ENABLED","variants":{"on":true}},"updated_at":"x"}"#
        let server = try AppServer { request, connection in
            request.path.contains("since")
                ? connection.config("2.aaaa", #"[{"key":"a",\#(flag),{"key":"g","kind":"flag","deleted":true}]"#)
                : connection.config("1.aaaa", #"[{"key":"a","value":1,"updated_at":"x"},{"key":"f",\#(flag)]"#)
        }
        let client = ConfigClient(sandbox.options(server.environment, defaults: ["a": 7]))
        #expect(try await client.fetchAndActivate() == .changed(["a"]))
        #expect(client.int("a", default: 0) == 1 && client.values["f"] == nil)
        #expect(try await client.fetchAndActivate() == .changed(["a"]))
        #expect(client.int("a", default: 0) == 7)
    }

    @Test func `after a restart without a network the fetched values are there`() async throws {
        let sandbox = try Sandbox()
        var server: AppServer? = try AppServer { _, connection in
            connection.config("7.aaaa", #"[{"key":"n","value":9007199254740993.10}]"#, version: "3.2.1")
        }
        let options = sandbox.options(server!.environment, defaults: ["n": 0])
        try await ConfigClient(options).fetchAndActivate()
        server = nil
        let client = ConfigClient(options)
        #expect(client.values["n"]?.json == "9007199254740993.10")
        #expect(client.values.version == "3.2.1")
        #expect(client.status.origin == .cached)
        #expect(client.status.lastFetched == sandbox.clock.date)
        #expect(client.status.isStale == false)
    }

    @Test func `a fetch that finds nothing new leaves no values waiting, and says that they are the server's`()
        async throws
    {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            let isSecond = request.path.contains("since")
            connection.config(isSecond ? "2.aaaa" : "1.aaaa", isSecond ? "[]" : #"[{"key":"a","value":1}]"#)
        }
        let options = sandbox.options(server.environment)
        try await ConfigClient(options).fetchAndActivate()
        let client = ConfigClient(options)
        #expect(client.status.origin == .cached)
        #expect(try await client.fetch() == .unchanged)
        #expect(!client.status.hasPendingValues)
        #expect(await !client.activate())
        #expect(client.status.origin == .fetched)
        #expect(client.values.revision == 2)
    }

    @Test func `values that wait go on waiting while nothing newer is there`() async throws {
        let server = try AppServer { request, connection in
            connection.config("1.aaaa", request.path.contains("since") ? "[]" : #"[{"key":"a","value":1}]"#)
        }
        let client = ConfigClient(try Sandbox().options(server.environment))
        #expect(try await client.fetch() == .changed(["a"]))
        #expect(try await client.fetch() == .unchanged)
        #expect(client.status.hasPendingValues)
        #expect(client.int("a", default: 0) == 0)
        #expect(await client.activate())
    }

    @Test func `what a value is instead is said so that it differs from what was expected`() async throws {
        let sandbox = try Sandbox()
        let values = ["s": #""\ud800""#, "d": "1e999", "i": "1.5", "j": "1e30"]
        let entries = values.map { #"{"key":"\#($0)","value":\#($1)}"# }.joined(separator: ",")
        let server = try AppServer { _, connection in connection.config("1.aaaa", "[\(entries)]") }
        let client = ConfigClient(sandbox.options(server.environment))
        try await client.fetchAndActivate()
        #expect(client.string("s", default: "x") == "x")
        #expect(client.double("d", default: 1) == 1)
        #expect(client.int("i", default: 1) == 1)
        #expect(client.int("j", default: 1) == 1)
        #expect(
            sandbox.reports == [
                .wrongType(key: "s", expected: "a string", found: "a string with half of a surrogate pair"),
                .wrongType(key: "d", expected: "a number", found: "a number too large to hold"),
                .wrongType(key: "i", expected: "a whole number", found: "a fraction"),
                .wrongType(key: "j", expected: "a whole number", found: "a number too large to hold"),
            ])
    }

    @Test func `a thousand fetches at the same time make one request`() async throws {
        let sandbox = try Sandbox()
        let started = AsyncStream<Void>.makeStream()
        let release = Gate()
        let server = try AppServer { _, connection in
            started.continuation.yield()
            release.wait()
            connection.config("1.aaaa", "[]")
        }
        let client = ConfigClient(sandbox.options(server.environment))
        let fetches = await Self.thousandFetches(client)
        for await _ in started.stream { break }
        // The actor runs calls in order, so this call returns after all fetches have begun.
        await client.activate()
        release.open()
        for fetch in fetches { #expect(try await fetch.value == .unchanged) }
        #expect(server.requests.count == 1)
    }

    private static func thousandFetches(_ client: isolated ConfigClient) -> [Task<ConfigFetch, any Error>] {
        (0..<1000).map { _ in Task { try await client.fetch() } }
    }

    @Test func `the minimum interval spares the server, in the next run too, and force ignores it`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.config("1.aaaa", "[]") }
        var options = sandbox.options(server.environment)
        options.minimumInterval = .seconds(3600)
        let client = ConfigClient(options)
        try await client.fetch()
        sandbox.clock.advance(by: .seconds(3599))
        #expect(try await client.fetch() == .recent)
        #expect(try await ConfigClient(options).fetch() == .recent)
        #expect(try await client.fetch(force: true) == .unchanged)
        sandbox.clock.advance(by: .seconds(3600))
        #expect(try await client.fetch() == .unchanged)
        #expect(server.requests.count == 3)
    }

    @Test func `a clock that jumps neither stops the fetches nor starts them early`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.config("1.aaaa", "[]") }
        var options = sandbox.options(server.environment)
        options.minimumInterval = .seconds(3600)
        let client = ConfigClient(options)
        try await client.fetch()
        sandbox.clock.moveDate(by: .seconds(1_000_000_000))
        #expect(try await client.fetch() == .recent)
        sandbox.clock.moveDate(by: .seconds(-2_000_000_000))
        #expect(try await client.fetch() == .recent)
        #expect(client.status.isStale)
        // The next run knows only the wall clock, so it ignores a cached response from the future.
        #expect(try await ConfigClient(options).fetch() == .unchanged)
    }

    @Test func `Retry-After is waited for, also by force`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.answer("429 Too Many Requests", ["Retry-After: 100"]) }
        let client = ConfigClient(sandbox.options(server.environment))
        #expect(
            await failure { () throws(ConfigFailure) in try await client.fetch() }
                == .refused(status: 429, problem: nil, retryAfter: .seconds(100)))
        sandbox.clock.advance(by: .seconds(99))
        let early = await failure { () throws(ConfigFailure) in try await client.fetch(force: true) }
        #expect(early == .retryTooEarly(.seconds(1)))
        sandbox.clock.advance(by: .seconds(1))
        _ = await failure { () throws(ConfigFailure) in try await client.fetch() }
        #expect(server.requests.count == 2)
    }

    @Test func `a wrong type gives the app's default, then the caller's, and is reported once`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in
            connection.config("1.aaaa", #"[{"key":"size","value":"large"},{"key":"title","value":4}]"#)
        }
        let client = ConfigClient(sandbox.options(server.environment, defaults: ["size": 12]))
        try await client.fetchAndActivate()
        for _ in 0..<3 {
            #expect(client.int("size", default: 1) == 12)
            #expect(client.string("title", default: "none") == "none")
        }
        #expect(
            sandbox.reports == [
                .wrongType(key: "size", expected: "a whole number", found: "string"),
                .wrongType(key: "title", expected: "a string", found: "number"),
            ])
    }

    /// Returns a server that accepts only the token `new`.
    private static func serverOfNewToken() -> ScriptedTransport {
        ScriptedTransport { request, _ in
            if request.header("Authorization") != "Bearer new" { return .text("", status: 401) }
            return .text(
                "[]", headers: [(name: "Almanac-Cursor", value: "1.aaaa"), (name: "Almanac-Version", value: "1.0.0")])
        }
    }

    private struct Tokens: TokenProvider {
        let next: @Sendable (_ refused: String?) throws -> String

        func accessToken(replacing refused: String?) throws -> String { try next(refused) }
    }

    @Test func `a token that the server refuses is replaced once`() async throws {
        let transport = Self.serverOfNewToken()
        var options = try Sandbox().options("https://config.example.com/test")
        options.transport = transport
        options.tokens = Tokens { $0 == "old" ? "new" : "old" }
        #expect(try await ConfigClient(options).fetch() == .unchanged)
        options.cache = nil
        options.tokens = FixedToken("old")
        let client = ConfigClient(options)
        await #expect(throws: ConfigFailure.refused(status: 401, problem: nil, retryAfter: nil)) {
            try await client.fetch()
        }
        #expect(transport.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new", "Bearer old"])
    }

    @Test func `without a token the server is not asked`() async throws {
        let transport = Self.serverOfNewToken()
        var options = try Sandbox().options("https://config.example.com/test")
        options.transport = transport
        options.tokens = Tokens { _ in throw SignInRequired() }
        let client = ConfigClient(options)
        await #expect(throws: ConfigFailure.signInRequired) { try await client.fetch() }
        #expect(transport.requests.isEmpty)
    }

    private struct NoTokens: TokenProvider {
        func accessToken(replacing refused: String?) async throws -> String {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            for await _ in stream {}
            continuation.finish()
            throw CancellationError()
        }
    }

    @Test func `a token that does not come in time is not waited for`() async throws {
        let sandbox = try Sandbox()
        var options = sandbox.options("https://config.example.com/test")
        options.transport = Self.serverOfNewToken()
        options.tokens = NoTokens()
        let client = ConfigClient(options)
        let fetch = Task { try await client.fetch() }
        #expect(try await eventuallyAsync { !sandbox.clock.sleepers.isEmpty })
        sandbox.clock.advance(by: options.timeout)
        await #expect(throws: ConfigFailure.timedOut) { try await fetch.value }
    }
}
