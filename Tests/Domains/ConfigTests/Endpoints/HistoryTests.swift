import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct HistoryTests {
    @Test func `a key's history has every value it has had, newest first`() throws {
        let instance = try ConfigInstance()
        try instance.call(
            "PUT", "/config/a", #"{"value":1,"description":"d"}"#, as: .configWrite, ("Almanac-Message", "one")
        )
        .expecting(201)
        try instance.put("b", "1")
        try instance.delete("a")
        try instance.put("a", "[3]")
        let history = try #require(try instance.call("GET", "/config/a/history", as: .configRead).json.arrayValue)
        #expect(history.map { $0.objectValue?["revision"] } == [4, 3, 1])
        #expect(
            history[2].objectValue?.members.map(\.name)
                == ["revision", "version", "value", "description", "updated_at", "author", "author_name", "message"])
        #expect(history[2].objectValue?["value"] == .some(1))
        #expect(history[2].objectValue?["description"] == .some("d"))
        #expect(history[2].objectValue?["author"] == .some("test config:write"))
        #expect(history[2].objectValue?["author_name"] == .some("Olga Operator"))
        #expect(history[2].objectValue?["message"] == .some("one"))
        #expect(history[1].objectValue?["deleted"] == .some(true))
        #expect(history[1].objectValue?["version"] == .some("2.0.0"))
        #expect(history[0].objectValue?["value"] == .some([3]))
        #expect(history[0].objectValue?["updated_at"] == .string("\(instance.snapshot.head.updatedAt)"))
        #expect(try instance.call("GET", "/config/a/history?limit=1").json.arrayValue?.count == 1)
        let older = try instance.call("GET", "/config/a/history?before=3").json.arrayValue
        #expect(older?.map { $0.objectValue?["revision"] } == [1])
        #expect(try instance.call("GET", "/config/a/history?before=1").body == "[]")
        #expect(try instance.call("GET", "/config/never/history").outcome == "404 entry-not-found")
    }

    @Test func `the releases are listed newest first, in pages`() throws {
        let instance = try ConfigInstance()
        for value in 1...7 { try instance.patch(#"{"a":\#(value),"k\#(value)":true}"#) }
        let all = try #require(try instance.call("GET", "/releases").json.arrayValue)
        #expect(all.map { $0.objectValue?["revision"]?.numberValue?.int64 } == [7, 6, 5, 4, 3, 2, 1])
        #expect(
            all[0].objectValue?.members.map(\.name)
                == ["revision", "version", "released_at", "kind", "author", "author_name", "message", "keys"])
        #expect(all[0].objectValue?["keys"] == .some(["a", "k7"]))
        #expect(all[0].objectValue?["kind"] == .some("change"))
        var pages: [JSONValue] = []
        var before = ""
        while true {
            let page = try #require(try instance.call("GET", "/releases?limit=3\(before)").json.arrayValue)
            guard let last = page.last?.objectValue?["revision"] else { break }
            #expect(page.count <= 3)
            pages += page
            before = "&before=\(last)"
        }
        #expect(pages == all)
    }

    @Test func `the releases of one key are listed, with the other filters too`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":1}"#)
        try instance.put("b", "2")
        try instance.call("PUT", "/config/a", #"{"value":2}"#, as: .configWrite).expecting(200)
        try instance.call("DELETE", "/config/a?purge=true").expecting(200)
        func revisions(_ query: String) throws -> [Int64?]? {
            try instance.call("GET", "/releases\(query)").expecting(200).json.arrayValue?.map {
                $0.objectValue?["revision"]?.numberValue?.int64
            }
        }
        #expect(try revisions("?key=a") == [4, 3, 1])
        #expect(try revisions("?key=b") == [2, 1])
        #expect(try revisions("?key=a&author=test%20admin&limit=1") == [4])
        #expect(try revisions("?key=a&before=4") == [3, 1])
        #expect(try revisions("?key=never") == [])
        #expect(try instance.call("GET", "/releases?key=0").outcome == "400 invalid-key")
        #expect(try instance.call("GET", "/config/a/history?key=a").outcome == "400 invalid-parameter")
    }

    @Test func `a release shows what it changed, before and after`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":{"m":1},"c":1}"#)
        try instance.patch(#"{"a":2,"b":null,"d":[1]}"#)
        let release = try instance.call("GET", "/releases/2", as: .configRead)
        #expect(release[member: "revision"] == .some(2) && release[member: "version"] == .some("2.0.0"))
        #expect(
            release[member: "changes"]
                == .some([
                    ["key": "a", "before": 1, "after": 2, "description": ""], ["key": "b", "before": ["m": 1]],
                    ["key": "d", "after": [1], "description": ""],
                ]))
        #expect(try instance.call("GET", "/releases/3").outcome == "404 release-not-found")
        #expect(try instance.call("GET", "/releases/0").outcome == "404 release-not-found")
    }

    @Test func `a release shows the descriptions of a key before and after`() throws {
        let instance = try ConfigInstance()
        let changes: [(body: String, shown: JSONValue)] = [
            (
                #"{"a":{"value":1,"description":"Grüße"}}"#, [["key": "a", "after": 1, "description": "Grüße"]]
            ),
            (
                #"{"a":{"description":"Greetings"}}"#,
                [["key": "a", "before": 1, "after": 1, "description": "Greetings", "description_before": "Grüße"]]
            ),
            (#"{"a":{"value":2}}"#, [["key": "a", "before": 1, "after": 2, "description": "Greetings"]]),
            (#"{"a":null}"#, [["key": "a", "before": 2, "description_before": "Greetings"]]),
            // The new entry does not get the description of the removed one.
            (#"{"a":{"value":3}}"#, [["key": "a", "after": 3, "description": ""]]),
        ]
        for (index, change) in changes.enumerated() {
            try instance.call("PATCH", "/config?replace=true&form=entries", change.body).expecting(200)
            #expect(try instance.call("GET", "/releases/\(index + 1)")[member: "changes"] == .some(change.shown))
        }
    }

    @Test func `at shows the config as it was, to each major as that saw it`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":1}"#)
        let first = instance.snapshot.head
        try instance.patch(#"{"a":"x","c":1}"#)
        try instance.delete("b")
        try instance.put("c", "2")
        for (query, expected) in [
            ("at=0", ""), ("at=1", "a=1 b=1"), ("at=1.\(first.lineage)", "a=1 b=1"), ("at=2", #"a="x" b=1 c=1"#),
            ("at=3", #"a="x" c=1"#), ("at=4", #"a="x" c=2"#), ("at=1&version=1", "a=1 b=1"),
            ("at=2&version=1", "a=1 b=1 c=1"), ("at=4&version=1", "a=1 b=1 c=2"), ("at=3&version=2", #"a="x" b=1 c=1"#),
            ("at=4&version=2", #"a="x" b=1 c=2"#), ("at=4&version=3", #"a="x" c=2"#),
        ] {
            #expect(try instance.call("GET", "/config?\(query)", as: nil).entries == expected, "\(query)")
        }
        #expect(try instance.config("?at=1") == ["a": 1, "b": 1])
        #expect(try instance.config("?at=2&nested=true") == ["a": "x", "b": 1, "c": 1])
        let past = try instance.call("GET", "/config?at=1")
        #expect(past["Almanac-Revision"] == "1" && past["Last-Modified"] == first.updatedAt.httpDate)
        #expect(try instance.call("GET", "/config?at=1&version=2").outcome == "404 version-not-released")
        #expect(try instance.call("GET", "/config?at=5").outcome == "404 release-not-found")
        #expect(try instance.call("GET", "/config?at=1.other").outcome == "404 release-not-found")
        try instance.asSuperuser("update config_head set oldest_revision = 2")
        try instance.service.refresh()
        #expect(try instance.call("GET", "/config?at=1").outcome == "410 revision-not-kept")
        #expect(try instance.call("POST", "/releases/1/restore").outcome == "410 revision-not-kept")
        #expect(try instance.call("GET", "/config?at=2").status == 200)
    }

    @Test func `restoring brings an old state back as a new release, descriptions too`() throws {
        let instance = try ConfigInstance()
        try instance.call("PUT", "/config/a", #"{"value":1,"description":"first"}"#).expecting(201)
        try instance.patch(#"{"b":{"m":1},"c":1}"#)
        let then = try instance.config()
        try instance.call("PUT", "/config/a", #"{"value":1,"description":"second"}"#).expecting(200)
        try instance.patch(#"{"b":"x","c":null,"d":1}"#)
        let answer = try instance.call(
            "POST", "/releases/2/restore", as: .configWrite, ("Almanac-Message", "back")
        ).expecting(200)
        #expect(answer.revision == 5 && answer["Almanac-Version"] == "3.0.0")
        #expect(try instance.config() == then)
        #expect(try instance.call("GET", "/config/a")[member: "description"] == .some("first"))
        let release = try instance.call("GET", "/releases/5")
        #expect(release[member: "kind"] == .some("restore") && release[member: "message"] == .some("back"))
        #expect(
            try answer.json.objectValue?["entries"]?.arrayValue?.map { $0.objectValue?["key"] } == ["a", "b", "c", "d"])
    }

    @Test func `restoring the present makes no release`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "2")
        try instance.put("a", "1")
        for revision in [3, 1] {
            let answer = try instance.call("POST", "/releases/\(revision)/restore").expecting(200)
            #expect(answer.revision == 3 && answer[member: "entries"] == .some([]))
        }
    }

    @Test func `any state of a random history can be brought back`() throws {
        var random = Randomness()
        let instance = try ConfigInstance()
        var changes = RandomChanges()
        var states: [Int64: String] = [:]
        func described() throws -> String {
            try instance.snapshot.view(of: nil).live.map {
                "\($0.key)=\(try JSONValue(parsing: $0.value ?? [])) \($0.description)"
            }.joined(separator: "\n")
        }
        for _ in 0..<30 {
            try changes.next(&random).send(to: instance)
            states[instance.snapshot.head.revision] = try described()
        }
        // The first changes may change nothing, and revision 0 cannot be restored.
        for (revision, state) in states.filter({ $0.key > 0 }).shuffled(using: &random) {
            try instance.call("POST", "/releases/\(revision)/restore").expecting(200)
            #expect(try described() == state, "\(random.note) revision \(revision)")
        }
    }
}
