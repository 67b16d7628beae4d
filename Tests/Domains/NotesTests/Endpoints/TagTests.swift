import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct TagTests {
    /// Returns an object's tags and pin as `a,b pinned`, or nil if it has neither.
    private func filing(_ object: JSONObject?) -> String? {
        guard let tags = object?["tags"]?.arrayValue, let isPinned = object?["pinned"]?.boolValue else { return nil }
        return tags.compactMap(\.stringValue).joined(separator: ",") + (isPinned ? " pinned" : "")
    }

    private func filing(_ answer: NotesResponse) throws -> String? { filing(try answer.json.objectValue) }

    private func note(_ instance: NotesInstance, _ id: String = "n1") throws -> String? {
        try filing(instance.call("GET", "/notes/\(id)").expecting(200))
    }

    @Test func `every answer shows a note's tags and pin`() throws {
        let instance = try NotesInstance()
        var results = try instance.act(
            """
            [["createNote", {"action_id": "a", "id": "n1", "body": "milk",
               "tags": ["to do", "Straße", "to do"], "pinned": true}],
             ["createNote", {"id": "n2"}]]
            """)
        #expect(results.map { filing($0) } == ["Straße,to do pinned", ""])
        results = try instance.act(
            """
            [["updateNote", {"id": "n2", "tags": {"add": ["🛒"]}}], ["createNote", {"action_id": "a", "id": "n1"}]]
            """)
        #expect(results.map { filing($0) } == ["🛒", "Straße,to do pinned"])
        #expect(filing(results[1]["note"]?.objectValue) == "Straße,to do pinned")
        #expect(try note(instance) == "Straße,to do pinned")
        for query in ["", "?newest=true", "?since=0", "?q=milk"] {
            let list = try instance.call("GET", "/notes\(query)").expecting(200)
            #expect(filing(list.detail("n1")) == "Straße,to do pinned", "\(query)")
        }
        try instance.act(#"[["deleteNote", "n2"]]"#)
        #expect(filing(try instance.call("GET", "/notes?form=trash").detail("n2")) == "🛒")
        let export = try instance.call("GET", "/account").expecting(200)
        let notes = try #require(export[member: "notes"]?.arrayValue).map(\.objectValue)
        #expect(notes.map { filing($0) } == ["Straße,to do pinned", "🛒"])
        #expect(filing(notes[1]?["history"]?.arrayValue?.last?.objectValue) == "")
    }

    @Test func `an update that knows nothing of tags keeps them`() throws {
        let instance = try NotesInstance()
        try instance.act(#"[["createNote", {"id": "n1", "body": "milk", "tags": ["work"], "pinned": true}]]"#)
        try instance.act(
            #"[["updateNote", {"id": "n1", "base": 1, "body": [4, "!"]}], ["moveNote", {"id": "n1", "after": null}]]"#)
        try instance.call("PUT", "/notes/n1", #"{"body": "tea"}"#, as: "alice", ("If-Match", "*")).expecting(200)
        try instance.act(
            #"[["deleteNote", "n1"], ["restoreNote", {"id": "n1"}], ["restoreNote", {"id": "n1", "revision": 1}]]"#)
        #expect(try note(instance) == "work pinned" && instance.body("n1") == "milk")
    }

    @Test func `one note's tags are put and patched`() throws {
        let instance = try NotesInstance()
        var answer = try instance.call("PUT", "/notes/n1", #"{"body": "milk", "tags": ["b", "a"]}"#).expecting(201)
        #expect(try filing(answer) == "a,b")
        let base = try #require(answer["ETag"])
        try instance.call("PATCH", "/notes/n1", #"{"tags": {"add": ["c"], "remove": ["a"]}, "pinned": true}"#)
            .expecting(200)
        #expect(try note(instance) == "b,c pinned")
        // The client replaces b by d. Another client removed a and added c, and both of its changes stay.
        answer = try instance.call("PUT", "/notes/n1", #"{"tags": ["a", "d"]}"#, as: "alice", ("If-Match", base))
            .expecting(200)
        #expect(try filing(answer) == "c,d pinned")
        answer = try instance.call(
            "PUT", "/notes/n1", #"{"tags": [], "pinned": false}"#, as: "alice", ("If-Match", "*"))
        #expect(try filing(answer.expecting(200)) == "" && instance.body("n1") == "milk")
        #expect(try instance.call("PUT", "/notes/n1", #"{"tags": ["x"]}"#).outcome == "428 precondition-required")
        #expect(
            try instance.call("PUT", "/notes/n1", "{}", as: "alice", ("If-Match", "*")).outcome == "422 invalid-value")
        #expect(try instance.call("PATCH", "/notes/n1", "{}").outcome == "422 invalid-value")
        #expect(try instance.call("PATCH", "/notes/n1", #"{"tags": {"add": ["\u0007"]}}"#).outcome == "422 invalid-tag")
        let many = (0..<33).map { #""t\#($0)""# }.joined(separator: ",")
        #expect(
            try instance.call("PATCH", "/notes/n1", #"{"tags": {"add": [\#(many)]}}"#).outcome == "422 too-many-tags")
        #expect(try instance.call("PUT", "/notes/n2", #"{"tags": [\#(many)]}"#).outcome == "422 too-many-tags")
        #expect(try instance.call("GET", "/notes").order == ["n1"])
        #expect(
            try instance.call("PUT", "/notes/n2", #"{"pinned": true}"#).expecting(201)[member: "pinned"] == .some(true))
    }

    @Test func `a merge on a base brings the texts that the client is missing, and tags as they are`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "body": "milk"}],
             ["updateNote", {"id": "n1", "base": 1, "body": [4, "!"]}]]
            """
        )
        let result = try instance.act(#"[["updateNote", {"id": "n1", "base": 1, "tags": {"add": ["work"]}}]]"#)[0]
        #expect(result.outcome == "merged" && result["body"] == [4, "!"] && filing(result) == "work")
        let alone = try instance.act(#"[["updateNote", {"id": "n1", "tags": {"add": ["play"]}}]]"#)[0]
        #expect(alone.outcome == "applied" && alone["body"] == nil && filing(alone) == "play,work")
        let future = try instance.act(#"[["updateNote", {"id": "n1", "base": 99, "tags": {"add": ["play"]}}]]"#)[0]
        #expect(future.outcome == "rejected delta-mismatch")
    }

    @Test func `a change of tags or pin leaves a note in the trash, and does not keep it from there`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "one"), ("n2", "two"))
        let seen = try instance.call("GET", "/notes").cursor
        try instance.act(#"[["deleteNote", "n1"]]"#)
        var result = try instance.act(#"[["updateNote", {"id": "n1", "tags": {"add": ["work"]}, "pinned": true}]]"#)[0]
        #expect(result.outcome == "applied" && result["deleted"] == .some(true) && filing(result) == "work pinned")
        #expect(try instance.call("GET", "/notes").order == ["n2"])
        #expect(filing(try instance.call("GET", "/notes?form=trash").detail("n1")) == "work pinned")
        #expect(try instance.call("GET", "/notes?since=\(seen)").deleted == ["n1"])
        try instance.act(#"[["updateNote", {"id": "n2", "tags": {"add": ["work"]}}]]"#)
        result = try instance.act(#"[["deleteNote", {"id": "n2", "base": "\#(seen)"}]]"#)[0]
        #expect(result.outcome == "applied" && result["deleted"] == .some(true))
        result = try instance.act(#"[["updateNote", {"id": "n1", "base": "\#(seen)", "body": [3, "!"]}]]"#)[0]
        #expect(result.outcome == "applied restored" && filing(result) == "work pinned")
    }

    @Test func `the history shows how the note was filed after each action, page by page`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "body": "a", "tags": ["work"]}],
             ["updateNote", {"id": "n1", "base": 1, "body": [1, "b"]}],
             ["updateNote", {"id": "n1", "pinned": true}],
             ["moveNote", {"id": "n1", "after": null}],
             ["updateNote", {"id": "n1", "base": 3, "body": [2, "c"], "tags": {"add": ["to do"], "remove": ["work"]}}],
             ["deleteNote", "n1"]]
            """)
        let expected = ["to do pinned", "to do pinned", "work pinned", "work", "work"]
        for limit in 1...6 {
            var found: [String?] = []
            var before: Int64? = .max
            while let next = before {
                let page = try instance.call("GET", "/notes/n1/history?limit=\(limit)&before=\(next)").expecting(200)
                found += try #require(page[member: "history"]?.arrayValue).map { filing($0.objectValue) }
                before = page[member: "next"]?.numberValue?.int64
            }
            #expect(found == expected, "\(limit)")
        }
        let past = try (1...4).map { try filing(instance.call("GET", "/notes/n1?revision=\($0)").expecting(200)) }
        #expect(past == ["work", "work", "work pinned", "to do pinned"])
    }

    @Test func `a note that comes from elsewhere keeps its times until it changes`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "created_at": "2019-01-02T03:04:05.678Z",
               "updated_at": "2020-01-02T03:04:05Z"}],
             ["createNote", {"id": "n2", "created_at": "2019-01-02T03:04:05.678Z",
               "updated_at": "2018-01-02T03:04:05Z"}],
             ["createNote", {"id": "n3", "created_at": "9000-01-02T03:04:05.678Z",
               "updated_at": "9999-01-02T03:04:05Z"}]]
            """)
        func times(_ id: String) throws -> [String?] {
            let note = try #require(try instance.call("GET", "/notes/\(id)").expecting(200).json.objectValue)
            return [note.text("created_at"), note.text("updated_at"), note.text("edited_at")]
        }
        let (created, edited) = ("2019-01-02T03:04:05.678Z", "2020-01-02T03:04:05.000Z")
        #expect(try times("n1") == [created, edited, edited])
        #expect(try times("n2") == [created, created, created])
        let future = try times("n3")
        #expect(Set(future).count == 1 && future[0] ?? "9" < "9")
        // A client that syncs by time must receive the changed notes.
        #expect(try instance.call("GET", "/notes?since=2021-01-01T00:00:00Z").order == ["n1", "n2", "n3"])
        try instance.act(#"[["updateNote", {"id": "n1", "pinned": true}]]"#)
        #expect(try times("n1")[0] == created && times("n1")[1] ?? "" > "2021" && times("n1")[2] == edited)
        try instance.act(#"[["updateNote", {"id": "n1", "base": 4, "body": ["milk"]}]]"#)
        #expect(try times("n1")[1] == times("n1")[2] && times("n1")[1] ?? "" > "2021")
    }

    @Test func `nothing of tags is left of a note that was removed for good, nor of an erased account`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "n1", "tags": ["a secret tag"], "pinned": true,
               "updated_at": "2020-01-02T03:04:05Z"}],
             ["updateNote", {"id": "n1", "tags": {"add": ["a secret too"]}}], ["purgeNote", {"id": "n1"}]]
            """)
        func dump() throws -> String {
            try ["notes", "note_revisions", "note_actions", "accounts"].map { table in
                let rows = try instance.query("dump_\(table)", "select t::text as line from \(table) t")
                return try rows.map { try $0.text("line") }.joined(separator: "\n")
            }.joined(separator: "\n")
        }
        #expect(try !dump().contains("secret"))
        let row = try instance.query("left", "select tags::text as tags, pinned, written_at from notes")[0]
        #expect(
            try row.text("tags") == "{}" && row.boolean("pinned") == false && row.optionalTimestamp("written_at") == nil
        )
        let account = try instance.query("sums", "select bytes, history_bytes from accounts")[0]
        #expect(try account.bigint("bytes") == 0 && account.bigint("history_bytes") == 0)
        try instance.act(#"[["createNote", {"id": "n2", "tags": ["a secret tag"]}]]"#)
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        #expect(try dump() == "\n\n\n")
    }

    @Test func `tags count among the account's bytes, and in its history`() throws {
        let instance = try NotesInstance()
        try instance.act(#"[["createNote", {"id": "n1", "title": "T", "tags": ["Straße", "a\"b\\c"]}]]"#)
        func bytes() throws -> Int64 { try instance.query("bytes", "select bytes from accounts")[0].bigint("bytes") }
        #expect(try bytes() == 1 + 7 + 5)
        try instance.act(#"[["updateNote", {"id": "n1", "tags": {"remove": ["Straße"], "add": ["🛒"]}}]]"#)
        #expect(try bytes() == 1 + 4 + 5 && note(instance) == "a\"b\\c,🛒")
        let row = try instance.query(
            "sums",
            """
            select a.history_bytes, sum(note_history_bytes(r.title, r.body, r.tags))::bigint as summed
            from accounts a join note_revisions r on r.account_id = a.id group by a.id
            """)[0]
        #expect(try row.bigint("history_bytes") == row.bigint("summed"))
        try instance.act(#"[["purgeNote", {"id": "n1"}]]"#)
        #expect(try bytes() == 0)
    }
}
