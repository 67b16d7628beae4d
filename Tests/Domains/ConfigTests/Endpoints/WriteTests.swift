import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct WriteTests {
    @Test func `POST creates an entry once`() throws {
        let instance = try ConfigInstance()
        let body = #"{"key":"app.color","value":"pink","description":"of the sky"}"#
        let created = try instance.call("POST", "/config", body)
        #expect(created.outcome == "201")
        #expect(created["Location"] == "config/app.color")
        #expect(try created.json.objectValue?.members.map(\.name) == ["revision", "version", "cursor", "entries"])
        #expect(created[member: "revision"] == .some(1))
        #expect(created[member: "version"] == .some("1.0.0"))
        #expect(created[member: "cursor"] == .string("\(instance.snapshot.head.cursor)"))
        #expect(
            created[member: "entries"]
                == .some([
                    ["key": "app.color", "value": "pink", "updated_at": .string("\(instance.snapshot.head.updatedAt)")]
                ]))
        #expect(created["Almanac-Revision"] == "1" && created["Almanac-Version"] == "1.0.0")
        #expect(created["Cache-Control"] == "no-store")
        let again = try instance.call("POST", "/config", body)
        #expect(again.outcome == "409 entry-exists")
        #expect(again["Almanac-Revision"] == "1")
        #expect(instance.snapshot.head.revision == 1)
        try instance.delete("app.color")
        #expect(try instance.call("POST", "/config", body).outcome == "201")
    }

    @Test func `PUT creates or replaces an entry, and keeps its description unless told`() throws {
        let instance = try ConfigInstance()
        let created = try instance.call("PUT", "/config/a", #"{"value":1,"description":"d"}"#)
        #expect(created.outcome == "201" && created["Location"] == "a")
        let replaced = try instance.call("PUT", "/config/a", #"{"value":2}"#)
        #expect(replaced.outcome == "200" && replaced["Location"] == nil)
        #expect(try instance.call("GET", "/config/a")[member: "description"] == .some("d"))
        try instance.call("PUT", "/config/a", #"{"value":2,"description":null}"#).expecting(200)
        #expect(try instance.call("GET", "/config/a")[member: "description"] == .some(""))
        #expect(instance.snapshot.head.revision == 3)
    }

    @Test func `a write that makes one key the beginning of another is done, with a warning`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"app.theme":"dark","apple":1,"app-x":1}"#)
        func warnings(_ answer: TestResponse) -> [String]? {
            answer[member: "warnings"]?.arrayValue?.compactMap(\.stringValue)
        }
        let outer = try instance.call("PUT", "/config/app", #"{"value":{"theme":"dark"}}"#)
        #expect(outer.outcome == "201")
        #expect(warnings(outer)?.count == 1)
        #expect(warnings(outer)?.first?.contains("'app' has a value") == true)
        #expect(warnings(outer)?.first?.contains("'app.theme'") == true)
        let inner = try instance.call("PATCH", "/config", #"{"app.a.b":1,"app.theme.x":1,"other.key":1}"#)
        #expect(warnings(inner)?.count == 3, "app.a.b in app, app.theme.x in app and in app.theme: \(inner.body)")
        #expect(warnings(try instance.call("PUT", "/config/apple", #"{"value":2}"#)) == nil)
        try instance.delete("app")
        try instance.delete("app.theme")
        #expect(warnings(try instance.call("PUT", "/config/app.a.b", #"{"value":2}"#)) == nil)
    }

    @Test func `DELETE removes an entry that is there`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let removed = try instance.call("DELETE", "/config/a")
        #expect(removed.outcome == "200" && removed.revision == 2)
        #expect(removed[member: "version"] == .some("2.0.0"))
        #expect(removed[member: "entries"]?.arrayValue?.first?.objectValue?["deleted"] == .some(true))
        #expect(try instance.call("DELETE", "/config/a").outcome == "404 entry-not-found")
        #expect(try instance.call("DELETE", "/config/never").outcome == "404 entry-not-found")
        #expect(instance.snapshot.head.revision == 2)
    }

    @Test func `PATCH changes many keys in one release, and null removes`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":{"m":1,"n":2},"b":1,"c":[1]}"#)
        let answer = try instance.patch(
            #"{"a":{"m":null,"o":{"p":3,"q":null}},"b":null,"c":[null],"d":true,"never":null}"#)
        #expect(answer.revision == 2)
        #expect(answer["Almanac-Version"] == "2.0.0")
        #expect(try instance.config() == ["a": ["n": 2, "o": ["p": 3]], "c": [.null], "d": true])
        let entries = try #require(answer[member: "entries"]?.arrayValue)
        #expect(entries.map { $0.objectValue?["key"] } == ["a", "b", "c", "d"])
        let times = Set(entries.map { $0.objectValue?["updated_at"]?.stringValue })
        #expect(times == ["\(instance.snapshot.head.updatedAt)"])
    }

    @Test func `a patch of 500 keys is one release with one revision and one time`() throws {
        let instance = try ConfigInstance()
        let patch = JSONValue.object(JSONObject((0..<500).map { ("key\($0)", .number(JSONNumber($0))) }))
        let answer = try instance.patch("\(patch)")
        #expect(answer.revision == 1)
        #expect(answer[member: "entries"]?.arrayValue?.count == 500)
        #expect(try instance.config() == patch)
        #expect(Set(instance.snapshot.entries.map(\.revision)) == [1])
        #expect(Set(instance.snapshot.entries.map(\.updatedAt)) == [instance.snapshot.head.updatedAt])
        #expect(try instance.call("GET", "/releases").json.arrayValue?.count == 1)
    }

    @Test(arguments: [
        ("PUT", "/config/a", #"{"value":{"n":2,"m":1}}"#),
        ("PUT", "/config/a", #"{"value":{"m":1,"n":2},"description":"d"}"#),
        ("PATCH", "/config", "{}"), ("PATCH", "/config", #"{"never":null}"#), ("PATCH", "/config", #"{"a":{"m":1}}"#),
        ("PATCH", "/config", #"{"a":{"x":null}}"#), ("PATCH", "/config", #"{"a":{}}"#),
    ])
    func `a write that changes nothing makes no release`(method: String, path: String, body: String) throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":{"m":1,"n":2},"description":"d"}"#).expecting(201)
        let head = instance.snapshot.head
        let answer = try instance.call(method, path, body).expecting(200)
        #expect(answer[member: "revision"] == .some(1))
        #expect(answer[member: "version"] == .some("1.0.0"))
        #expect(answer[member: "entries"] == .some([]))
        try instance.service.refresh()
        #expect(instance.snapshot.head == head)
        #expect(try instance.call("GET", "/releases").json.arrayValue?.count == 1)
    }

    @Test func `versions follow from what a release did`() throws {
        let instance = try ConfigInstance()
        for (patch, version) in [
            (#"{"a":1}"#, "1.0.0"), (#"{"a":2}"#, "1.0.1"), (#"{"a":2.5}"#, "1.0.2"), (#"{"b":{"m":1}}"#, "1.1.0"),
            (#"{"b":{"n":1}}"#, "1.2.0"), (#"{"a":3,"b":{"m":2}}"#, "1.2.1"), (#"{"b":{"m":null}}"#, "2.0.0"),
            (#"{"b":{"n":"1"}}"#, "3.0.0"), (#"{"a":null,"c":1}"#, "4.0.0"), (#"{"a":1}"#, "4.1.0"),
            (#"{"a":"x"}"#, "5.0.0"),
            (#"{"c":2}"#, "5.0.1"),
        ] {
            #expect(try instance.patch(patch)["Almanac-Version"] == version, "\(patch)")
        }
    }

    @Test func `a write is done only while the config is as the writer saw it`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let seen = try #require(try instance.call("GET", "/config.json?version=1")["ETag"])
        try instance.put("a", "2")
        let calls = [
            ("PUT", "/config/a", #"{"value":3}"#), ("POST", "/config", #"{"key":"b","value":3}"#),
            ("PATCH", "/config", #"{"a":3}"#), ("DELETE", "/config/a", ""), ("DELETE", "/config/a?purge=true", ""),
            ("POST", "/releases/1/restore", ""), ("DELETE", "/majors/1", ""),
        ]
        for (method, path, body) in calls {
            let answer = try instance.call(method, path, body, as: .admin, ("If-Match", seen))
            #expect(answer.outcome == "412 precondition-failed", "\(method) \(path)")
            #expect(answer["Almanac-Cursor"] == "\(instance.snapshot.head.cursor)")
        }
        #expect(instance.snapshot.head.revision == 2)
        let now = try #require(try instance.call("GET", "/config")["ETag"])
        #expect(
            try instance.call("PUT", "/config/a", #"{"value":3}"#, as: .admin, ("If-Match", "W/\(now)")).status == 200)
        #expect(try instance.call("PUT", "/config/a", #"{"value":4}"#, as: .admin, ("If-Match", "*")).status == 200)
    }

    @Test func `PUT with If-None-Match of everything only creates`() throws {
        let instance = try ConfigInstance()
        let body = #"{"value":1}"#
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-None-Match", "*")).status == 201)
        let again = try instance.call("PUT", "/config/a", body, as: .admin, ("If-None-Match", "*"))
        #expect(again.outcome == "412 precondition-failed")
        #expect(again["Almanac-Revision"] == "1")
    }

    @Test func `PUT with If-Match of everything only replaces, If-None-Match refuses a state`() throws {
        let instance = try ConfigInstance()
        let body = #"{"value":1}"#
        let missing = try instance.call("PUT", "/config/a", body, as: .admin, ("If-Match", "*"))
        #expect(missing.outcome == "412 precondition-failed" && instance.snapshot.head.revision == 0)
        try instance.put("a", "0")
        let tag = try #require(try instance.call("GET", "/config")["ETag"])
        for (name, value) in [("If-None-Match", tag), ("If-None-Match", "\"0.x\", W/\(tag)")] {
            let same = try instance.call("PUT", "/config/a", body, as: .admin, (name, value))
            #expect(same.outcome == "412 precondition-failed")
        }
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-Match", "*")).status == 200)
        #expect(try instance.call("PUT", "/config/a", body, as: .admin, ("If-None-Match", tag)).status == 200)
    }

    @Test func `author and message are kept for the history`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":1}"#, as: .configWrite, ("Almanac-Message", "why é"))
            .expecting(201)
        let release = try instance.call("GET", "/releases/1")
        #expect(release[member: "author"] == .some("test config:write"))
        #expect(release[member: "message"] == .some("why é"))
        for message in [String(repeating: "x", count: 1025), "a\u{1}b", "a\u{FFFD}"] {
            let answer = try instance.call(
                "PUT", "/config/a", #"{"value":2}"#, as: .admin, ("Almanac-Message", message))
            #expect(answer.outcome == "400 invalid-header")
        }
        #expect(instance.snapshot.head.revision == 1)
    }

    @Test func `a read after a write through the same worker sees it`() throws {
        let instance = try ConfigInstance()
        for value in 1...20 {
            try instance.put("a", "\(value)")
            #expect(try instance.call("GET", "/config").entries == "a=\(value)")
        }
    }
}
