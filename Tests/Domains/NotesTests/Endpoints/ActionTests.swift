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
        let earlier = try instance.call("GET", "/notes/n1?revision=2")
        #expect(earlier[member: "title"] == .some("Groceries!") && earlier[member: "body"] == .some("milk\nbread"))
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
        (#"["updateNote",{"id":"n1","base":1,"body":[4]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":0,"body":[3]}]"#, "delta-mismatch"),
        (#"["updateNote",{"id":"n1","base":"1.abcdefgh","body":[3]}]"#, "resync"),
        (#"["updateNote",{"id":"n1","base":1,"body":[0,3]}]"#, "invalid-value"),
        (#"["createNote",{"id":"n1","body":""}]"#, "note-exists"),
        (#"["createNote",{"id":"n2","after":"never"}]"#, "note-gone"),
        (#"["moveNote",{"id":"n1","after":"never"}]"#, "note-gone"),
        (#"["purgeNote",{"id":"never"}]"#, "note-gone"),
        (#"null"#, "invalid-value"),
    ])
    func `an action that cannot be done is rejected and changes nothing`(action: String, problem: String) throws {
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
