import AlmanacJSON
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct ActionTests {
    @Test func `a batch is applied in order and answers a result per action`() throws {
        let instance = try NotesInstance()
        let answer = try instance.call(
            "POST", "/notes",
            """
            [["createNote", {"action_id": "a1", "id": "n1", "title": "Groceries", "body": "milk"}],
             ["updateNote", {"action_id": "a2", "id": "n1", "base": 1, "title": [9, "!"], "body": [4, "\\nbread"]}],
             ["createNote", {"action_id": "a3", "id": "n2", "title": "Second", "body": ""}],
             ["moveNote",   {"action_id": "a4", "id": "n2", "after": null}],
             ["deleteNote", {"action_id": "a5", "id": "n1", "base": 2}]]
            """)
        #expect(answer.outcome == "200")
        #expect(try answer.results.map(\.outcome) == Array(repeating: "applied", count: 5))
        #expect(try answer.results.map { $0.number("revision") } == [1, 2, 3, 4, 5])
        #expect(try answer.results.map { $0.text("id") } == ["n1", "n1", "n2", "n2", "n1"])
        #expect(try answer.results.map { $0.text("action_id") } == ["a1", "a2", "a3", "a4", "a5"])
        #expect(answer[member: "revision"] == .some(5))
        #expect(answer["Almanac-Revision"] == "5" && answer["Almanac-Cursor"] == answer.cursor)
        #expect(answer["Cache-Control"] == "no-store")
        #expect(try instance.call("GET", "/notes").order == ["n2"])
        #expect(try instance.call("GET", "/notes/n1").outcome == "404 note-gone")
        let past = try instance.call("GET", "/notes/n1?revision=2")
        #expect(past[member: "title"] == .some("Groceries!") && past[member: "body"] == .some("milk\nbread"))
    }

    @Test func `the older forms work: a bare id, and diff lists without a base`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "one two"))
        let results = try instance.act(
            """
            [["updateNote", {"id": "n1", "body": [[0, "one"], [-1, " two"], [1, " three"]]}],
             ["updateNote", {"id": "n1", "title": "+New%20title", "body": "=9\\t+!", "base": 2}],
             ["deleteNote", "n1"]]
            """)
        #expect(results.map(\.outcome) == ["applied", "applied", "applied"])
        #expect(try instance.call("GET", "/notes/n1?revision=3")[member: "body"] == .some("one three!"))
        #expect(try instance.call("GET", "/notes/n1?revision=3")[member: "title"] == .some("New title"))
        #expect(try instance.call("GET", "/notes").order == [])
    }

    @Test func `parts without text in a diff list, which diff-match-patch writes, mean nothing`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "one two"))
        let results = try instance.act(
            """
            [["updateNote", {"id": "n1", "body": [[1, ""], [0, "one"], [-1, ""], [-1, " two"], [1, ""]], "base": 1}]]
            """)
        #expect(results.map(\.outcome) == ["applied"])
        #expect(try instance.body("n1") == "one")
    }

    @Test func `a rejected action does not keep those after it from being applied`() throws {
        let instance = try NotesInstance()
        let results = try instance.act(
            """
            [["createNote", {"action_id": "a1", "id": "n1", "body": "one"}],
             ["updateNote", {"action_id": "a2", "id": "n1", "base": 1, "body": [99]}],
             ["updateNote", {"action_id": "a3", "id": "n1", "base": 1, "body": [3, " two"]}]]
            """)
        #expect(results.map(\.outcome) == ["applied", "rejected delta-mismatch", "applied"])
        #expect(results[1].text("action_id") == "a2" && results[1].text("id") == "n1")
        #expect(results[1]["problem"]?.objectValue?.number("status") == 422)
        #expect(try instance.body("n1") == "one two")
        #expect(results[2].number("revision") == 2)
    }

    @Test(arguments: [
        (#"["updateNote",{"id":"n1","base":1,"body":[2]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[4]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[5,"x"]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":9,"body":[3]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":0,"body":[3]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[[0,"xyz"],[1,"!"]]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":1,"body":[0,3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":[1.5]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":{"a":1}}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":"=3\t+%00"}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"body":"=3\t+%zz"}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":-1,"body":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":"1.abcdefgh","body":[3]}]"#, "resync"),
        (#"["updateNote",{"id":"n1","body":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1}]"#, "invalid-value"),
        (#"["updateNote",{"id":"n1","base":1,"bodies":[3]}]"#, "invalid-value"),
        (#"["updateNote",{"id":"never","base":1,"body":[3]}]"#, "note-gone"),
        (#"["createNote",{"id":"n1","body":""}]"#, "note-exists"),
        (#"["createNote",{"id":"n 2","body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"","body":""}]"#, "invalid-value"),
        (#"["createNote",{"body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","body":7}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","action_id":"","body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","action_id":7,"body":""}]"#, "invalid-value"),
        (#"["createNote",{"id":"n2","after":"never"}]"#, "note-gone"),
        (#"["moveNote",{"id":"n1"}]"#, "invalid-value"),
        (#"["moveNote",{"id":"n1","after":"n1"}]"#, "invalid-value"),
        (#"["moveNote",{"id":"n1","after":"never"}]"#, "note-gone"),
        (#"["moveNote",{"id":"never","after":null}]"#, "note-gone"),
        (#"["deleteNote","never"]"#, "note-gone"),
        (#"["deleteNote",{"id":"n1","base":7}]"#, "delta-mismatch"),
        (#"["restoreNote",{"id":"never"}]"#, "note-gone"),
        (#"["restoreNote","n1"]"#, "invalid-value"),
        (#"["purgeNote",{"id":"never"}]"#, "note-gone"),
        (#"["explodeNote",{"id":"n1"}]"#, "invalid-value"),
        (#"["deleteNote"]"#, "invalid-value"),
        (#"[1,2]"#, "invalid-value"),
        (#"{"id":"n1"}"#, "invalid-value"),
        (#"null"#, "invalid-value"),
    ])
    func `what cannot be done is rejected and changes nothing`(action: String, problem: String) throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "abc"))
        let answer = try instance.call("POST", "/notes", "[\(action)]").expecting(200)
        #expect(try answer.results.map(\.outcome) == ["rejected \(problem)"])
        #expect(answer[member: "revision"] == .some(1))
        #expect(try instance.body("n1") == "abc")
    }

    @Test(arguments: [
        ("{}", "422 invalid-value"), ("[", "400 invalid-json"), ("", "400 invalid-json"),
        (#"[["createNote",{"id":"n1","body":"\u0000"}]"#, "400 invalid-json"),
        (#"{"\u0000":"\ud800"}"#, "422 invalid-value"),
        ("[[\"createNote\",{\"id\":\"n1\",\"body\":\"\u{0}\"}]]", "422 invalid-value"),
    ])
    func `a body that is no batch is refused`(body: String, outcome: String) throws {
        let instance = try NotesInstance()
        #expect(try instance.call("POST", "/notes", body).outcome == outcome)
        #expect(try instance.call("GET", "/notes")[member: "revision"] == .some(0))
    }

    @Test(arguments: [#"\u0000"#, #"a\ud800b"#, #"\udc00\ud800"#])
    func `a text that cannot be stored refuses its action alone`(text: String) throws {
        let instance = try NotesInstance()
        let results = try instance.act(
            """
            [["createNote", {"action_id": "a1", "id": "n1", "body": "one"}],
             ["updateNote", {"action_id": "a2", "id": "n1", "base": 1, "body": ["\(text)", 3]}],
             ["updateNote", {"action_id": "a\(text)", "id": "n1", "base": 1, "body": ["x", 3]}],
             ["\(text)", {"id": "n1"}], "\(text)", ["createNote", {"id": "n2", "\(text)": ""}],
             ["updateNote", {"action_id": "a3", "id": "n1", "base": 1, "body": [3, " two \\ud834\\udd1e"]}]]
            """)
        let refused = Array(repeating: "rejected invalid-value", count: 5)
        #expect(results.map(\.outcome) == ["applied"] + refused + ["applied"])
        #expect(results[1].text("action_id") == "a2" && results[1].text("id") == "n1")
        #expect(results[1]["problem"]?.objectValue?.number("status") == 422)
        #expect(results[2]["action_id"] == nil)
        #expect(try instance.body("n1") == "one two 𝄞")
        #expect(try instance.call("GET", "/notes").order == ["n1"])
    }

    @Test func `a split surrogate pair is refused, and whole ones are kept`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "a👩‍👩‍👧e\u{301}\r\nשלום"))
        let split = try instance.act(#"[["updateNote",{"id":"n1","base":1,"body":[2,"x",14]}]]"#)
        #expect(split[0].outcome == "rejected delta-mismatch")
        let length = "a👩‍👩‍👧e\u{301}\r\nשלום".utf16.count
        let whole = try instance.act(#"[["updateNote",{"id":"n1","base":1,"body":[1,-2,"x",\#(length - 3)]}]]"#)
        #expect(whole[0].outcome == "applied")
        let expected = "ax\u{200D}👩\u{200D}👧e\u{301}\r\nשלום"
        #expect(try instance.body("n1").map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test func `equivalent texts with other bytes are different texts`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "\u{e9}"))
        let results = try instance.act(#"[["updateNote",{"id":"n1","base":1,"body":[-1,"e\u0301"]}]]"#)
        #expect(results[0].number("revision") == 2)
        #expect(try instance.body("n1").map { Array($0.utf8) } == Array("e\u{301}".utf8))
    }

    @Test func `an empty batch changes nothing`() throws {
        let instance = try NotesInstance()
        let answer = try instance.call("POST", "/notes", "[]").expecting(200)
        #expect(answer[member: "revision"] == .some(0))
        #expect(try answer.results.isEmpty)
    }
}
