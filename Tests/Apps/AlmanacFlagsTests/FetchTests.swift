import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct FetchTests {
    @Test func `the request is OFREP's, and its validator is sent back`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.headers["if-none-match"] == "\"1\"" {
                return connection.answer("304 Not Modified", ["ETag: \"1\"", "Almanac-Cursor: 1.aaaa"])
            }
            connection.flags("1.aaaa", evaluated("a", "true"), ["ETag: \"1\"", "Almanac-Major: 2"])
        }
        var options = sandbox.options(
            server.environment,
            FlagContext(targetingKey: "ada", ["plan": "pro", "at": .date(Date(timeIntervalSince1970: 1))]))
        options.version = "2.3"
        options.tokens = FixedToken("secret")
        let flags = RemoteFlags(options)
        #expect(try await flags.fetch() == .changed(["a"]))
        sandbox.clock.advance(by: .seconds(60))
        #expect(try await flags.fetch() == .unchanged)
        #expect(flags.status.lastFetched == sandbox.clock.date)
        #expect(flags.values.revision == 1 && flags.values.version == "1.0.0")
        let first = try #require(server.requests.first)
        #expect(first.method == "POST" && first.path == "/test/ofrep/v1/evaluate/flags")
        #expect(first.body == #"{"context":{"at":"1970-01-01T00:00:01.000Z","plan":"pro","targetingKey":"ada"}}"#)
        #expect(first.headers["content-type"] == "application/json; charset=utf-8")
        #expect(first.headers["authorization"] == "Bearer secret")
        #expect(first.headers["almanac-major"] == "2")
        #expect(first.headers["if-none-match"] == nil)
        // The next run sends the validator from the cache file.
        #expect(try await RemoteFlags(options).fetch() == .unchanged)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\"", "\"1\""])
    }

    @Test func `a young answer is enough, also one of an earlier run, unless the clock was moved`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.flags("1.aaaa", evaluated("a", "true")) }
        var options = sandbox.options(server.environment)
        options.minimumInterval = .seconds(300)
        let flags = RemoteFlags(options)
        #expect(try await flags.fetch() == .changed(["a"]))
        #expect(try await flags.fetch() == .recent)
        #expect(try await flags.fetch(force: true) == .unchanged)
        #expect(try await RemoteFlags(options).fetch() == .recent)
        sandbox.clock.moveDate(by: .seconds(-3600))
        #expect(flags.status.isStale)
        #expect(flags.bool("a", default: false))
        #expect(try await flags.fetch() == .recent)
        #expect(try await RemoteFlags(options).fetch() == .unchanged)
        sandbox.clock.moveDate(by: .seconds(1e9))
        #expect(flags.status.isStale)
        sandbox.clock.advance(by: .seconds(301))
        #expect(try await flags.fetch() == .unchanged)
        #expect(!flags.status.isStale)
    }

    @Test func `a server that asks to wait is left alone, whoever is asking`() async throws {
        let sandbox = try Sandbox()
        let isBusy = Mutex(true)
        let server = try AppServer { _, connection in
            if isBusy.withLock({ $0 }) {
                return connection.answer("429 Too Many Requests", ["Retry-After: 100"], #"{"errorDetails":"slowly"}"#)
            }
            connection.flags("1.aaaa", evaluated("a", "true"))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let refusal = FlagFailure.refused(
            status: 429, error: FlagError(code: .general, details: "slowly"), retryAfter: .seconds(100))
        #expect(await failure { () throws(FlagFailure) in try await flags.fetch() } == refusal)
        isBusy.withLock { $0 = false }
        let waiting = FlagFailure.retryTooEarly(.seconds(100))
        #expect(await failure { () throws(FlagFailure) in try await flags.fetch(force: true) } == waiting)
        let other = FlagContext(targetingKey: "bob")
        #expect(await failure { () throws(FlagFailure) in try await flags.setContext(other) } == waiting)
        #expect(server.requests.count == 1)
        sandbox.clock.advance(by: .seconds(101))
        #expect(try await flags.fetch() == .changed(["a"]))
        #expect(server.requests.last?.targetingKey == "bob")
    }

    @Test func `a server that fails leaves what is here, in memory and on the device`() async throws {
        let sandbox = try Sandbox()
        let isBroken = Mutex(false)
        let server = try AppServer { _, connection in
            if isBroken.withLock({ $0 }) { return connection.answer("500 Internal Server Error", [], "{}") }
            connection.flags("1.aaaa", evaluated("a", "true"))
        }
        let options = sandbox.options(server.environment)
        let flags = RemoteFlags(options)
        try await flags.fetch()
        isBroken.withLock { $0 = true }
        let broken = FlagFailure.refused(status: 500, error: nil, retryAfter: nil)
        #expect(await failure { () throws(FlagFailure) in try await flags.fetch() } == broken)
        #expect(flags.status.lastFailure == broken)
        #expect(flags.bool("a", default: false) && RemoteFlags(options).bool("a", default: false))
        #expect(RemoteFlags(options).details("a", default: false).origin == .cached)
    }

    /// A token provider that a test controls, with a list of refused tokens.
    private final class Tokens: TokenProvider {
        private let state: Mutex<(current: String, refused: [String])>

        init(_ token: String) { state = Mutex((token, [])) }

        var refused: [String] { state.withLock { $0.refused } }

        func change(to token: String) { state.withLock { $0.current = token } }

        func accessToken(replacing refused: String?) -> String {
            state.withLock {
                if let refused { $0.refused.append(refused) }
                return $0.current
            }
        }
    }

    @Test(arguments: ["401 Unauthorized", "403 Forbidden"])
    func `a refused client asks again only with another token or for somebody else`(status: String) async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.headers["authorization"] == "Bearer good", request.targetingKey != "eve" {
                return connection.flags("1.aaaa", evaluated("a", "true"))
            }
            connection.answer(status, [], #"{"errorDetails":"no"}"#)
        }
        var options = sandbox.options(server.environment)
        let tokens = Tokens("bad")
        options.tokens = tokens
        let flags = RemoteFlags(options)
        let code = try #require(Int(status.prefix(3)))
        let refused = FlagFailure.refused(
            status: code, error: FlagError(code: .general, details: "no"), retryAfter: nil)
        for _ in 0..<3 {
            #expect(await failure { () throws(FlagFailure) in try await flags.fetch(force: true) } == refused)
        }
        #expect(server.requests.count == 1)
        #expect(tokens.refused == (code == 401 ? ["bad"] : []))
        // Another context makes another request.
        let bob = FlagContext(targetingKey: "bob")
        #expect(await failure { () throws(FlagFailure) in try await flags.setContext(bob) } == refused)
        #expect(server.requests.count == 2)
        tokens.change(to: "good")
        #expect(try await flags.fetch(force: true) == .changed(["a"]))
        #expect(server.requests.count == 3)
        let eve = FlagContext(targetingKey: "eve")
        for _ in 0..<3 {
            #expect(await failure { () throws(FlagFailure) in try await flags.setContext(eve) } == refused)
        }
        #expect(server.requests.count == 4)
    }

    @Test func `a token that has ended is replaced within the call`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.headers["authorization"] != "Bearer 2" { return connection.answer("401 Unauthorized") }
            connection.flags("1.aaaa", evaluated("a", "true"))
        }
        struct Renewing: TokenProvider {
            func accessToken(replacing refused: String?) -> String { refused == nil ? "1" : "2" }
        }
        var options = sandbox.options(server.environment)
        options.tokens = Renewing()
        #expect(try await RemoteFlags(options).fetch() == .changed(["a"]))
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer 1", "Bearer 2"])
    }

    @Test func `an older answer of the same history is not taken`() async throws {
        let sandbox = try Sandbox()
        let cursors = Mutex(["5.aaaa", "4.aaaa", "2.bbbb"])
        let server = try AppServer { _, connection in
            let cursor = cursors.withLock { $0.removeFirst() }
            connection.flags(cursor, evaluated("a", "\"\(cursor)\""))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        try await flags.fetch()
        let older = FlagFailure.olderRevision(seen: 5, received: 4)
        #expect(await failure { () throws(FlagFailure) in try await flags.fetch() } == older)
        #expect(flags.string("a", default: "") == "5.aaaa")
        sandbox.clock.advance(by: .seconds(60))
        try await flags.fetch()
        #expect(flags.string("a", default: "") == "2.bbbb")
    }

    @Test func `updates name the flags that are evaluated to something else`() async throws {
        let sandbox = try Sandbox()
        let count = Mutex(0)
        let server = try AppServer { _, connection in
            let count = count.next()
            let flags = [evaluated("a", "\(count)"), evaluated("b", "1")] + (count == 1 ? [evaluated("c", "1")] : [])
            connection.flags("\(count).aaaa", flags.joined(separator: ","))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        var updates = flags.updates.makeAsyncIterator()
        #expect(await updates.next()?.keys == [])
        #expect(try await flags.fetch() == .changed(["a", "b", "c"]))
        #expect(await updates.next()?.keys == ["a", "b", "c"])
        #expect(try await flags.fetch() == .changed(["a", "c"]))
        let update = await updates.next()
        #expect(update?.keys == ["a", "c"])
        #expect(update?.values.int("a", default: 0) == 2)
    }
}
