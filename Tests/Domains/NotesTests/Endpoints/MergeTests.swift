import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing
import TextMerge

@Suite(.database(.migrated)) struct MergeTests {
    @Test func `two edits from one base in different places both survive`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "one two three"))
        let results = try instance.act(
            """
            [["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [-3, "ONE", 10]}],
             ["updateNote", {"action_id": "b", "id": "n1", "base": 1, "body": [8, -5, "THREE"]}]]
            """)
        #expect(results.map(\.outcome) == ["applied", "merged"])
        #expect(try instance.body("n1") == "ONE two THREE")
        // The delta leads from the second client's text to the server's.
        let delta = try #require(results[1]["body"]?.arrayValue)
        let elements: [DeltaElement] = delta.map { value in
            value.numberValue?.int64.map { .integer(Int($0)) } ?? .text(value.stringValue ?? "?")
        }
        #expect(try EncodedDelta(elements).apply(to: "one two THREE") == "ONE two THREE")
        #expect(results[1]["title"] == nil && results[1]["note"] == nil)
    }

    @Test func `any revision since the note's creation is a base, whatever changed elsewhere`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "a"), ("n2", "z"))
        try instance.act(
            """
            [["updateNote", {"id": "n1", "base": 1, "body": [1, " b"]}], ["moveNote", {"id": "n1", "after": "n2"}],
             ["updateNote", {"id": "n1", "base": 4, "body": [3, " c"]}], \
            ["updateNote", {"id": "n2", "base": 2, "body": [1, "y"]}]]
            """)
        let results = try instance.act(
            """
            [["updateNote", {"id": "n1", "base": 2, "body": ["x ", 1]}],
             ["updateNote", {"id": "n1", "base": 4, "body": ["y ", 3]}]]
            """)
        #expect(results.map(\.outcome) == ["merged", "merged"])
        #expect(try instance.body("n1") == "x y a b c")
    }

    @Test func `an edit the deleter had not seen keeps the note`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        let results = try instance.act(
            """
            [["updateNote", {"id": "n1", "base": 1, "body": [4, " bread"]}],
             ["deleteNote", {"action_id": "d", "id": "n1", "base": 1}]]
            """)
        #expect(results[1].outcome == "merged restored")
        #expect(results[1]["note"]?.objectValue?.text("body") == "milk bread")
        #expect(try instance.body("n1") == "milk bread")
        // Every device that dropped the note must receive it again.
        #expect(try instance.call("GET", "/notes?since=2").order == ["n1"])
    }

    @Test func `the trash keeps a note until it is purged, and a purged one is gone`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "secret"))
        var results = try instance.act(
            #"[["deleteNote", "n1"], ["restoreNote", {"id": "n1"}], ["restoreNote", {"id": "n1"}]]"#)
        #expect(results.map(\.outcome) == ["applied", "applied restored", "applied"])
        #expect(results.map { $0.number("revision") } == [2, 3, 3])
        #expect(try instance.body("n1") == "secret")
        results = try instance.act(
            """
            [["deleteNote", "n1"], ["purgeNote", {"action_id": "p", "id": "n1"}], ["restoreNote", {"id": "n1"}],
             ["updateNote", {"id": "n1", "base": 1, "body": [6, "!"]}], ["createNote", {"id": "n1"}]]
            """)
        #expect(
            results.map(\.outcome) == [
                "applied", "applied", "rejected note-gone", "rejected note-gone", "rejected note-gone",
            ])
        #expect(try instance.call("GET", "/notes?since=3").deleted == ["n1"])
        #expect(try instance.call("GET", "/notes/n1?revision=1").outcome == "404 note-gone")
        #expect(try instance.call("GET", "/notes/n1/history").outcome == "404 note-gone")
        let left = try instance.query(
            "left", "select count(*) as n from note_revisions where title is not null or body is not null")
        #expect(try left[0].integer("n") == 0)
        let account = try instance.query("account", "select notes, bytes from accounts")
        #expect(try account[0].integer("notes") == 0 && account[0].integer("bytes") == 0)
    }
}
