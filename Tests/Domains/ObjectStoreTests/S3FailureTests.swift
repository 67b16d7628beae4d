import AlmanacTestSupport
import Testing

@testable import AlmanacObjectStore

/// Tests of servers that are away, slow or answer wrongly.
@Suite(.blocking) struct S3FailureTests {
    private func client(_ server: ScriptedServer) throws -> S3Client { try S3Client(testing: server.base) }

    private func failure(_ body: () throws -> Void) -> S3Failure? {
        do { try body() } catch { return error as? S3Failure }
        return nil
    }

    private func get(_ client: S3Client, _ range: Range<Int>? = nil) -> S3Failure? {
        failure { try client.get("key", range: range, bytes: 10) { _ in } }
    }

    private func put(_ client: S3Client) -> S3Failure? {
        failure { try client.put("key", bytes: 3, sha256: [0]) { try $0([1, 2, 3]) } }
    }

    @Test func `a server that cannot be reached is away`() throws {
        let port = try SilentPort()
        let client = try S3Client(testing: "http://127.0.0.1:\(port.port)")
        guard case .away = get(client), case .away = put(client) else {
            Issue.record("\(String(describing: get(client)))")
            return
        }
    }

    @Test(arguments: [StallingServer.Point.handshake, .beforeHead, .inHead, .inBody])
    func `a server that stalls is away after the deadline`(point: StallingServer.Point) throws {
        let server = try StallingServer(point)
        let client = try S3Client(testing: server.base, deadline: .milliseconds(100))
        let started = ContinuousClock.now
        #expect(failure { try client.get("key", bytes: 5000) { _ in } } == .away("no response before the timeout"))
        #expect(put(client) == .away("no response before the timeout"))
        #expect(ContinuousClock.now - started < .seconds(5))
    }

    @Test(arguments: [
        ("500 Oops", "", S3Failure.away("500")), ("503 Slow Down", "SlowDown", .away("503 SlowDown")),
        ("429 Too Many Requests", "", .away("429")), ("507 Insufficient Storage", "", .full("507")),
        ("403 Forbidden", "QuotaExceeded", .full("403 QuotaExceeded")),
        ("403 Forbidden", "AccessDenied", .refused("403 AccessDenied")),
        ("416 Range Not Satisfiable", "InvalidRange", .refused("416 InvalidRange")),
        ("404 Not Found", "NoSuchKey", .missing),
        ("404 Not Found", "", .refused("404")), ("301 Moved", "PermanentRedirect", .refused("301 PermanentRedirect")),
        ("403 Forbidden", "Access\nDenied", .refused("403")),
    ])
    func `an error of the server is translated`(status: String, code: String, expected: S3Failure) throws {
        let body = code.isEmpty ? "" : "<Error><Code>\(code)</Code></Error>"
        let server = try ScriptedServer { _ in .response(status, headers: ["Location: /elsewhere"], body: body.utf8) }
        #expect(try get(client(server)) == expected)
        #expect(try get(client(server), 2..<6) == expected)
        #expect(try put(client(server)) == expected)
        #expect(server.requests == Array(repeating: "/almanac-test/key", count: 3))
    }

    @Test(arguments: [
        ("200 OK", [], 9), ("200 OK", [], 11), ("206 Partial Content", ["Content-Range: bytes 0-8/10"], 9),
        ("200 OK", ["Content-Range: bytes 0-9/11"], 10), ("200 OK", ["Content-Range: bytes 1-10/11"], 10),
    ])
    func `a response of another length is wrong`(status: String, headers: [String], count: Int) throws {
        let body = [UInt8](repeating: 65, count: count)
        let server = try ScriptedServer { _ in .response(status, headers: headers, body: body) }
        guard case .invalid = try get(client(server)) else {
            Issue.record("accepted")
            return
        }
    }

    @Test(arguments: [
        [], ["Content-Range: bytes 3-6/10"], ["Content-Range: bytes 2-5/11"], ["Content-Range: bytes 2-6/10"],
        ["Content-Range: nonsense"],
    ])
    func `another range is wrong`(headers: [String]) throws {
        let server = try ScriptedServer { _ in
            .response("206 Partial Content", headers: headers, body: [UInt8](repeating: 65, count: 4))
        }
        guard case .invalid = try get(client(server), 2..<6) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `the right range is accepted with the status 200 too`() throws {
        let server = try ScriptedServer { _ in
            .response("200 OK", headers: ["Content-Range: bytes 2-5/10"], body: [UInt8](repeating: 65, count: 4))
        }
        #expect(try get(client(server), 2..<6) == nil)
    }

    @Test func `a body that is cut short is away`() throws {
        let server = try ScriptedServer { _ in .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort".utf8))
        }
        guard case .away = try get(client(server)) else {
            Issue.record("accepted")
            return
        }
        let unmeasured = try ScriptedServer { _ in .bytes(Array("HTTP/1.1 200 OK\r\n\r\nshort".utf8)) }
        #expect(try get(client(unmeasured)) == .invalid("5 bytes too few"))
    }

    @Test(arguments: [
        "", "<html>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents>",
    ])
    func `a listing that is none is wrong`(body: String) throws {
        let server = try ScriptedServer { _ in .response(body: body.utf8) }
        guard case .invalid = failure({ try client(server).each(prefix: "a") { _ in } }) else {
            Issue.record("accepted")
            return
        }
    }
}
