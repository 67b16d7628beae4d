import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

extension Live {
    @Suite struct DeltaTests {
        @Test func `the first run left three entries to be read by anyone`() throws {
            let development = try LiveEnvironment("development")
            // The first run made the oldest release, so later tests don't affect it.
            let first = try development.client().send("GET", development.path("config.json?at=1")).json()
            #expect(first.objectValue?["app.background.color"] == "#FFB6C1")
            #expect(first.objectValue?["app.fun_button.text"] == "Meeeeoowwww! 😸")
            #expect(first.objectValue?["app.fun_button.url"]?.stringValue?.hasPrefix("https://") == true)
            #expect(first.objectValue?.count == 3)
            let anonymous = try development.instance.client().send("GET", development.path("config"))
            #expect(anonymous.status == 200)
        }

        @Test func `asking with the newest timestamp seen gives only what changed since`() throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["a": 1, "b": "two", "c": [3]])
            let client = development.client()
            let all = try client.send("GET", development.path("config/2020-10-17T18:43:19.000Z"))
            #expect(try all.entries().map(\.key) == ["a", "b", "c"])
            #expect(all.body == (try client.send("GET", development.path("config"))).body)

            let newest = try #require(try all.entries().map(\.updatedAt).max())
            let nothing = try client.send("GET", development.path("config/\(newest)"))
            #expect(nothing.text == "[]")

            #expect(try client.put(development.path("config/b"), "zwei").status == 200)
            let changed = try client.send("GET", development.path("config/\(newest)")).entries()
            #expect(changed.map(\.key) == ["b"])
            #expect(changed.first?.value == "zwei")
        }

        @Test func `a removed key leaves a tombstone for those who ask since`() throws {
            let development = try LiveEnvironment("development")
            let start = try development.reset(to: ["gone": 1, "kept": 1])
            let client = development.client()
            #expect(try client.send("DELETE", development.path("config/gone")).status == 200)
            for since in ["\(start.revision!)", start.header("Almanac-Cursor")!] {
                let delta = try client.send("GET", development.path("config?since=\(since)"))
                #expect(delta.header("Almanac-Full") == nil)
                #expect(try delta.entries().map(\.key) == ["gone"])
                #expect(delta.text.contains("\"deleted\":true"))
            }
        }

        @Test func `a cursor of another history is answered with the whole state`() throws {
            let development = try LiveEnvironment("development")
            let revision = try #require(try development.reset(to: ["a": 1, "b": 2]).revision)
            for since in ["\(revision).0000", "\(revision + 1000)"] {
                let answer = try development.client().send("GET", development.path("config?since=\(since)"))
                #expect(answer.header("Almanac-Full") == "true")
                #expect(try answer.entries().map(\.key) == ["a", "b"])
            }
        }

        @Test func `a validator spares the body, also after nginx has weakened it`() throws {
            let development = try LiveEnvironment("development")
            let members = (0..<100).map { (name: "key\($0)", value: JSONValue.string("some text that compresses")) }
            try development.reset(to: .object(JSONObject(members)))
            let compressing = development.instance.client(decompresses: true)
            let answer = try compressing.send("GET", development.path("config"))
            let tag = try #require(answer.header("ETag"))
            #expect(tag.hasPrefix("W/"))
            let again = try compressing.send("GET", development.path("config"), headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.header("Almanac-Revision") == answer.header("Almanac-Revision"))
            // The client sends no token, because with a token the response may contain flags and has another tag.
            let strong = try development.instance.client().send("GET", development.path("config"))
            #expect(strong.header("ETag").map { "W/" + $0 } == tag)
            #expect(
                try compressing.send("GET", development.path("config.json"), headers: [("If-None-Match", tag)]).status
                    == 200)
        }

        @Test func `an immutable delta stays what it was and is kept by nginx`() throws {
            let development = try LiveEnvironment("development")
            let start = try #require(try development.reset(to: ["a": 1]).revision)
            let client = development.client()
            let end = try #require(try client.put(development.path("config/a"), 2).revision)
            let path = development.path("config?since=\(start)&revision=\(end)")
            let first = try development.instance.client().send("GET", path)
            #expect(first.header("Cache-Control") == "public, max-age=31536000, immutable")
            _ = try client.put(development.path("config/a"), 3)
            for reader in [development.instance.client(), client] {
                let later = try reader.send("GET", path)
                #expect(later.body == first.body)
                #expect(later.header("Almanac-Revision") == "\(end)")
            }
        }

        @Test func `a revision that is not there is waited for, and then refused with a time to try again`() throws {
            let development = try LiveEnvironment("development")
            let revision = try #require(try development.reset(to: ["a": 1]).revision)
            let client = development.client()
            let reached = try client.send(
                "GET", development.path("config"), headers: [("Almanac-Min-Revision", "\(revision)")])
            #expect(reached.status == 200)
            let missing = try client.send(
                "GET", development.path("config"), headers: [("Almanac-Min-Revision", "\(revision + 1)")])
            #expect(missing.status == 503)
            #expect(missing.problem == "revision-not-reached")
            #expect(missing.header("Retry-After") == "1")
        }
    }
}
