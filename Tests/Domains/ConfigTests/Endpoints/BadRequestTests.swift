import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Sends invalid requests. Each test ends with a check that no release was made.
@Suite(.database(.migrated)) struct BadRequestTests {
    @Test func `a body that cannot be taken is refused with the reason`() throws {
        let instance = try ConfigInstance()
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        let long = String(repeating: "d", count: 4097)
        let key = String(repeating: "k", count: 129)
        for (method, path, body, outcome) in [
            ("PUT", "/config/a", "", "400 invalid-json"),
            ("PUT", "/config/a", "  \n", "400 invalid-json"),
            ("PUT", "/config/a", "{", "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":1}x"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":01}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":NaN}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{'value':1}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":1,}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":1,"value":2}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":{"m":1,"\u006d":2}}"#, "400 invalid-json"),
            ("PUT", "/config/a", "\u{FEFF}" + #"{"value":1}"#, "400 invalid-json"),
            ("PUT", "/config/a", #"{"value":"\ud800"}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":{"\udc00":1}}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":"\u0000"}"#, "422 invalid-value"),
            ("PUT", "/config/a", "{\"value\":\"\u{0}\"}", "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":1e999}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":\#(deep)}"#, "422 limit-exceeded"),
            ("PUT", "/config/a", #"{"value":null}"#, "422 invalid-value"),
            ("PUT", "/config/a", "{}", "422 invalid-value"),
            ("PUT", "/config/a", "1", "422 invalid-value"),
            ("PUT", "/config/a", "[1]", "422 invalid-value"),
            ("PUT", "/config/a", "null", "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":1,"key":"a"}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":1,"Value":1}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":1,"description":1}"#, "422 invalid-value"),
            ("PUT", "/config/a", #"{"value":1,"description":"\#(long)"}"#, "422 invalid-value"),
            ("POST", "/config", #"{"value":1}"#, "422 invalid-value"),
            ("POST", "/config", #"{"key":"a"}"#, "422 invalid-value"),
            ("POST", "/config", #"{"key":"1a","value":1}"#, "422 invalid-value"),
            ("POST", "/config", #"{"key":1,"value":1}"#, "422 invalid-value"),
            ("POST", "/config", #"{"key":"\#(key)","value":1}"#, "422 invalid-value"),
            ("POST", "/config", #"{"key":"a","value":null}"#, "422 invalid-value"),
            ("PATCH", "/config", "[]", "422 invalid-value"),
            ("PATCH", "/config", "null", "422 invalid-value"),
            ("PATCH", "/config", #"{"a b":1}"#, "422 invalid-value"),
            ("PATCH", "/config", #"{"":1}"#, "422 invalid-value"),
            ("PATCH", "/config", #"{"a":1,"a":2}"#, "400 invalid-json"),
            ("PATCH", "/config", #"{"é":1}"#, "422 invalid-value"),
        ] {
            let answer = try instance.call(method, path, body)
            #expect(answer.outcome == outcome, "\(method) \(path) \(body.prefix(60)): \(answer.body)")
            let names = try answer.json.objectValue?.members.map(\.name)
            #expect(names == ["type", "title", "status", "detail", "instance"])
            #expect(answer[member: "status"] == .number(JSONNumber(answer.status)))
            #expect(answer["Cache-Control"] == "no-store")
        }
        try expectNothing(in: instance)
    }

    @Test func `bytes that are no UTF-8 are refused`() throws {
        let instance = try ConfigInstance()
        let start = Array(#"{"value":""#.utf8)
        for bytes in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
            let body = start + bytes + Array("\"}".utf8)
            let answer = try instance.call("PUT", "/config/a", bytes: body, as: .admin, [])
            #expect(answer.outcome == "400 invalid-json")
        }
        try expectNothing(in: instance)
    }

    @Test func `a malformed path, parameter or header is refused`() throws {
        let instance = try ConfigInstance()
        for (method, path, outcome) in [
            ("GET", "/config/1", "400 invalid-timestamp"),
            ("GET", "/config/2020-10-17", "400 invalid-timestamp"),
            ("GET", "/config/2020-02-30T00:00:00Z", "400 invalid-timestamp"),
            ("GET", "/config/a%20b", "400 invalid-key"),
            ("GET", "/config/%C3%A9", "400 invalid-key"),
            ("GET", "/config/%FF", "400 invalid-request"),
            ("GET", "/config/%zz", "400 invalid-request"),
            ("GET", "/config/", "400 invalid-key"),
            ("GET", "/config/a%2Fb", "400 invalid-key"),
            ("GET", "/config/\(String(repeating: "k", count: 129))", "400 invalid-key"),
            ("GET", "/config?version=x", "400 invalid-version"),
            ("GET", "/config?version=", "400 invalid-version"),
            ("GET", "/config/a?version=1.2.3.4", "400 invalid-version"),
            ("GET", "/config.json?nested=yes", "400 invalid-parameter"),
            ("GET", "/config.json?since=1", "400 invalid-parameter"),
            ("GET", "/config/a?at=1", "400 invalid-parameter"),
            ("GET", "/config?unknown=1", "400 invalid-parameter"),
            ("GET", "/config/a/history?limit=0", "400 invalid-parameter"),
            ("GET", "/config/a/history?limit=1001", "400 invalid-parameter"),
            ("GET", "/config/a/history?limit=x", "400 invalid-parameter"),
            ("GET", "/config/1a/history", "400 invalid-key"),
            ("GET", "/releases?before=0", "400 invalid-parameter"),
            ("GET", "/releases?before=99999999999999999999", "400 invalid-parameter"),
            ("GET", "/releases/x", "400 invalid-request"),
            ("GET", "/releases/-1", "400 invalid-request"),
            ("GET", "/releases/1.k3f9", "400 invalid-request"),
            ("GET", "/releases/1", "404 release-not-found"),
            ("POST", "/releases/x/restore", "400 invalid-request"),
            ("POST", "/releases/0/restore", "404 release-not-found"),
            ("POST", "/releases/1/restore", "404 release-not-found"),
            ("DELETE", "/majors/x", "400 invalid-version"),
            ("DELETE", "/majors/1.0", "400 invalid-version"),
            ("DELETE", "/majors/01", "400 invalid-version"),
            ("DELETE", "/majors/0", "404 major-not-found"),
            ("DELETE", "/majors/1", "404 major-not-found"),
            ("DELETE", "/config/1a", "400 invalid-key"),
            ("DELETE", "/config/a?purge=1", "400 invalid-parameter"),
            ("DELETE", "/config/a?purge=true", "404 entry-not-found"),
            ("PUT", "/config/1a", "400 invalid-key"),
            ("PUT", "/config/a?version=1", "400 invalid-parameter"),
            ("GET", "/config/a/history", "404 entry-not-found"),
            ("GET", "/diff/nowhere", "404 environment-not-found"),
            ("GET", "/diff/Not%20a%20name", "404 environment-not-found"),
            ("GET", "/nothing", "404 not-found"),
            ("GET", "/config/a/b", "404 not-found"),
            ("PUT", "/config", "405 method-not-allowed"),
            ("POST", "/config/a", "405 method-not-allowed"),
            ("get", "/config", "405 method-not-allowed"),
            ("DELETE", "/releases", "405 method-not-allowed"),
        ] {
            let answer = try instance.call(method, path, #"{"value":1}"#)
            #expect(answer.outcome == outcome, "\(method) \(path): \(answer.body)")
        }
        let allowed = try instance.call("PUT", "/config")["Allow"]
        #expect(allowed == "GET, HEAD, POST, PATCH, OPTIONS")
        try expectNothing(in: instance)
    }

    @Test func `a malformed header is refused`() throws {
        let instance = try ConfigInstance()
        for (method, path, header, value, outcome) in [
            ("GET", "/config", "If-None-Match", "\"43.k3f9", "400 invalid-header"),
            ("GET", "/config", "Almanac-Min-Revision", "x", "400 invalid-header"),
            ("GET", "/config", "Accept", "text/html", "406 not-acceptable"),
            ("GET", "/config", "Accept", "application/json;q=0", "406 not-acceptable"),
            ("GET", "/releases", "Accept", "image/*", "406 not-acceptable"),
            ("GET", "/diff/development", "Accept", "text/plain", "406 not-acceptable"),
            ("PUT", "/config/a", "If-Match", "\"1", "400 invalid-header"),
            ("PUT", "/config/a", "If-None-Match", "x y", "400 invalid-header"),
            ("PUT", "/config/a", "Content-Type", "text/plain", "415 unsupported-media-type"),
            ("PUT", "/config/a", "Content-Type", "application/json; charset=latin1", "415 unsupported-media-type"),
            ("PUT", "/config/a", "Content-Type", "application/x-www-form-urlencoded", "415 unsupported-media-type"),
            ("POST", "/config", "Content-Type", "application/merge-patch+json", "415 unsupported-media-type"),
            ("PATCH", "/config", "Content-Type", "application/json-patch+json", "415 unsupported-media-type"),
            ("PATCH", "/config", "Accept", "text/html", "406 not-acceptable"),
        ] {
            let answer = try instance.call(method, path, #"{"value":1}"#, as: .admin, (header, value))
            #expect(answer.outcome == outcome, "\(method) \(path) \(header): \(value)")
        }
        try expectNothing(in: instance)
    }

    private func expectNothing(in instance: ConfigInstance) throws {
        try instance.service.refresh()
        #expect(instance.snapshot.head.revision == 0)
        #expect(instance.snapshot.entries.isEmpty)
    }
}
