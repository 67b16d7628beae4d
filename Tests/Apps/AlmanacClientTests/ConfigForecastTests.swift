import AlmanacClient
import AlmanacJSON
import AlmanacTestSupport
import Testing

/// Tests of forecasts, searches and comparisons by the server, and of the fallbacks for servers that lack them.
@Suite struct ConfigForecastTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func remote(_ server: ScriptedServer, hasToken: Bool = true) throws -> RemoteEnvironment {
        let path = try hasToken ? folder.write("token", Array("almanac_staging_secret_with_more".utf8)) : nil
        return try RemoteEnvironment(Profile(url: server.base, environment: "staging", tokenFile: path))
    }

    private static func problem(_ status: String, _ name: String) -> ScriptedServer.Answer {
        .response(
            status, headers: ["Content-Type: application/problem+json"],
            body: #"{"type":"urn:almanac:problem:\#(name)","detail":"no"}"#.utf8)
    }

    private func difference(_ before: JSONValue, _ after: JSONValue) throws -> ConfigDifference {
        ConfigDifference(from: try #require(before.objectValue), to: try #require(after.objectValue))
    }

    @Test func `it says why the version is raised, and what builds keep`() throws {
        let document: JSONValue = [
            "bump": "major", "version": "3.0.0", "current_version": "2.4.1",
            "changes": [
                ["key": "a", "bump": "major", "reason": "member-removed", "path": "/retries"],
                ["key": "b", "bump": "patch", "reason": "value-changed"],
                ["key": "c", "bump": "major", "reason": "retyped", "from": "number", "to": "string"],
                ["key": "d", "bump": "major", "reason": "removed"],
            ],
            "majors": [
                ["major": 1, "keeps": [], "receives": ["b"]], ["major": 2, "keeps": [["key": "a", "value": 1]]],
            ],
            "warnings": ["odd"],
        ]
        let forecast = ConfigForecast(try #require(document.objectValue))
        #expect(
            forecast.reasons
                == ["/retries is removed from a", "the type of c changes from number to string", "d is removed"])
        #expect(forecast.keeps.map { "\($0.major) \($0.keys)" } == [#"2 ["a"]"#])
        #expect(forecast.warnings == ["odd"] && forecast.version == "3.0.0" && forecast.currentVersion == "2.4.1")
        #expect(ConfigForecast(JSONObject([])).reasons.isEmpty)
    }

    @Test func `a change is forecast by the request that would make it`() throws {
        let server = try ScriptedServer { _ in .response(body: #"{"version":"2.0.0"}"#.utf8) }
        let remote = try remote(server)
        #expect(try remote.forecast(difference(["a": 1], ["a": 2]), ifMatch: "\"7\"")?.version == "2.0.0")
        _ = try remote.forecast(difference(["a": ["b": 1]], ["a": ["b": .null]]))
        _ = try remote.forecast(setting: "a", to: 1, description: "x")
        _ = try remote.forecast(restoring: "7")
        #expect(
            server.requests == [
                "/staging/config?dry_run=true", "/staging/config?replace=true&dry_run=true",
                "/staging/config?replace=true&form=entries&dry_run=true", "/staging/releases/7/restore?dry_run=true",
            ])
        #expect(server.messages[0].contains("If-Match: \"7\"") && server.messages[0].hasSuffix(#"{"a":2}"#))
        #expect(server.messages[0].contains("application/merge-patch+json"))
        #expect(server.messages[1].contains("application/json") && server.messages[1].hasSuffix(#"{"a":{"b":null}}"#))
        #expect(server.messages[2].hasSuffix(#"{"a":{"value":1,"description":"x"}}"#))
    }

    @Test
    func `there is none without a token, with too small a scope, and of an older server; other failures are told`()
        throws
    {
        let server = try ScriptedServer { _ in Self.problem("400 Bad Request", "invalid-parameter") }
        #expect(try remote(server, hasToken: false).forecast(restoring: "7") == nil)
        #expect(server.requests.isEmpty)
        #expect(try remote(server).forecast(restoring: "7") == nil)
        let reader = try ScriptedServer { _ in Self.problem("403 Forbidden", "scope-too-small") }
        #expect(try remote(reader).forecast(restoring: "7") == nil)
        let full = try ScriptedServer { _ in Self.problem("422 Unprocessable Content", "limit-exceeded") }
        #expect(throws: CallFailure.self) { try remote(full).forecast(restoring: "7") }
    }

    @Test func `members that become null are written as whole values, which older servers refuse`() throws {
        let server = try ScriptedServer { path in
            path.contains("replace")
                ? Self.problem("400 Bad Request", "invalid-parameter") : .response(body: #"{"revision":3}"#.utf8)
        }
        let remote = try remote(server)
        _ = try remote.apply(try difference(["a": 1], ["a": 2]), message: nil, ifMatch: nil)
        let failure = try #require(throws: CallFailure.self) {
            try remote.apply(try difference(["a": ["b": 1]], ["a": ["b": .null]]), message: nil, ifMatch: nil)
        }
        #expect(failure.description.contains("cannot set a member to null"))
        #expect(server.requests == ["/staging/config", "/staging/config?replace=true"])
    }

    @Test func `a search goes on where the server has ended it`() throws {
        let server = try ScriptedServer { path in
            path.contains("after")
                ? .response(body: #"[{"key":"c"}]"#.utf8)
                : .response(headers: ["Almanac-Search-End: b"], body: #"[{"key":"a"}]"#.utf8)
        }
        let found = try remote(server).entries(with: "x y", version: "2")
        #expect(found?.compactMap { $0["key"]?.stringValue } == ["a", "c"])
        #expect(server.requests == ["/staging/config?q=x%20y&version=2", "/staging/config?q=x%20y&after=b&version=2"])
        let older = try ScriptedServer { _ in Self.problem("400 Bad Request", "invalid-parameter") }
        #expect(try remote(older).entries(with: "x", version: nil) == nil)
    }

    @Test(arguments: [true, false]) func `environments of one server are compared there, by whole values if it can`(
        isOlder: Bool
    ) throws {
        let server = try ScriptedServer { path in
            // Servers without flags don't compare whole entries.
            if path.contains("entries") { return Self.problem("400 Bad Request", "invalid-parameter") }
            if path.contains("config.json") { return .response(body: #"{"a":{"m":1,"n":1},"gone":1}"#.utf8) }
            if path.contains("replace") {
                return isOlder
                    ? Self.problem("400 Bad Request", "invalid-parameter")
                    : .response(headers: ["ETag: \"7\""], body: #"{"a":{"m":null},"gone":null}"#.utf8)
            }
            return .response(headers: ["ETag: \"7\""], body: #"{"a":{"m":2},"gone":null}"#.utf8)
        }
        let remote = try remote(server)
        let (difference, tag) = try remote.difference(toEqual: remote)
        #expect(tag == "\"7\"" && difference.changes.map(\.key) == ["a", "gone"])
        #expect(difference.changes.map(\.after) == [isOlder ? ["m": 2, "n": 1] : ["m": .null], nil])
    }

    @Test func `a comparison keeps what entries are, and is applied as whole entries`() throws {
        let server = try ScriptedServer { path in
            if path.hasSuffix("/diff/staging?replace=true&form=entries") {
                return .response(
                    headers: ["ETag: \"7\""],
                    body: """
                        {"f":{"value":{"state":"DISABLED"},"kind":"flag","description":"d"},"gone":null,
                         "new":{"value":1},
                         "said":{"description":"more"},"turned":{"value":3,"kind":"value"}}
                        """.utf8)
            }
            if path == "/staging/config" {
                return .response(
                    body: """
                        [{"key":"f","kind":"flag","value":{"state":"ENABLED"}},{"key":"gone","kind":"flag","value":{}},
                         {"key":"said","value":2},{"key":"turned","kind":"flag","value":{}}]
                        """.utf8)
            }
            return .response(body: #"{"revision":3}"#.utf8)
        }
        let remote = try remote(server)
        let (difference, tag) = try remote.difference(toEqual: remote)
        #expect(difference.changes.map(\.key) == ["f", "gone", "new", "said", "turned"])
        #expect(difference.changes.map(\.kindBefore) == ["flag", "flag", nil, nil, "flag"])
        #expect(difference.changes.map(\.kindAfter) == ["flag", nil, nil, nil, nil])
        #expect(difference.changes.map(\.after) == [["state": "DISABLED"], nil, 1, 2, 3])
        #expect(difference.fits(try remote.wholeState()))
        #expect(
            !difference.fits(ConfigState(values: try remote.wholeState().values, tag: nil, revision: 1, version: nil)))
        let before = server.requests.count
        _ = try remote.apply(difference, message: nil, ifMatch: tag)
        #expect(Array(server.requests[before...]) == ["/staging/config?replace=true&form=entries"])
        let body = """
            {"f":{"value":{"state":"DISABLED"},"kind":"flag","description":"d"},"gone":null,"new":{"value":1},\
            "said":{"value":2,"description":"more"},"turned":{"value":3,"kind":"value"}}
            """
        #expect(server.messages[before].hasSuffix(body))
    }

    @Test func `the faults of flags are told with their places`() throws {
        let server = try ScriptedServer { _ in
            .response(
                "422 Unprocessable Content",
                body: """
                    {"type":"urn:almanac:problem:invalid-flag","detail":"'e': no variants","faults":[
                     {"key":"e","path":"","message":"no variants"},
                     {"key":"f","path":"/targeting/if/0","message":"there is no operator 'iff'"}]}
                    """.utf8)
        }
        let failure = try #require(throws: CallFailure.self) {
            try remote(server).set("f", to: [:], description: nil, kind: "flag", message: nil)
        }
        #expect(failure.description.contains("'e': no variants; f /targeting/if/0: there is no operator 'iff'"))
        #expect(server.messages[0].hasSuffix(#"{"value":{},"kind":"flag"}"#))
    }
}
