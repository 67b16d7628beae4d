import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct ReleaseTests {
        @Test func `five hundred keys in a patch are one release`() throws {
            let staging = try LiveEnvironment("staging")
            let before = try #require(try staging.reset().revision)
            let keys = (0..<500).map { "key.\($0)" }
            let patch = JSONObject(keys.map { (name: $0, value: JSONValue.string("value of \($0)")) })
            let answer = try staging.client().patch(staging.path("config"), .object(patch))
            #expect(answer.status == 200)
            #expect(answer.revision == before + 1)
            #expect(try staging.client().send("GET", staging.path("config.json")).json() == .object(patch))
            let release = try staging.client().send("GET", staging.path("releases/\(before + 1)")).json()
            #expect(release.objectValue?["changes"]?.arrayValue?.count == 500)
        }

        @Test func `restoring brings an old state back as a new release`() throws {
            let staging = try LiveEnvironment("staging")
            let client = staging.client()
            let old = try #require(try staging.reset(to: ["a": 1, "b": ["c": [1, 2]], "d": "x"]).revision)
            let state = try client.send("GET", staging.path("config.json")).body
            try staging.reset(to: ["a": "other", "e": 2])
            let answer = try client.send("POST", staging.path("releases/\(old)/restore"))
            #expect(answer.status == 200)
            #expect(answer.revision == old + 2)
            #expect(try client.send("GET", staging.path("config.json")).body == state)
            #expect(try client.send("GET", staging.path("config.json?at=\(old)")).body == state)
            // A second restore finds no difference.
            #expect(try client.send("POST", staging.path("releases/\(old)/restore")).revision == old + 2)
        }

        @Test func `the difference to another environment, fed to a patch, makes them equal`() throws {
            let development = try LiveEnvironment("development")
            let staging = try LiveEnvironment("staging")
            try development.reset(to: [
                "same": 1, "changed": ["a": 1, "b": [1, .null]], "added": 9_007_199_254_740_993,
            ])
            try staging.reset(to: ["same": 1, "changed": ["a": 1, "c": 2], "removed": true])
            let patch = try staging.client().send("GET", staging.path("diff/development"))
            #expect(patch.header("Content-Type") == "application/merge-patch+json")
            let answer = try staging.client().send(
                "PATCH", staging.path("config"),
                headers: [
                    ("Content-Type", "application/merge-patch+json"), ("If-Match", patch.header("ETag")!),
                ], body: patch.body)
            #expect(answer.status == 200)
            let states = try [development, staging].map {
                try $0.client().send("GET", $0.path("config.json")).json()
            }
            #expect(states[0] == states[1])
            #expect(try staging.client().send("GET", staging.path("diff/development")).text == "{}")
        }

        @Test func `a write on a condition fails once the config has moved on`() throws {
            let staging = try LiveEnvironment("staging")
            let client = staging.client()
            try staging.reset(to: ["a": 1])
            let tag = try #require(try client.send("GET", staging.path("config")).header("ETag"))
            #expect(try client.put(staging.path("config/a"), 2, headers: [("If-Match", tag)]).status == 200)
            let late = try client.put(staging.path("config/a"), 3, headers: [("If-Match", tag)])
            #expect(late.status == 412)
            #expect(late.problem == "precondition-failed")
            #expect(try client.send("GET", staging.path("config.json")).text == #"{"a":2}"#)
        }

        @Test func `numbers keep their digits`() throws {
            let staging = try LiveEnvironment("staging")
            let body = #"{"real":0.1,"big":9007199254740993,"huge":123456789012345678901234567890,"zeros":1.500}"#
            try staging.reset()
            let client = staging.client()
            let headers = [("Content-Type", "application/json")]
            #expect(
                try client.send("PATCH", staging.path("config"), headers: headers, body: Array(body.utf8)).status == 200
            )
            #expect(
                try client.send("GET", staging.path("config.json")).text
                    == #"{"big":9007199254740993,"huge":123456789012345678901234567890,"real":0.1,"zeros":1.500}"#)
        }

        @Test func `the history tells who changed what and why`() throws {
            let staging = try LiveEnvironment("staging")
            let client = staging.client()
            try staging.reset()
            _ = try client.put(staging.path("config/told"), 1, headers: [("Almanac-Message", "grüße")])
            _ = try client.put(staging.path("config/told"), 2)
            _ = try client.send("DELETE", staging.path("config/told"))
            let history = try #require(
                try client.send("GET", staging.path("config/told/history")).json().arrayValue?.compactMap(\.objectValue)
            )
            #expect(history.prefix(3).map { $0["value"] } == [nil, 2, 1])
            #expect(history[0]["deleted"] == true)
            #expect(history[2]["message"] == "grüße")
            #expect(history[2]["author"]?.stringValue?.isEmpty == false)
        }
    }
}
