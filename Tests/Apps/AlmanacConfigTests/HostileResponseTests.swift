import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct HostileResponseTests {
    /// A response of a faulty or hostile server.
    struct Response: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (AppServer.Connection) -> Void
        let isExpected: @Sendable (ConfigFailure) -> Bool

        init(
            _ name: String, _ send: @escaping @Sendable (AppServer.Connection) -> Void,
            _ isExpected: @escaping @Sendable (ConfigFailure) -> Bool
        ) {
            testDescription = name
            self.send = send
            self.isExpected = isExpected
        }
    }

    private static func isUnexpectedResponse(_ failure: ConfigFailure) -> Bool {
        if case .unexpectedResponse = failure { true } else { false }
    }

    private static func isUnreachable(_ failure: ConfigFailure) -> Bool {
        if case .unreachable = failure { true } else { false }
    }

    static let responses = [
        Response("no HTTP", { $0.send("\u{0}\u{1}\u{2} nonsense\r\n\r\n") }) {
            isUnreachable($0) || isUnexpectedResponse($0)
        },
        Response("nothing", { _ in }, isUnreachable),
        Response(
            "HTML", { $0.answer("200 OK", ["Content-Type: text/html"], "<html>Log in</html>") }, isUnexpectedResponse),
        Response("an empty array of somebody else", { $0.answer("200 OK", [], "[]") }, isUnexpectedResponse),
        Response("HTML with the headers", { $0.config("9.aaaa", "<html>") }, isUnexpectedResponse),
        Response("an object", { $0.config("9.aaaa", #"{"a":1}"#) }, isUnexpectedResponse),
        Response("a cut array", { $0.config("9.aaaa", #"[{"key":"a","value":2}"#) }, isUnexpectedResponse),
        Response("an entry without a value", { $0.config("9.aaaa", #"[{"key":"a"}]"#) }, isUnexpectedResponse),
        Response("a key that is no text", { $0.config("9.aaaa", #"[{"key":7,"value":2}]"#) }, isUnexpectedResponse),
        Response(
            "deep nesting",
            { $0.config("9.aaaa", #"[{"key":"a","value":"# + String(repeating: "[", count: 100_000) + "]") },
            isUnexpectedResponse),
        Response("a bad cursor", { $0.config("9", "[]") }, isUnexpectedResponse),
        Response("another bad cursor", { $0.config("-1.aaaa", "[]") }, isUnexpectedResponse),
        Response("304 without a reason", { $0.answer("304 Not Modified") }) {
            $0 == .refused(status: 304, problem: nil, retryAfter: nil)
        },
        Response(
            "500 with a problem",
            {
                $0.answer(
                    "500 Internal Server Error", ["Content-Type: application/problem+json"],
                    #"{"type":"urn:almanac:problem:internal"}"#)
            }, { $0 == .refused(status: 500, problem: "internal", retryAfter: nil) }),
        Response("204", { $0.answer("204 No Content") }) { $0 == .refused(status: 204, problem: nil, retryAfter: nil) },
        Response("an older revision", { $0.config("4.aaaa", #"[{"key":"a","value":2}]"#, ["Almanac-Full: true"]) }) {
            $0 == .olderRevision(seen: 5, received: 4)
        },
        Response(
            "an endless body",
            { connection in
                connection.begin(["Almanac-Cursor: 9.aaaa", "Almanac-Version: 1.0.0"])
                while connection.send(String(repeating: " ", count: 65536)) {}
            }
        ) { $0 == .tooLarge(limit: 1 << 20) },
        Response(
            "a body that never ends",
            { connection in
                connection.begin(["Almanac-Cursor: 9.aaaa", "Almanac-Version: 1.0.0"])
                connection.send("[")
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response("no answer", { $0.waitForClose() }) { $0 == .timedOut },
        Response(
            "a head that stops",
            { connection in
                connection.send("HTTP/1.1 200 OK\r\nAlmanac-Cursor: 9.aaaa\r\nAlmanac-Ver")
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response(
            "a body that stops within an entry",
            { connection in
                connection.begin(["Content-Length: 1000", "Almanac-Cursor: 9.aaaa", "Almanac-Version: 1.0.0"])
                connection.send(#"[{"key":"a","value":2},{"key":"#)
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response(
            "a refusal that stops",
            { connection in
                connection.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100\r\n\r\n{\"type\":")
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response("a redirect loop", { $0.answer("302 Found", ["Location: /test/config"]) }) {
            $0 == .redirectedTooOften
        },
        Response(
            "a cut body",
            { connection in
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nAlmanac-Cursor: 9.aaaa\r\n"
                        + "Almanac-Version: 1.0.0\r\n\r\n[]")
            }, isUnreachable),
    ]

    @Test(arguments: responses)
    func `a hostile response is refused and changes nothing`(response: Response) async throws {
        let sandbox = try Sandbox()
        let isHostile = Mutex(false)
        let server = try AppServer { request, connection in
            if isHostile.withLock({ $0 }) { return response.send(connection) }
            connection.config("5.aaaa", #"[{"key":"a","value":1}]"#)
        }
        var options = sandbox.options(server.environment)
        options.maxResponseBytes = 1 << 20
        try await ConfigClient(options).fetchAndActivate()
        let file = try Data(contentsOf: sandbox.cacheFile)
        isHostile.withLock { $0 = true }
        options.timeout = response.isExpected(.timedOut) ? .milliseconds(300) : .seconds(120)
        let client = ConfigClient(options)
        let failure = await failure { () throws(ConfigFailure) in try await client.fetchAndActivate() }
        #expect(failure.map(response.isExpected) == true, "\(String(describing: failure))")
        #expect(client.status.lastFailure == failure)
        #expect(client.int("a", default: 0) == 1)
        #expect(try Data(contentsOf: sandbox.cacheFile) == file)
    }

    @Test func `a delta of another history is not mixed in: the whole config is fetched`() async throws {
        let sandbox = try Sandbox()
        let step = Mutex(0)
        let server = try AppServer { request, connection in
            switch step.next() {
            case 1: connection.config("5.aaaa", #"[{"key":"a","value":1},{"key":"old","value":1}]"#)
            case 2: connection.config("6.bbbb", #"[{"key":"b","value":2}]"#)
            default: connection.config("6.bbbb", #"[{"key":"a","value":3},{"key":"b","value":2}]"#)
            }
        }
        let client = ConfigClient(sandbox.options(server.environment))
        try await client.fetchAndActivate()
        #expect(try await client.fetchAndActivate() == .changed(["a", "b", "old"]))
        #expect(server.requests.map(\.path) == ["/test/config", "/test/config?since=5.aaaa", "/test/config"])
        #expect(client.values.keys == ["a", "b"])
    }

    @Test func `a full answer of a restored server replaces everything, though its revision is lower`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.path.contains("since") {
                connection.config("2.bbbb", #"[{"key":"b","value":2}]"#, ["Almanac-Full: true"])
            } else {
                connection.config("5.aaaa", #"[{"key":"a","value":1}]"#)
            }
        }
        let client = ConfigClient(sandbox.options(server.environment))
        try await client.fetchAndActivate()
        #expect(try await client.fetchAndActivate() == .changed(["a", "b"]))
        #expect(client.values.keys == ["b"])
        #expect(client.values.revision == 2)
    }

    @Test func `a pinned app takes no answer for another major`() async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in connection.config("5.aaaa", "[]", ["Almanac-Major: 3"]) }
        let client = ConfigClient(sandbox.options(server.environment, version: "2"))
        let failure = await failure { () throws(ConfigFailure) in try await client.fetch() }
        #expect(failure.map(Self.isUnexpectedResponse) == true)
    }

    @Test func `a token is not carried to another origin`() async throws {
        let sandbox = try Sandbox()
        let other = try AppServer { _, connection in connection.config("1.aaaa", "[]") }
        let target = other.environment
        let server = try AppServer { _, connection in
            connection.answer("307 Temporary Redirect", ["Location: \(target)/config"])
        }
        var options = sandbox.options(server.environment)
        options.tokens = FixedToken("secret")
        try await ConfigClient(options).fetch()
        #expect(server.requests.first?.headers["authorization"] == "Bearer secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["authorization"] == nil)
    }
}
