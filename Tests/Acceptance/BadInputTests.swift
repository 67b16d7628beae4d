import AlmanacJSON
import AlmanacTestSupport
import Testing

/// A request that must be refused, with the expected status and problem.
private struct Refusal: CustomTestStringConvertible, Sendable {
    let method: String
    let path: String
    var headers: [(String, String)] = []
    var body: [UInt8]?
    let status: Int
    let problem: String

    var testDescription: String { "\(method) \(path.prefix(60)) → \(status) \(problem)" }

    static func get(_ path: String, _ status: Int, _ problem: String, _ headers: [(String, String)] = []) -> Refusal {
        Refusal(method: "GET", path: path, headers: headers, status: status, problem: problem)
    }

    static func put(
        _ body: [UInt8], _ status: Int, _ problem: String, key: String = "k", _ headers: [(String, String)] = []
    ) -> Refusal {
        Refusal(
            method: "PUT", path: "config/\(key)", headers: [("Content-Type", "application/json")] + headers, body: body,
            status: status, problem: problem)
    }

    static func put(
        _ body: String, _ status: Int, _ problem: String, key: String = "k", _ headers: [(String, String)] = []
    ) -> Refusal {
        put(Array(body.utf8), status, problem, key: key, headers)
    }
}

extension Live {
    @Suite struct BadInputTests {
        private static let json = [("Content-Type", "application/json")]

        private static let reads: [Refusal] = [
            .get("config/2020-13-17T18:43:19Z", 400, "invalid-timestamp"),
            .get("config/2020", 400, "invalid-timestamp"),
            .get("config/%20", 400, "invalid-key"),
            .get("config/a%00b", 400, "invalid-request"),
            .get("config/%ff", 400, "invalid-request"),
            .get("config/%zz", 400, "invalid-request"),
            .get("config/missing", 404, "entry-not-found"),
            .get("config?since=yesterday", 400, "invalid-parameter"),
            .get("config?since=-1", 400, "invalid-parameter"),
            .get("config?since=99999999999999999999", 400, "invalid-parameter"),
            .get("config?since=1&since=2", 400, "invalid-parameter"),
            .get("config?since=1&revision=0", 400, "invalid-parameter"),
            .get("config?revision=1", 400, "invalid-parameter"),
            .get("config?at=x", 400, "invalid-parameter"),
            .get("config?at=1&since=1", 400, "invalid-parameter"),
            .get("config?at=999999", 404, "release-not-found"),
            .get("config?verison=1", 400, "invalid-parameter"),
            .get("config?version=", 400, "invalid-version"),
            .get("config?version=one", 400, "invalid-version"),
            .get("config?version=1.2.3.4", 400, "invalid-version"),
            .get("config?version=9999.0", 404, "version-not-released"),
            .get("config.json?nested=yes", 400, "invalid-parameter"),
            .get("config", 400, "invalid-header", [("If-None-Match", "43 44")]),
            .get("config", 400, "invalid-header", [("Almanac-Min-Revision", "soon")]),
            .get("config", 406, "not-acceptable", [("Accept", "text/html")]),
            .get("releases/x", 400, "invalid-request"),
            .get("releases/999999", 404, "release-not-found"),
            .get("releases?limit=0", 400, "invalid-parameter"),
            .get("diff/nowhere", 404, "environment-not-found"),
            .get("nothing", 404, "not-found"),
            .get("config/k/", 404, "not-found"),
        ]

        @Test(arguments: reads)
        fileprivate func `a read that makes no sense is refused`(refusal: Refusal) throws {
            try expect(refusal)
        }

        private static let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        private static let large = String(repeating: "x", count: 300_000)
        private static let one = #"{"value":1}"#

