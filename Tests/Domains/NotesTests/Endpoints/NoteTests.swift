import AlmanacJSON
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct NoteTests {
    @Test func `PUT creates a note, and then needs to know what it replaces`() throws {
        let instance = try NotesInstance()
        let created = try instance.call("PUT", "/notes/n1", #"{"title": "T", "body": "milk"}"#)
        #expect(created.outcome == "201")
        #expect(created[member: "status"] == .some("applied"))
        #expect(created[member: "note"]?.objectValue?.text("body") == "milk")
        let tag = try #require(created["ETag"])
        #expect(try instance.call("GET", "/notes/n1")["ETag"] == tag)
        #expect(try instance.call("PUT", "/notes/n1", #"{"body": "bread"}"#).outcome == "428 precondition-required")
        #expect(try instance.body("n1") == "milk")
        let replaced = try instance.call("PUT", "/notes/n1", #"{"body": "bread"}"#, as: "alice", ("If-Match", tag))
        #expect(replaced.outcome == "200" && replaced[member: "status"] == .some("applied"))
        #expect(try instance.body("n1") == "bread")
        #expect(try instance.call("GET", "/notes/n1")[member: "title"] == .some("T"))
        let forced = try instance.call("PUT", "/notes/n1", #"{"body": "eggs"}"#, as: "alice", ("If-Match", "*"))
        #expect(forced.outcome == "200")
        #expect(try instance.body("n1") == "eggs")
        let new = try instance.call("PUT", "/notes/n1", #"{"body": ""}"#, as: "alice", ("If-None-Match", "*"))
        #expect(new.outcome == "412 precondition-failed")
    }

    @Test func `a date since when a note must not have changed is heeded`() throws {
        let instance = try NotesInstance()
        let date = try #require(try instance.call("PUT", "/notes/n1", #"{"body": "Milch, Brot"}"#)["Last-Modified"])
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        for (method, body) in [("PATCH", #"{"base": 1, "body": [11, ", Käse"]}"#), ("DELETE", nil)] {
            let refused = try instance.call(method, "/notes/n1", body, as: "alice", ("If-Unmodified-Since", old))
            #expect(refused.outcome == "412 precondition-failed")
            #expect(try instance.body("n1") == "Milch, Brot")
        }
        #expect(try instance.call("GET", "/notes/n1", as: "alice", ("If-Unmodified-Since", old)).status == 412)
        #expect(try instance.call("GET", "/notes", as: "alice", ("If-Unmodified-Since", old)).status == 412)
        // A note may change twice in one second.
        #expect(try instance.call("GET", "/notes/n1", as: "alice", ("If-Modified-Since", date)).status == 200)
        #expect(try instance.call("GET", "/notes/n1", as: "alice", ("If-Match", "\"0.x\"")).status == 412)
        let deleted = try instance.call("DELETE", "/notes/n1", as: "alice", ("If-Unmodified-Since", date))
        #expect(deleted.outcome == "200")
    }

    @Test func `PUT with the tag of an older text merges`() throws {
        let instance = try NotesInstance()
        let tag = try #require(try instance.call("PUT", "/notes/n1", #"{"body": "one two"}"#)["ETag"])
        _ = try instance.call("PUT", "/notes/n1", #"{"body": "ONE two"}"#, as: "alice", ("If-Match", tag)).expecting(
            200)
        let merged = try instance.call(
            "PUT", "/notes/n1", #"{"body": "one two!"}"#, as: "alice", ("If-Match", "W/\(tag)"))
        #expect(merged[member: "status"] == .some("merged"))
        #expect(merged[member: "note"]?.objectValue?.text("body") == "ONE two!")
        #expect(try instance.body("n1") == "ONE two!")
    }

    @Test func `PATCH takes deltas, based on a member or on a tag`() throws {
        let instance = try NotesInstance()
        let tag = try #require(try instance.call("PUT", "/notes/n1", #"{"body": "milk"}"#)["ETag"])
        let first = try instance.call("PATCH", "/notes/n1", #"{"base": 1, "body": [4, " bread"], "action_id": "a"}"#)
        #expect(first[member: "note"]?.objectValue?.text("body") == "milk bread")
        let second = try instance.call("PATCH", "/notes/n1", #"{"body": ["oat ", 4]}"#, as: "alice", ("If-Match", tag))
        #expect(second[member: "status"] == .some("merged"))
        #expect(try instance.body("n1") == "oat milk bread")
        let again = try instance.call("PATCH", "/notes/n1", #"{"base": 1, "body": [4, " bread"], "action_id": "a"}"#)
        #expect(again[member: "status"] == .some("duplicate"))
        #expect(try instance.call("PATCH", "/notes/n1", #"{"base": 1, "body": [9]}"#).outcome == "422 delta-mismatch")
        #expect(try instance.call("PATCH", "/notes/n1", #"{"body": [4]}"#).outcome == "422 invalid-value")
        #expect(try instance.call("PATCH", "/notes/n9", #"{"base": 1, "body": [4]}"#).outcome == "404 note-gone")
    }

    @Test func `DELETE puts into the trash, restore takes out, purge removes for good`() throws {
        let instance = try NotesInstance()
        let tag = try #require(try instance.call("PUT", "/notes/n1", #"{"body": "milk"}"#)["ETag"])
        let deleted = try instance.call("DELETE", "/notes/n1?action_id=d", as: "alice")
        #expect(deleted.outcome == "200" && deleted[member: "deleted"] == .some(true))
        #expect(deleted[member: "note"] == nil)
        #expect(try instance.call("GET", "/notes/n1").outcome == "404 note-gone")
        #expect(try instance.call("POST", "/notes/n1/restore").outcome == "200")
        #expect(try instance.body("n1") == "milk")
        // A repeated deletion with the same action id changes nothing.
        #expect(try instance.call("DELETE", "/notes/n1?action_id=d")[member: "status"] == .some("duplicate"))
        #expect(try instance.body("n1") == "milk")
        _ = try instance.call("PUT", "/notes/n1", #"{"body": "milk!"}"#, as: "alice", ("If-Match", tag)).expecting(200)
        let overruled = try instance.call("DELETE", "/notes/n1", nil, as: "alice", ("If-Match", tag))
        #expect(overruled[member: "restored"] == .some(true))
        #expect(try instance.body("n1") == "milk!")
        #expect(try instance.call("DELETE", "/notes/n1?purge=true").outcome == "200")
        #expect(try instance.call("DELETE", "/notes/n1").outcome == "404 note-gone")
        #expect(try instance.call("POST", "/notes/n1/restore").outcome == "404 note-gone")
    }

    @Test func `every earlier text is in the history, and there is a way back`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"action_id": "c", "id": "n1", "title": "T", "body": "one"}],
             ["updateNote", {"id": "n1", "base": 1, "body": [3, " two"]}], ["moveNote", {"id": "n1", "after": null}],
             ["updateNote", {"id": "n1", "base": 2, "title": [1, "!"]}], ["deleteNote", "n1"]]
            """)
        let history = try instance.call("GET", "/notes/n1/history").expecting(200)
        let actions = try #require(history[member: "history"]?.arrayValue).compactMap(\.objectValue)
        #expect(actions.map { $0.text("action") } == ["deleteNote", "updateNote", "updateNote", "createNote"])
        #expect(actions.map { $0.number("revision") } == [4, 3, 2, 1])
        #expect(actions.map { $0.text("body") } == [nil, nil, "one two", "one"])
        #expect(actions.map { $0.text("title") } == [nil, "T!", nil, "T"])
        #expect(actions.last?.text("action_id") == "c")
        let page = try instance.call("GET", "/notes/n1/history?limit=3")
        #expect(page[member: "more"] == .some(true) && page[member: "next"] == .some(2))
        #expect(try instance.call("GET", "/notes/n1/history?before=2")[member: "history"]?.arrayValue?.count == 1)
        #expect(try instance.call("GET", "/notes/n1?revision=1")[member: "body"] == .some("one"))
        #expect(try instance.call("GET", "/notes/n1?revision=9").outcome == "422 delta-mismatch")
        let restored = try instance.call("POST", "/notes/n1/restore", #"{"revision": 1}"#).expecting(200)
        #expect(restored[member: "restored"] == .some(true))
        let note = try instance.call("GET", "/notes/n1")
        #expect(note[member: "title"] == .some("T") && note[member: "body"] == .some("one"))
        #expect(note[member: "revision"] == .some(5))
    }

    @Test func `an unchanged note is not sent again`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        let tag = try #require(try instance.call("GET", "/notes/n1")["ETag"])
        #expect(try instance.call("GET", "/notes/n1", nil, as: "alice", ("If-None-Match", tag)).outcome == "304")
        try instance.create(("n2", ""))
        #expect(try instance.call("GET", "/notes/n1", nil, as: "alice", ("If-None-Match", tag)).outcome == "304")
    }

    @Test(arguments: [
        ("GET", "/notes/n%201", ""), ("PUT", "/notes/a%2Fb", "{}"), ("DELETE", "/notes/%C3%A9", ""),
        ("GET", "/notes/" + String(repeating: "x", count: 65), ""),
    ])
    func `a path with no id in it is refused`(method: String, path: String, body: String) throws {
        #expect(try NotesInstance().call(method, path, body.isEmpty ? nil : body).outcome == "400 invalid-key")
    }

    @Test(arguments: [
        ("PUT", "/notes/n1", "{}", "422 invalid-value"), ("PUT", "/notes/n1", "[]", "422 invalid-value"),
        ("PUT", "/notes/n1", #"{"text": ""}"#, "422 invalid-value"), ("PATCH", "/notes/n1", "{}", "422 invalid-value"),
        ("POST", "/notes/n1/restore", #"{"revision": "x"}"#, "422 invalid-value"),
        ("DELETE", "/notes/n1?action_id=", "", "400 invalid-parameter"),
        ("DELETE", "/notes/n1?purge=maybe", "", "400 invalid-parameter"),
    ])
    func `a body that makes no sense is refused`(method: String, path: String, body: String, outcome: String) throws {
        let instance = try NotesInstance()
        #expect(try instance.call(method, path, body.isEmpty ? nil : body).outcome == outcome)
    }
}
