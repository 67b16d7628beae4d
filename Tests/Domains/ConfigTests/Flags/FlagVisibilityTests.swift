import AlmanacEnvironments
import AlmanacHTTP
import AlmanacIdentity
import AlmanacJSON
import AlmanacRevisions
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Checks that no request reveals a flag's definition to a caller without the scope `config:read`.
@Suite(.database(.migrated)) struct FlagVisibilityTests {
    private static let rule = #"{"if":[{"==":[{"var":"plan"},"secret-plan"]},"on","off"]}"#
    private static let reads = [
        "/config", "/config?form=summary", "/config?q=e", "/config?q=e&form=summary", "/config?since=0",
        "/config?since=2020-01-01T00:00:00Z", "/config/2020-01-01T00:00:00Z", "/config.json",
        "/config.json?nested=true",
        "/config?version=1", "/config?since=0&version=1", "/config?since=1", "/config?since=2", "/config?since=3",
    ]

    private func bodies(_ instance: ConfigInstance, _ paths: [String], as scope: Scope?) throws -> [String] {
        try paths.map { path in
            let answer = try instance.call("GET", path, as: scope)
            // The times of releases are the only allowed difference.
            return "\(answer.status) " + answer.body.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "T")
        }
    }

    @Test func `without a token the config is as if the flags weren't there`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let (with, without) = (try ConfigInstance(), try ConfigInstance("other", on: database))
            // Each step makes one release in each instance. Steps that only change flags make none in the second.
            let steps: [(String, String?)] = [
                (#"{"a":{"value":1},"b.c":{"value":{"m":1}}}"#, #"{"a":1,"b.c":{"m":1}}"#),
                (#"{"hidden":{"value":\#(Definition.toggle(targeting: Self.rule)),"kind":"flag"}}"#, nil),
                (#"{"a":{"value":2},"_flags":{"value":{"metadata":{"team":"e"}},"kind":"flag-set"}}"#, #"{"a":2}"#),
                // A value that becomes a flag appears removed, and a flag that becomes a value appears added.
                (#"{"b.c":{"value":\#(Definition.toggle()),"kind":"flag"}}"#, #"{"b.c":null}"#),
                (#"{"b.c":{"description":"now a flag"}}"#, nil),
                (#"{"hidden":{"value":"seen","kind":"value"}}"#, #"{"hidden":"seen"}"#),
                (
                    #"{"hidden":{"value":\#(Definition.toggle(targeting: Self.rule)),"kind":"flag"},"a":null}"#,
                    #"{"hidden":null,"a":null}"#
                ),
                (#"{"a":{"value":\#(Definition.toggle()),"kind":"flag"}}"#, nil),
                (#"{"a":null}"#, nil),
                (#"{"a":{"value":5}}"#, #"{"a":5}"#),
            ]
            var places = [(Int64(0), Int64(0))]
            for (entries, values) in steps {
                _ = try with.call("PATCH", "/config?replace=true&form=entries", entries).expecting(200)
                if let values { _ = try without.call("PATCH", "/config?replace=true", values).expecting(200) }
                let state = (with.snapshot.head.revision, without.snapshot.head.revision)
                let deltas = { (places: [Int64]) in
                    places.flatMap { ["/config?since=\($0)", "/config?at=\($0)", "/config.json?at=\($0)"] }
                }
                for scope in [nil, Scope.flagsEvaluate] {
                    let mine = try bodies(
                        with,
                        Self.reads.filter { !$0.contains("since=") && !$0.contains("version") }
                            + deltas(places.map(\.0)), as: scope)
                    let theirs = try bodies(
                        without,
                        Self.reads.filter { !$0.contains("since=") && !$0.contains("version") }
                            + deltas(places.map(\.1)), as: nil)
                    #expect(
                        mine.map { $0.replacing(/"revision":\d+/, with: "R") }
                            == theirs.map { $0.replacing(/"revision":\d+/, with: "R") }, "\(entries)")
                }
                places.append(state)
                // The same must hold for every range of past revisions.
                for start in places.indices {
                    for end in places[start...] {
                        let mine = try with.call("GET", "/config?since=\(places[start].0)&revision=\(end.0)", as: nil)
                        let theirs = try without.call(
                            "GET", "/config?since=\(places[start].1)&revision=\(end.1)", as: nil)
                        #expect(try Self.keys(mine) == Self.keys(theirs), "\(places[start]) to \(end): \(mine.body)")
                        #expect(
                            mine["Cache-Control"]?.contains("public") == true
                                && mine["ETag"]?.contains("flags") == false)
                    }
                }
            }
            // An instance loaded from the database must behave the same.
            let loaded = try ConfigInstance("third", on: with.database)
            #expect(
                try bodies(loaded, ["/config", "/config?since=0", "/config?since=4"], as: nil)
                    == bodies(with, ["/config", "/config?since=0", "/config?since=4"], as: nil))
        }
    }

    /// Returns the keys and values without the times.
    private static func keys(_ answer: TestResponse) throws -> [String] {
        try #require(try answer.expecting(200).json.arrayValue).map {
            "\($0.objectValue?["key"] ?? .null) \($0.objectValue?["value"] ?? "removed")"
        }
    }

    @Test(arguments: EnvironmentSettings.ConfigRead.allCases)
    func `no answer to a caller without the scope has a word of a definition`(
        configRead: EnvironmentSettings.ConfigRead
    ) throws {
        let instance = try ConfigInstance(configRead: configRead)
        let other = try ConfigInstance("other", on: instance.database, configRead: configRead)
        instance.connect(to: other)
        try instance.putFlag("secret-key", Definition.toggle(targeting: Self.rule))
        try instance.put("_flags", #"{"$evaluators":{"x":{"==":["secret-plan",1]}}}"#)
        try instance.put("plain", "1")
        try instance.call("DELETE", "/config/secret-key").expecting(200)
        let cursor = instance.snapshot.head.cursor
        let paths =
            Self.reads + [
                "/config/secret-key", "/config/_flags", "/config/secret-key/history", "/releases", "/releases/1",
                "/releases?key=secret-key", "/majors", "/status", "/flags.json", "/flags.json?at=1",
                "/flags.json?version=1",
                "/diff/other", "/diff/other?replace=true", "/diff/other?replace=true&form=entries", "/config?at=1",
                "/config?at=2",
                "/config?at=1&version=1", "/config.json?at=1", "/config?since=0&revision=\(cursor)",
                "/config?since=0&revision=1", "/config?q=secret", "/config?since=9.none",
            ]
        for path in paths {
            for scope in [nil, Scope.flagsEvaluate] {
                let answer = try instance.call("GET", path, as: scope)
                let text = answer.body + "\(answer.response.headers)"
                #expect(!text.contains("secret-plan"), "\(path): \(answer.body)")
                // A response may repeat a key from the request's path.
                if !path.contains("secret-key") { #expect(!text.contains("secret-key"), "\(path): \(answer.body)") }
            }
        }
        let known = try instance.call("GET", "/config/_flags", as: nil)
        let unknown = try instance.call("GET", "/config/_other", as: nil)
        #expect(known.outcome == unknown.outcome)
        #expect(known.body.replacing("_flags", with: "_other") == unknown.body)
    }

    @Test func `answers with flags are private, and have validators of their own`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let before = try instance.call("GET", "/config", as: .configRead)
        #expect(before["Cache-Control"] == "public, no-cache" && before["ETag"] == "\"\(instance.snapshot.cursor)\"")
        try instance.putFlag("f", Definition.toggle())
        let cursor = instance.snapshot.cursor
        for path in [
            "/config", "/config?since=0", "/config?since=0&revision=\(cursor)", "/config?form=summary", "/config/a",
            "/config?at=1", "/config?version=1",
        ] {
            let anybody = try instance.call("GET", path, as: nil)
            let reader = try instance.call("GET", path, as: .configRead)
            #expect(anybody["Cache-Control"]?.hasPrefix("public") == true, "\(path)")
            #expect(reader["Cache-Control"]?.hasPrefix("private") == true, "\(path)")
            #expect(anybody["Vary"] == "Authorization, Cookie" && reader["Vary"] == anybody["Vary"], "\(path)")
            let tag = try #require(reader["ETag"])
            #expect(tag.contains("-flags") && tag != anybody["ETag"], "\(path)")
            // Neither validator matches the other's response.
            #expect(try instance.call("GET", path, nil, as: nil, ("If-None-Match", tag)).status == 200)
            #expect(
                try instance.call("GET", path, nil, as: .configRead, ("If-None-Match", try #require(anybody["ETag"])))
                    .status == 200)
            #expect(try instance.call("GET", path, nil, as: .configRead, ("If-None-Match", tag)).status == 304)
        }
        // The object form has no flags for any caller, so all callers share it.
        let object = try instance.call("GET", "/config.json", as: .configRead)
        #expect(object["Cache-Control"] == "public, no-cache" && object.body == #"{"a":1}"#)
        // The tag of a response with flags is valid in a condition too.
        let tag = try #require(try instance.call("GET", "/config", as: .configRead)["ETag"])
        #expect(try instance.call("PUT", "/config/a", #"{"value":2}"#, as: .admin, ("If-Match", tag)).status == 200)
    }
}