        private static let malformed: [Refusal] = [
            .put("", 400, "invalid-json"),
            .put("{", 400, "invalid-json"),
            .put(#"{"value":1}x"#, 400, "invalid-json"),
            .put(#"{"value":1,"value":2}"#, 400, "invalid-json"),
            .put([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], 400, "invalid-json"),
            .put(#"{"value":"\ud800"}"#, 422, "invalid-value"),
            .put(#"{"value":"a\u0000b"}"#, 422, "invalid-value"),
            .put(#"{"value":1e400}"#, 422, "invalid-value"),
            .put(#"{"value":null}"#, 422, "invalid-value"),
            .put("{}", 422, "invalid-value"),
            .put("[1]", 422, "invalid-value"),
            .put(#"{"value":1,"extra":1}"#, 422, "invalid-value"),
            .put(#"{"value":1,"description":1}"#, 422, "invalid-value"),
            .put("{\"value\":\(deep)}", 422, "limit-exceeded"),
            .put("{\"value\":\"\(large)\"}", 422, "limit-exceeded"),
        ]

        private static let impossible: [Refusal] = [
            .put(one, 400, "invalid-key", key: "1st"),
            .put(one, 400, "invalid-key", key: "a%2Fb"),
            .put(one, 400, "invalid-key", key: "%C3%A9"),
            .put(one, 400, "invalid-key", key: String(repeating: "k", count: 129)),
            .put(one, 400, "invalid-header", [("If-Match", "43 44")]),
            .put(one, 412, "precondition-failed", [("If-Match", "\"0\"")]),
            .put(one, 400, "invalid-header", [("Almanac-Message", String(repeating: "m", count: 1025))]),
            Refusal(
                method: "PUT", path: "config/k", headers: [("Content-Type", "text/plain")], body: Array("1".utf8),
                status: 415, problem: "unsupported-media-type"),
            Refusal(
                method: "POST", path: "config", headers: json, body: Array(#"{"key":"present","value":1}"#.utf8),
                status: 409, problem: "entry-exists"),
            Refusal(
                method: "POST", path: "config", headers: json, body: Array(#"{"key":"2020-10-17","value":1}"#.utf8),
                status: 422, problem: "invalid-value"),
            Refusal(
                method: "PATCH", path: "config", headers: json, body: Array(#"{"fine":1,"not fine":2}"#.utf8),
                status: 422, problem: "invalid-value"),
            Refusal(method: "DELETE", path: "config/missing", status: 404, problem: "entry-not-found"),
            Refusal(method: "POST", path: "releases/999999/restore", status: 404, problem: "release-not-found"),
            Refusal(method: "DELETE", path: "majors/999", status: 404, problem: "major-not-found"),
            Refusal(method: "DELETE", path: "majors/x", status: 400, problem: "invalid-version"),
            Refusal(method: "DELETE", path: "config", status: 405, problem: "method-not-allowed"),
            Refusal(method: "BREW", path: "config", status: 405, problem: "method-not-allowed"),
        ]

        @Test(arguments: malformed + impossible)
        fileprivate func `a write that makes no sense is refused, and nothing is written`(refusal: Refusal) throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["present": 1])
            let before = try development.client().send("GET", development.path("config"))
            try expect(refusal)
            let after = try development.client().send("GET", development.path("config"))
            #expect(after.revision == before.revision)
            #expect(after.body == before.body)
        }

        @Test func `a body that is too large is refused, by nginx or by the worker`() throws {
            let development = try LiveEnvironment("development")
            for size in [(4 << 20) + 100, 8 << 20] {
                let body = Array(#"{"value":""#.utf8) + [UInt8](repeating: 120, count: size) + Array(#""}"#.utf8)
                let answer = try development.client().send(
                    "PUT", development.path("config/k"), headers: Self.json, body: body)
                #expect(answer.status == 413)
                #expect(answer.problem != nil)
            }
        }

        @Test func `a method that is not allowed is answered with those that are`() throws {
            let development = try LiveEnvironment("development")
            let answer = try development.client().send("DELETE", development.path("config"))
            #expect(answer.header("Allow") == "GET, HEAD, POST, PATCH, OPTIONS")
            let options = try development.client().send("OPTIONS", development.path("config"))
            #expect(options.status == 204)
            #expect(options.header("Allow") == "GET, HEAD, POST, PATCH, OPTIONS")
        }

        @Test func `an unknown environment is a problem of its own`() throws {
            let client = try Instance.current().client()
            for path in ["/nowhere/config", "/Nowhere/config", "/production-/config"] {
                let answer = try client.send("GET", path)
                #expect(answer.status == 404)
                #expect(answer.problem == "environment-not-found")
            }
        }

        private func expect(_ refusal: Refusal) throws {
            let development = try LiveEnvironment("development")
            let answer = try development.client().send(
                refusal.method, development.path(refusal.path), headers: refusal.headers, body: refusal.body)
            #expect(answer.status == refusal.status)
            #expect(answer.problem == refusal.problem, "\(answer.text)")
        }
    }
}
