import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests forecasts of writes, with `dry_run=true`.
@Suite(.database(.migrated)) struct ForecastTests {
    private func forecast(
        _ instance: ConfigInstance, _ patch: String, _ query: String = "", _ headers: (String, String)...
    ) throws -> TestResponse {
        try instance.call("PATCH", "/config?dry_run=true\(query)", bytes: Array(patch.utf8), as: .configWrite, headers)
    }

    @Test func `a forecast says the version, why, and what each major keeps and gets; nothing is written`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"limits":{"retries":3,"hosts":["a"]},"theme":"dark","gone":1}"#)
        try instance.delete("gone")
        let head = instance.snapshot.head
        let answer = try forecast(
            instance, #"{"limits":{"retries":null},"theme":"light","new":true}"#, "", ("If-Match", "\"\(head.cursor)\"")
        )
        #expect(
            try answer.expecting(200).json == [
                "revision": 2, "cursor": .string("\(head.cursor)"), "version": "3.0.0", "current_version": "2.0.0",
                "bump": "major",
                "changes": [
                    [
                        "key": "limits", "bump": "major", "reason": "member-removed", "path": "/retries",
                        "before": ["retries": 3, "hosts": ["a"]], "after": ["hosts": ["a"]], "description": "",
                    ],
                    ["key": "new", "bump": "minor", "reason": "added", "after": true, "description": ""],
                    [
                        "key": "theme", "bump": "patch", "reason": "value-changed", "before": "dark", "after": "light",
                        "description": "",
                    ],
                ],
                "majors": [
                    [
                        "major": 1, "keeps": [["key": "limits", "value": ["retries": 3, "hosts": ["a"]]]],
                        "receives": ["new", "theme"], "withheld": [],
                    ],
                    [
                        "major": 2, "keeps": [["key": "limits", "value": ["retries": 3, "hosts": ["a"]]]],
                        "receives": ["new", "theme"], "withheld": [],
                    ],
                ], "warnings": [], "unmet": [],
            ])
        #expect(answer["ETag"] == "\"\(head.cursor)\"" && answer["Almanac-Revision"] == "2")
        #expect(answer["Cache-Control"] == "no-store")
        try instance.service.refresh()
        #expect(instance.snapshot.head == head)
        #expect(try instance.call("GET", "/releases").json.arrayValue?.count == 2)
        #expect(try instance.query("test_audit", "select from audit_log where action = 'config.change'").count == 2)
    }

    @Test(arguments: [
        (#"{"a":"x"}"#, #"{"a":1}"#, #"retyped string number"#), (#"{"a":1}"#, #"{"a":null}"#, "removed"),
        (#"{"a":{"b/c":{"~":1}}}"#, #"{"a":{"b/c":{"~":"1"}}}"#, "member-retyped /b~1c/~0 number string"),
        (#"{"a":{"b":{}}}"#, #"{"a":{"b":{"c":1}}}"#, "member-added /b/c"),
        (#"{"a":[1]}"#, #"{"a":[]}"#, "value-changed"),
        // A breaking change outweighs an addition, whichever comes first.
        (#"{"a":{"b":{},"c":{"d":1}}}"#, #"{"a":{"b":{"x":1},"c":{"d":null}}}"#, "member-removed /c/d"),
    ])
    func `a change says why it counts as it does`(before: String, patch: String, reason: String) throws {
        let instance = try ConfigInstance()
        try instance.patch(before)
        let change = try forecast(instance, patch)[member: "changes"]?.arrayValue?.first?.objectValue
        let words = ["reason", "path", "from", "to"].compactMap { change?[$0]?.stringValue }
        #expect(words.joined(separator: " ") == reason)
    }

    @Test func `a description that changes alone is a reason, and no new value for anybody`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let answer = try forecast(instance, #"{"a":{"description":"of the sky"}}"#, "&replace=true&form=entries")
        let change = answer[member: "changes"]?.arrayValue?.first?.objectValue
        #expect(change?["reason"] == .some("description-changed") && change?["bump"] == .some("patch"))
        #expect(change?["description"] == .some("of the sky") && change?["description_before"] == .some(""))
        #expect(answer[member: "version"] == .some("1.0.1"))
        #expect(answer[member: "majors"] == .some([["major": 1, "keeps": [], "receives": [], "withheld": []]]))
    }

    @Test func `a write that changes nothing is forecast as none, and the first release as 1.0.0`() throws {
        let instance = try ConfigInstance()
        let first = try forecast(instance, #"{"a":1}"#)
        #expect(first[member: "version"] == .some("1.0.0") && first[member: "current_version"] == .some("0.0.0"))
        #expect(first[member: "majors"] == .some([]))
        try instance.put("a", "1")
        let none = try forecast(instance, #"{"a":1,"never":null}"#)
        #expect(none[member: "bump"] == .some("none") && none[member: "version"] == .some("1.0.0"))
        #expect(none[member: "changes"] == .some([]))
    }

    @Test func `a retired major is not spoken of, and a purged key is kept by nobody`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":1}"#)
        try instance.put("a", #""x""#)
        try instance.call("DELETE", "/majors/1").expecting(200)
        try instance.call("DELETE", "/config/b?purge=true").expecting(200)
        let answer = try forecast(instance, #"{"a":null,"b":2}"#)
        #expect(
            answer[member: "majors"]
                == .some([
                    ["major": 2, "keeps": [["key": "a", "value": "x"]], "receives": ["b"], "withheld": []],
                    ["major": 3, "keeps": [["key": "a", "value": "x"]], "receives": ["b"], "withheld": []],
                ]))
    }

    @Test func `a restore is forecast as it will be done`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":{"m":1}}"#)
        try instance.patch(#"{"a":2,"b":{"n":1},"c":true}"#)
        let answer = try instance.call("POST", "/releases/1/restore?dry_run=true", as: .configWrite).expecting(200)
        #expect(answer[member: "version"] == .some("2.0.0"))
        let reasons = answer[member: "changes"]?.arrayValue?.compactMap { $0.objectValue?["reason"]?.stringValue }
        #expect(reasons == ["value-changed", "member-removed", "removed"])
        #expect(instance.snapshot.head.revision == 2)
        let done = try instance.call("POST", "/releases/1/restore", as: .configWrite).expecting(200)
        #expect(done[member: "version"] == .some("2.0.0"))
        for (path, outcome) in [
            ("/releases/9/restore", "404 release-not-found"), ("/releases/x/restore", "400 invalid-request"),
        ] {
            #expect(try instance.call("POST", path + "?dry_run=true").outcome == outcome)
        }
        #expect(
            try instance.call("POST", "/releases/1/restore?dry_run=true", as: .admin, ("If-Match", "\"1\"")).outcome
                == "412 precondition-failed")
    }

    @Test func `a forecast warns of what the write will warn of`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"app.theme":"dark","gone":1}"#)
        for patch in [#"{"app":1,"app.theme.x":1}"#, #"{"app":1,"app.theme":null}"#, #"{"gone":null,"gone.x":1}"#] {
            let expected = try forecast(instance, patch).expecting(200)[member: "warnings"]?.arrayValue
            let answer = try instance.patch(patch)
            #expect(answer[member: "warnings"]?.arrayValue ?? [] == expected, "\(patch)")
        }
    }

    @Test func `what a write is refused for its forecast is refused for too`() throws {
        var limits = Limits()
        limits.entries = 2
        limits.valueBytes = 20
        limits.bodyBytes = 200
        let instance = try ConfigInstance(limits: limits)
        try instance.patch(#"{"a":1,"b":1}"#)
        let cursor = instance.snapshot.head.cursor
        let long = String(repeating: "x", count: 20)
        let bodies: [(String, String)] = [
            (#"{"c":1}"#, "422 limit-exceeded"), (#"{"a":"\#(long)"}"#, "422 limit-exceeded"),
            (#"{"a":"\#(String(repeating: "x", count: 300))"}"#, "413 body-too-large"), ("[]", "422 invalid-value"),
            (#"{"0":1}"#, "422 invalid-value"), ("{", "400 invalid-json"), (#"{"a":1e400}"#, "422 invalid-value"),
        ]
        for (body, outcome) in bodies {
            for query in ["", "?dry_run=true", "?replace=true", "?replace=true&dry_run=true"] {
                let answer = try instance.call("PATCH", "/config\(query)", body, as: .configWrite)
                #expect(answer.outcome == outcome, "\(query) \(body)")
            }
        }
        let calls: [(Scope?, [(String, String)], String)] = [
            (nil, [], "401 token-needed"), (.configRead, [], "403 scope-too-small"),
            (.configWrite, [("If-Match", "\"7\"")], "412 precondition-failed"),
            (.configWrite, [("If-Match", "\"\(cursor)\"")], "200"),
            (.configWrite, [("Almanac-Message", "a\u{1}b")], "400 invalid-header"),
            (.configWrite, [("Content-Type", "text/plain")], "415 unsupported-media-type"),
        ]
        for (scope, headers, outcome) in calls {
            let answer = try instance.call("PATCH", "/config?dry_run=true", bytes: Array("{}".utf8), as: scope, headers)
            #expect(answer.outcome == outcome)
        }
        for query in ["?dry_run=1", "?dry_run", "?form=entries", "?replace=true&form=summary", "?dry-run=true"] {
            #expect(try instance.call("PATCH", "/config\(query)", "{}").outcome == "400 invalid-parameter", "\(query)")
        }
        #expect(instance.snapshot.head.revision == 1)
    }

    @Test func `a forecast neither waits for a release that is being made nor keeps one from being made`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.pool.withConnection { connection in
            try connection.change { connection in
                _ = try HeadStatements.lockHead(on: connection)
                #expect(try forecast(instance, #"{"a":2}"#).expecting(200)[member: "version"] == .some("1.0.1"))
            }
        }
    }
}
