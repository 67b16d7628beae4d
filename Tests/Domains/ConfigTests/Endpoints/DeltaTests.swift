import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct DeltaTests {
    @Test func `since takes a revision, a cursor and a time in any of its forms`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let time = instance.snapshot.head.updatedAt
        try instance.patch(#"{"b":2,"c":3}"#)
        let lineage = instance.snapshot.head.lineage
        for since in [
            "1", "1.\(lineage)", "\(time)", "\(time)".replacing("Z", with: "%2B00:00"),
            "\(time)".replacing("Z", with: "+00:00"), "\(time)".replacing("Z", with: "-00:00"),
        ] {
            let answer = try instance.call("GET", "/config?since=\(since)", as: nil)
            #expect(try answer.entries == "b=2 c=3", "\(since)")
            #expect(answer["Almanac-Full"] == nil, "\(since)")
            #expect(answer["Cache-Control"] == "public, no-cache")
        }
        #expect(try instance.call("GET", "/config?since=0").entries == "a=1 b=2 c=3")
        #expect(try instance.call("GET", "/config?since=2").entries == "")
        #expect(try instance.call("GET", "/config?since=2020-10-17T18:43:19Z").entries == "a=1 b=2 c=3")
        #expect(try instance.call("GET", "/config?since=2020-10-17T18:43:19.5Z").entries == "a=1 b=2 c=3")
    }

    @Test func `a removed key is shown by a tombstone, and one that came back by its value`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":2}"#)
        let time = instance.snapshot.head.updatedAt
        try instance.delete("a")
        for since in ["1", "0", "\(time)"] {
            let answer = try instance.call("GET", "/config?since=\(since)")
            #expect(try answer.entries == (since == "0" ? "a=gone b=2" : "a=gone"))
            let tombstone = try answer.json.arrayValue?.first?.objectValue
            #expect(tombstone?.members.map(\.name) == ["key", "deleted", "updated_at"])
        }
        #expect(try instance.call("GET", "/config/\(time)").entries == "")
        try instance.put("a", "3")
        #expect(try instance.call("GET", "/config?since=1").entries == "a=3")
        #expect(try instance.call("GET", "/config?since=2").entries == "a=3")
    }

    @Test func `within a pinned major nothing is ever shown as removed`() throws {
        let instance = try ConfigInstance()
        try instance.patch(#"{"a":1,"b":2,"c":3}"#)
        try instance.delete("a")
        try instance.put("b", "\"two\"")
        try instance.put("c", "4")
        let first = try instance.call("GET", "/config?since=1&version=1")
        #expect(try first.entries == "c=4")
        #expect(first["Almanac-Major"] == "1" && first["Almanac-Version"] == "3.0.1")
        #expect(try instance.call("GET", "/config?since=0&version=1").entries == "a=1 b=2 c=4")
        #expect(try instance.call("GET", "/config?since=0&version=2").entries == "b=2 c=4")
        #expect(try instance.call("GET", "/config?since=0&version=3").entries == "b=\"two\" c=4")
        #expect(try instance.call("GET", "/config?since=0").entries == "a=gone b=\"two\" c=4")
    }

    @Test func `a cursor that names no state of this history is answered with all of it`() throws {
        let instance = try ConfigInstance()
        for value in 1...4 { try instance.put("a", "\(value)") }
        try instance.put("b", "1")
        try instance.asSuperuser("update config_head set oldest_revision = 3")
        try instance.service.refresh()
        let lineage = instance.snapshot.head.lineage
        for since in ["6", "6.\(lineage)", "4.other", "0.other", "2", "0", "2.\(lineage)", "999999999999999999"] {
            for query in ["since=\(since)", "since=\(since)&version=1"] {
                let answer = try instance.call("GET", "/config?\(query)")
                #expect(try answer.entries == "a=4 b=1", "\(query)")
                #expect(answer["Almanac-Full"] == "true", "\(query)")
                #expect(answer["Almanac-Cursor"] == "5.\(lineage)")
                #expect(answer["Cache-Control"] == "public, no-cache")
            }
        }
        for since in ["3", "4.\(lineage)", "5"] {
            #expect(try instance.call("GET", "/config?since=\(since)")["Almanac-Full"] == nil, "\(since)")
        }
    }

    @Test func `a cursor that another worker gave is no cursor from the future`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let behind = try ConfigInstance(on: instance.database)
        try instance.put("a", "2")
        let cursor = "\(instance.snapshot.head.cursor)"
        #expect(behind.snapshot.head.revision == 1)
        let answer = try behind.call("GET", "/config?since=\(cursor)")
        #expect(answer["Almanac-Full"] == nil && answer.revision == 2)
        #expect(try answer.entries == "")
    }

    @Test func `a delta with an end is immutable, before the head and at it`() throws {
        let instance = try ConfigInstance()
        for value in 1...3 { try instance.put("a", "\(value)") }
        let lineage = instance.snapshot.head.lineage
        for (query, expected) in [
            ("since=1&revision=2", "a=2"), ("since=1&revision=3", "a=3"), ("since=2&revision=2", ""),
            ("since=3&revision=3", ""), ("since=0&revision=1", "a=1"),
            ("since=1.\(lineage)&revision=3.\(lineage)", "a=3"),
        ] {
            let answer = try instance.call("GET", "/config?\(query)", as: nil)
            #expect(try answer.entries == expected, "\(query)")
            #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable", "\(query)")
        }
    }

    @Test func `an end in another lineage is answered with the whole state at once`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let lineage = instance.snapshot.head.lineage
        for query in [
            "since=41.other&revision=43.other", "since=1&revision=43.other", "since=41.other&revision=43",
            // After a failover or a restore, a client may have a cursor newer than the server's revision.
            "since=4.other&revision=1.\(lineage)",
        ] {
            let answer = try instance.call("GET", "/config?\(query)")
            #expect(answer.outcome == "200", "\(query)")
            #expect(answer["Almanac-Full"] == "true", "\(query)")
            #expect(answer["Cache-Control"] == "public, no-cache", "\(query)")
        }
    }

    @Test func `an end that is not reached yet is asked for again later`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        let answer = try instance.call("GET", "/config?since=0&revision=2")
        #expect(answer.outcome == "503 revision-not-reached")
        #expect(answer["Retry-After"] == "1")
    }

    @Test(arguments: [
        "since=", "since=x", "since=-1", "since=1.", "since=1.K3F9", "since=2020-10-17", "since=2020-13-17T18:43:19Z",
        "since=1e3", "since=1&revision=0", "since=1&revision=x", "since=1&revision=", "revision=1",
        "since=2020-10-17T18:43:19Z&revision=1", "since=1&at=1", "at=", "at=x", "at=2020-10-17T18:43:19Z", "at=-1",
        "at=1&revision=1", "since=1&since=1", "sinze=1", "at=%zz", "at=%ff",
    ])
    func `a malformed delta is refused`(query: String) throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "2")
        let answer = try instance.call("GET", "/config?\(query)")
        #expect(answer.outcome == "400 invalid-parameter", "\(query)")
    }

    /// Compares deltas served while a revision was the newest with the same deltas later.
    @Test func `an immutable delta never changes, pinned or not`() throws {
        var random = Randomness()
        let instance = try ConfigInstance()
        var served: [(query: String, body: String, tag: String?)] = []
        var changes = RandomChanges()
        for revision in 1...TestDepth.runs(quick: 20, standard: 25, long: 60) {
            while instance.snapshot.head.revision < revision { try changes.next(&random).send(to: instance) }
            let pins = [""] + instance.snapshot.majors.keys.map { "&version=\($0)" }
            for since in 0...revision {
                for pin in pins {
                    let query = "since=\(since)&revision=\(revision)\(pin)"
                    let answer = try instance.call("GET", "/config?\(query)").expecting(200)
                    #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
                    served.append((query, answer.body, answer["ETag"]))
                }
            }
        }
        for answer in served {
            let now = try instance.call("GET", "/config?\(answer.query)").expecting(200)
            try #require(now.body == answer.body, "\(random.note) \(answer.query)")
            try #require(now["ETag"] == answer.tag, "\(random.note) \(answer.query)")
            #expect(now["Cache-Control"] == "public, max-age=31536000, immutable")
        }
    }
}
