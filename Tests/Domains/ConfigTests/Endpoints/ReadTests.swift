import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct ReadTests {
    @Test func `an empty environment answers with an empty config at revision 0`() throws {
        let instance = try ConfigInstance()
        let answer = try instance.call("GET", "/config", as: nil)
        #expect(answer.outcome == "200" && answer.body == "[]")
        #expect(answer["Almanac-Revision"] == "0" && answer["Almanac-Version"] == "0.0.0")
        #expect(try instance.call("GET", "/config.json").body == "{}")
        #expect(try instance.call("GET", "/config.json?nested=true").body == "{}")
        #expect(try instance.call("GET", "/config?since=0").body == "[]")
        #expect(try instance.call("GET", "/config?at=0").body == "[]")
        #expect(try instance.call("GET", "/config/2020-10-17T18:43:19.000Z").body == "[]")
        #expect(try instance.call("GET", "/releases").body == "[]")
        #expect(try instance.call("GET", "/majors").body == "[]")
        #expect(try instance.call("GET", "/config?version=1").outcome == "404 version-not-released")
        #expect(try instance.call("GET", "/config?version=0").outcome == "404 version-not-released")
    }

    @Test func `the config is an array of key, value and time, ordered by the bytes of the keys`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"b":[1,null],"a.z":"é","a":{"m":1},"B":true,"_":0.5}"#)
        let answer = try instance.call("GET", "/config")
        #expect(try answer.entries == #"B=true _=0.5 a={"m":1} a.z="é" b=[1,null]"#)
        let time = "\(instance.snapshot.head.updatedAt)"
        for entry in try #require(try answer.json.arrayValue) {
            let names = try #require(entry.objectValue).members.map(\.name)
            #expect(names == ["key", "value", "updated_at"])
            #expect(entry.objectValue?["updated_at"] == .string(time))
        }
        #expect(time.hasSuffix("Z") && time.utf8.count == 24)
    }

    @Test func `every answer says which state it shows`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "2")
        let head = instance.snapshot.head
        for path in [
            "/config", "/config.json", "/config.json?nested=true", "/config/a", "/config?since=0", "/config?at=2",
            "/config/2020-10-17T18:43:19Z", "/config?since=2020-10-17T18:43:19Z", "/config?since=0&revision=2",
        ] {
            let answer = try instance.call("GET", path, as: nil)
            #expect(answer.outcome == "200", "\(path)")
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer["Almanac-Revision"] == "2", "\(path)")
            #expect(answer["Almanac-Cursor"] == "2.\(head.lineage)", "\(path)")
            #expect(answer["Almanac-Version"] == "1.0.1", "\(path)")
            #expect(answer["Last-Modified"] == head.updatedAt.httpDate, "\(path)")
            #expect(answer["Almanac-Major"] == nil && answer["Almanac-Full"] == nil && answer["Almanac-Stale"] == nil)
            #expect(answer["ETag"]?.hasPrefix("\"2.\(head.lineage)") == true, "\(path)")
        }
    }

    @Test func `one entry is shown with all that is known of it`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":{"m":[1]},"description":"what it is for"}"#).expecting(201)
        try instance.put("b", "1")
        let answer = try instance.call("GET", "/config/a", as: nil)
        let time = instance.snapshot.newest("a").map { "\($0.updatedAt)" } ?? ""
        #expect(
            try answer.json
                == [
                    "key": "a", "value": ["m": [1]], "description": "what it is for", "updated_at": .string(time),
                    "revision": 1,
                ])
        #expect(try instance.call("GET", "/config/missing").outcome == "404 entry-not-found")
        #expect(try instance.call("GET", "/config/A").outcome == "404 entry-not-found")
        try instance.delete("a")
        #expect(try instance.call("GET", "/config/a").outcome == "404 entry-not-found")
        #expect(try instance.call("GET", "/config/a?version=1").json.objectValue?["value"] == .some(["m": [1]]))
    }

    @Test func `config json is one object, and nested splits keys at their dots`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"app.color":"pink","app.button.text":"go","app.button.size":2,"debug":true}"#)
        #expect(
            try instance.config() == [
                "app.color": "pink", "app.button.text": "go", "app.button.size": 2, "debug": true,
            ])
        #expect(
            try instance.config("?nested=true")
                == ["app": ["color": "pink", "button": ["text": "go", "size": 2]], "debug": true])
        #expect(try instance.config("?nested=false") == instance.config())
    }

    @Test func `keys of which one has a value where another needs an object are answered, now and of the past`() throws
    {
        let instance = try ConfigInstance()
        try instance.patch(#"{"app":[1],"app.color":"pink","app.button.text":"go"}"#)
        try instance.put("other", "1")
        let overlapping = #"{"app":[1],"app.button.text":"go","app.color":"pink""#
        #expect(try instance.call("GET", "/config.json?nested=true").body == overlapping + #","other":1}"#)
        #expect(try instance.call("GET", "/config.json?nested=true&at=1").body == overlapping + "}")
        #expect(try instance.call("GET", "/config.json?nested=true&version=1").outcome == "200")
    }

    @Test func `a time in place of a key gives the entries changed since, without tombstones`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("b", "1")
        let seen = "\(instance.snapshot.head.updatedAt)"
        #expect(try instance.call("GET", "/config/\(seen)").body == "[]")
        #expect(try instance.call("GET", "/config/2020-10-17T18:43:19.000Z").entries == "a=1 b=1")
        #expect(try instance.call("GET", "/config/2020-10-17T18:43:19%2B02:00").entries == "a=1 b=1")
        try instance.put("b", "2")
        #expect(try instance.call("GET", "/config/\(seen)").entries == "b=2")
        try instance.delete("a")
        #expect(try instance.call("GET", "/config/\(seen)").entries == "b=2")
        #expect(try instance.call("GET", "/config/9999-12-31T23:59:59.999Z").body == "[]")
    }

    @Test func `answers may be shared with everyone only where everyone may read`() throws {
        let open = try ConfigInstance()
        #expect(try open.call("GET", "/config", as: nil)["Cache-Control"] == "public, no-cache")
        let closed = try ConfigInstance(configRead: .token)
        #expect(try open.call("GET", "/config", as: nil)["Vary"] == nil)
        try closed.put("a", "1")
        let cursor = closed.snapshot.cursor
        for (path, caching) in [
            ("/config", "private, no-cache"),
            ("/config?since=0&revision=\(cursor)", "private, max-age=31536000, immutable"),
        ] {
            let answer = try closed.call("GET", path, as: .configRead)
            #expect(answer["Cache-Control"] == caching && answer["Vary"] == "Authorization, Cookie", "\(path)")
        }
    }

    @Test func `an answer from a worker that cannot reach its database says so`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        instance.service.markStale()
        let answer = try instance.call("GET", "/config")
        #expect(try answer.entries == "a=1")
        #expect(answer["Almanac-Stale"] == "true")
        try instance.service.refresh()
        #expect(try instance.call("GET", "/config")["Almanac-Stale"] == nil)
    }

    @Test func `a reading that does not end keeps nobody from what is known, and is shared by all who wait`() throws {
        let instance = try ConfigInstance()
        let other = try ConfigInstance(on: instance.database)
        try instance.put("a", "1")
        let outcomes = Monitor<[String]>([])
        let lock = try Connection(instance.database.settings)
        try lock.transaction { lock in
            try lock.execute(script: "lock table config_head in access exclusive mode")
            for _ in 0..<4 {
                _ = AlmanacPOSIX.Thread(name: "waits") {
                    let answer = try? other.call("GET", "/config", as: nil, ("Almanac-Min-Revision", "1"))
                    outcomes.update { $0.append(answer?.outcome ?? "nothing") }
                }
            }
            // A request reads from the database, and the others wait up to a second for the result.
            #expect(outcomes.wait(upTo: .seconds(30)) { $0.count == 3 ? () : nil } != nil)
            #expect(try other.call("GET", "/config", as: nil).body == "[]")
        }
        let all = try #require(outcomes.wait(upTo: .seconds(30)) { $0.count == 4 ? $0 : nil })
        #expect(all.filter { $0 == "200" }.count == 1, "\(all)")
        #expect(other.snapshot.head.revision == 1)
    }

    @Test func `a reader may name the least revision that will do`() throws {
        let instance = try ConfigInstance()
        let other = try ConfigInstance(on: instance.database)
        try instance.put("a", "1")
        #expect(other.snapshot.head.revision == 0)
        #expect(try other.call("GET", "/config").body == "[]")
        #expect(try other.call("GET", "/config", as: nil, ("Almanac-Min-Revision", "1")).entries == "a=1")
        let late = try other.call("GET", "/config", as: nil, ("Almanac-Min-Revision", "2"))
        #expect(late.outcome == "503 revision-not-reached")
        #expect(late["Retry-After"] == "1" && late["Almanac-Revision"] == "1")
    }
}

extension JSONValue {
    fileprivate subscript(_ name: String) -> JSONValue? { objectValue?[name] }
}
