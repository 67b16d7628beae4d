import AlmanacFlags
import AlmanacTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileResponseTests {
    /// A response of a faulty or hostile server.
    struct Response: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (AppServer.Connection) -> Void
        let isExpected: @Sendable (FlagFailure) -> Bool

        init(
            _ name: String, _ send: @escaping @Sendable (AppServer.Connection) -> Void,
            _ isExpected: @escaping @Sendable (FlagFailure) -> Bool
        ) {
            testDescription = name
            self.send = send
            self.isExpected = isExpected
        }

        /// Creates a response with the headers of a valid response and the given body.
        init(_ name: String, body: String) {
            self.init(name, { $0.answer("200 OK", HostileResponseTests.head, body) }, isUnexpectedResponse)
        }
    }

    private static let head = ["Almanac-Cursor: 9.aaaa", "Content-Type: application/json"]

    private static func isUnexpectedResponse(_ failure: FlagFailure) -> Bool {
        if case .unexpectedResponse = failure { true } else { false }
    }

    private static func isUnreachable(_ failure: FlagFailure) -> Bool {
        if case .unreachable = failure { true } else { false }
    }

    private static func isRefused(_ status: Int) -> @Sendable (FlagFailure) -> Bool {
        { $0 == .refused(status: status, error: nil, retryAfter: nil) }
    }

    static let responses = [
        Response("no HTTP", { $0.send("\u{0}\u{1}\u{2} nonsense\r\n\r\n") }) {
            isUnreachable($0) || isUnexpectedResponse($0)
        },
        Response("nothing", { _ in }, isUnreachable),
        Response(
            "HTML", { $0.answer("200 OK", ["Content-Type: text/html"], "<html>Log in</html>") }, isUnexpectedResponse),
        Response("evaluations without a type", { $0.answer("200 OK", [], #"{"flags":[]}"#) }, isUnexpectedResponse),
        Response("HTML with the headers", body: "<html>"),
        Response("nothing with the headers", body: ""),
        Response("an array", body: "[]"),
        Response("an object of somebody else", body: #"{"a":1}"#),
        Response("flags that are an object", body: #"{"flags":{"a":true}}"#),
        Response("flags that are null", body: #"{"flags":null}"#),
        Response("a cut object", body: #"{"flags":[{"key":"a","value":2}"#),
        Response("more than one object", body: #"{"flags":[]}{"flags":[]}"#),
        Response("a word that is none", body: #"{"flags":[{"key":"a","value":tru}]}"#),
        Response("deep nesting", body: #"{"flags":[{"key":"a","value":"# + String(repeating: "[", count: 100_000)),
        Response(
            "no UTF-8",
            { connection in
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"flags\":[")
                connection.send(bytes: [0x22, 0xC3, 0x28, 0x22, 0x5D, 0x7D])
            }, isUnexpectedResponse),
        Response("304 without a reason", { $0.answer("304 Not Modified") }, isRefused(304)),
        Response("204", { $0.answer("204 No Content") }, isRefused(204)),
        Response("a redirect", { $0.answer("302 Found", ["Location: /test/elsewhere"]) }, isRefused(302)),
        Response("500 with HTML", { $0.answer("500 Internal Server Error", [], "<html>") }, isRefused(500)),
        Response(
            "400 in OFREP's words",
            { $0.answer("400 Bad Request", [], #"{"errorCode":"INVALID_CONTEXT","errorDetails":"too deep"}"#) }
        ) {
            $0 == .refused(status: 400, error: FlagError(code: .invalidContext, details: "too deep"), retryAfter: nil)
        },
        Response(
            "another major than the pinned",
            {
                $0.answer("200 OK", head + ["Almanac-Major: 3"], #"{"flags":[]}"#)
            }, isUnexpectedResponse),
        Response(
            "an endless body",
            { connection in
                connection.begin(head)
                while connection.send(String(repeating: " ", count: 65536)) {}
            }
        ) { $0 == .tooLarge(limit: 1 << 20) },
        Response(
            "a body that never ends",
            { connection in
                connection.begin(head)
                connection.send("{")
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response("no answer", { $0.waitForClose() }) { $0 == .timedOut },
        Response(
            "a head that stops",
            { connection in
                connection.send("HTTP/1.1 200 OK\r\nAlmanac-Cur")
                connection.waitForClose()
            }
        ) { $0 == .timedOut },
        Response(
            "a cut body",
            {
                $0.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{\"flags\":[]}")
            },
            isUnreachable),
    ]

    @Test(arguments: responses)
    func `a hostile response is refused and changes nothing`(response: Response) async throws {
        let sandbox = try Sandbox()
        let isHostile = Mutex(false)
        let server = try AppServer { _, connection in
            if isHostile.withLock({ $0 }) { return response.send(connection) }
            connection.flags("5.aaaa", evaluated("a", "1"), ["Almanac-Major: 2"])
        }
        var options = sandbox.options(server.environment)
        options.maxResponseBytes = 1 << 20
        options.version = "2"
        try await RemoteFlags(options).fetch()
        let file = sandbox.cache.appending(path: try #require(sandbox.files.first))
        let data = try Data(contentsOf: file)
        isHostile.withLock { $0 = true }
        // The transport uses the real clock.
        options.timeout = response.isExpected(.timedOut) ? .milliseconds(300) : .seconds(120)
        let flags = RemoteFlags(options)
        let failure = await failure { () throws(FlagFailure) in try await flags.fetch() }
        #expect(failure.map(response.isExpected) == true, "\(String(describing: failure))")
        #expect(flags.status.lastFailure == failure)
        #expect(flags.int("a", default: 0) == 1)
        #expect(try Data(contentsOf: file) == data)
    }

    /// A broken flag must not affect other flags.
    @Test(arguments: [
        #"{"key":"b"}"#, #"{"key":"b","value":1e999,"variant":7,"reason":[]}"#, #"{"key":"b","errorCode":null}"#,
        #"{"key":"b","errorCode":"NEWS"}"#, #"{"key":"b","value":"\ud800"}"#, #"{"key":"\ud800","value":1}"#,
        #"{"key":"b","metadata":7}"#, #"{"key":"b","metadata":{"x":"\ud800","y":[{}]},"value":{}}"#,
        #"{"key":"","value":1}"#, #"{"key":"b","key":"b","value":1,"value":2}"#, "[]", #""b""#,
    ])
    func `a broken flag gives its default, and the others their values`(flag: String) async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { _, connection in
            connection.flags("1.aaaa", [flag, evaluated("a", "1"), flag].joined(separator: ","))
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        try await flags.fetch()
        #expect(flags.int("a", default: 0) == 1)
        #expect(flags.string("b", default: "default") == "default")
        #expect(RemoteFlags(sandbox.options(server.environment)).int("a", default: 0) == 1)
    }

    @Test(arguments: [
        "7", "null", "[]", "[7]", #"[{"type":"sse"}]"#, #"[{"type":"sse","endpoint":{"requestUri":7}}]"#,
        #"[{"type":"sse","endpoint":{"requestUri":"::::"}}]"#, #"[{"type":"sse","endpoint":{"requestUri":""}}]"#,
        #"[{"type":"sse","endpoint":{"origin":"ht tp:","requestUri":"/x"}}]"#,
    ])
    func `streams that are none leave the evaluations as they are`(streams: String) async throws {
        let sandbox = try Sandbox()
        let server = try AppServer { request, connection in
            if request.isStream { return connection.answer("404 Not Found") }
            connection.flags("1.aaaa", evaluated("a", "1"), members: ",\"eventStreams\":\(streams)")
        }
        let flags = RemoteFlags(sandbox.options(server.environment))
        let following = Task { await flags.follow() }
        #expect(try await server.waits { $0.contains { $0.isStream } })
        #expect(flags.int("a", default: 0) == 1)
        await following.cancelAndWait()
    }
}
