import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct NotesTests {
        private let alice: NotesClient

        init() throws { alice = try NotesUser().client() }

        @Test func `alice creates, edits and reads notes`() throws {
            #expect(try alice.send("GET", "notes").text.hasPrefix(#"{"revision":0,"#))
            let created = try alice.send("PUT", "notes/n1", #"{"title":"Groceries","body":"milk"}"#)
            #expect(created.status == 201)
            let tag = try #require(created.header("ETag"))
            let edited = try alice.send(
                "PUT", "notes/n1", #"{"title":"Groceries","body":"milk\nbread"}"#, headers: [("If-Match", tag)])
            #expect(edited.status == 200)
            let read = try alice.send("GET", "notes/n1")
            #expect(read["title"] == "Groceries" && read["body"] == "milk\nbread" && read["revision"] == 2)
            #expect(read.header("ETag") == edited.header("ETag"))
            #expect(read.header("Cache-Control") == "private, no-cache")
            let list = try alice.send("GET", "notes")
            #expect(try list.texts("order") == ["n1"])
            #expect(list["details"]?.objectValue?["n1"]?.objectValue?.text("body") == "milk\nbread")
            let listTag = try #require(list.header("ETag"))
            let unchanged = try alice.send("GET", "notes", headers: [("If-None-Match", listTag)])
            #expect(unchanged.status == 304)
        }

        /// Every call about one note. `ID` stands for the note's id.
        private static let calls: [(method: String, path: String, body: String?)] = [
            ("GET", "notes/ID", nil), ("GET", "notes/ID?revision=1", nil), ("GET", "notes/ID/history", nil),
            ("PUT", "notes/ID", #"{"body":"mine"}"#), ("PATCH", "notes/ID", #"{"base":1,"body":["mine",5]}"#),
            ("DELETE", "notes/ID", nil), ("DELETE", "notes/ID?purge=true", nil), ("POST", "notes/ID/restore", "{}"),
            ("POST", "notes", #"[["updateNote",{"id":"ID","base":1,"body":["mine",5]}],["deleteNote","ID"]]"#),
            ("POST", "notes", #"[["updateNote",{"id":"ID","body":[[0,"hers"],[1,"mine"]]}]]"#),
            ("POST", "notes", #"[["moveNote",{"id":"ID","after":null}],["purgeNote",{"id":"ID"}]]"#),
            ("POST", "notes", #"[["createNote",{"id":"other","after":"ID"}],["restoreNote",{"id":"ID"}]]"#),
            ("GET", "notes?q=hers", nil), ("GET", "notes?form=manifest", nil), ("GET", "account", nil),
        ]

        @Test func `bob sees no note of alice's and cannot tell it from one that doesn't exist`() throws {
            try alice.create(("hers", "hers"))
            let before = try alice.send("GET", "notes").body
            for call in Self.calls {
                // Use a new user each time, so that only the id differs: a PUT may create a note.
                let answers = try ["hers", "none"].map { id in
                    let bob = try NotesUser("bob").client()
                    let isEdit = call.method == "PUT" ? [("If-Match", "\"1\"")] : []
                    let answer = try bob.send(
                        call.method, call.path.replacing("ID", with: id), call.body?.replacing("ID", with: id),
                        headers: isEdit)
                    return (id, answer)
                }
                let seen = try answers.map { id, answer in
                    let names = answer.headers.map { $0.name.lowercased() }.sorted()
                    let document = try #require(try answer.json().objectValue)
                    let shown = ["instance", "cursor", "subject"].reduce(document) { $0.removing($1) }
                    return "\(answer.status) \(names) \(JSONValue.object(shown))".replacing(id, with: "ID")
                }
                #expect(seen[0] == seen[1], "\(call)")
                #expect(!answers[0].1.text.contains(#""body":"hers""#))
            }
            #expect(try alice.send("GET", "notes").body == before)
        }

        @Test func `a batch in the tuple form is applied in order`() throws {
            let results = try alice.act(
                """
                [["createNote", {"action_id": "a1", "id": "n5", "title": "", "body": ""}],
                 ["createNote", {"action_id": "a2", "id": "n1", "title": "Groceries", "body": "milk", "after": null}],
                 ["updateNote", {"action_id": "a3", "id": "n1", "base": 2, "title": [9], "body": [4, "\\nbread"]}],
                 ["moveNote",   {"action_id": "a4", "id": "n1", "after": "n5"}]]
                """)
            #expect(results.map(\.outcome) == ["applied", "applied", "applied", "applied"])
            #expect(results.map { $0.number("revision") } == [1, 2, 3, 4])
            #expect(results.map { $0.text("action_id") } == ["a1", "a2", "a3", "a4"])
            #expect(try alice.body("n1") == "milk\nbread")
            #expect(try alice.order() == ["n5", "n1"])
            #expect(try alice.outcomes(#"[["deleteNote", {"action_id": "a5", "id": "n1", "base": 4}]]"#) == ["applied"])
            #expect(try alice.order() == ["n5"])
        }

        @Test func `the older forms work: a bare id, a diff list without a base, a delta string`() throws {
            try alice.create(("n1", "milk 😸"), ("n2", ""))
            #expect(
                try alice.outcomes(
                    #"""
                    [["updateNote", {"id": "n1", "body": [[0, "milk "], [-1, "😸"], [1, "and bread"]]}],
                     ["updateNote", {"id": "n1", "base": 3, "body": "=5\t-4\t+or \t=5"}],
                     ["deleteNote", "n2"]]
                    """#) == ["applied", "applied", "applied"])
            #expect(try alice.body("n1") == "milk or bread")
            #expect(try alice.order() == ["n1"])
        }

        @Test func `a diff list as the real diff-match-patch writes it, with parts without text, is applied`() throws {
            try alice.create(("n1", "milk and bread"))
            let list = #"[[0, "milk "], [-1, ""], [1, ""], [-1, "and"], [1, "or"], [0, " bread"], [1, ""]]"#
            #expect(try alice.outcomes(#"[["updateNote", {"id": "n1", "base": 1, "body": \#(list)}]]"#) == ["applied"])
            #expect(try alice.body("n1") == "milk or bread")
        }

        @Test func `edits from the same base all survive, in different places and in the same`() throws {
            try alice.create(("n1", "one two three"))
            #expect(
                try alice.outcomes(
                    #"""
                    [["updateNote", {"id": "n1", "base": 1, "body": ["zero ", 13]}],
                     ["updateNote", {"id": "n1", "base": 1, "body": [13, " four"]}],
                     ["updateNote", {"id": "n1", "base": 1, "body": [13, " 4"]}]]
                    """#) == ["applied", "merged", "merged"])
            #expect(try alice.body("n1") == "zero one two three four 4")
        }

        @Test func `a merged action tells the client what it is missing`() throws {
            try alice.create(("n1", "one 😸 two"))
            try alice.act(#"[["updateNote", {"id": "n1", "base": 1, "body": ["0 ", 10]}]]"#)
            let result = try alice.act(#"[["updateNote", {"id": "n1", "base": 1, "body": [10, " 3"]}]]"#)[0]
            #expect(result.outcome == "merged")
            #expect(result["body"] == ["0 ", 12])
        }

        @Test func `an edit that the deleter had not seen brings the note back`() throws {
            try alice.create(("n1", "milk"), ("n2", "tea"))
            // The edit comes first, then the delete of a device that had not seen the edit.
            #expect(
                try alice.outcomes(
                    #"""
                    [["updateNote", {"id": "n1", "base": 1, "body": [4, "!"]}],
                     ["deleteNote", {"id": "n1", "base": 1}]]
                    """#) == ["applied", "merged restored"])
            // Now the delete comes first.
            #expect(
                try alice.outcomes(
                    #"""
                    [["deleteNote", {"id": "n2", "base": 2}],
                     ["updateNote", {"id": "n2", "base": 2, "body": [3, "!"]}]]
                    """#) == ["applied", "applied restored"])
            #expect(try alice.body("n1") == "milk!")
            #expect(try alice.body("n2") == "tea!")
        }

        @Test func `PUT with If-Match merges, PATCH takes a delta`() throws {
            let first = try alice.send("PUT", "notes/n1", #"{"title":"t","body":"one\ntwo\nthree"}"#)
            let tag = [("If-Match", try #require(first.header("ETag")))]
            #expect(try alice.send("PUT", "notes/n1", #"{"body":"x"}"#).outcome == "428 precondition-required")
            #expect(
                try alice.send("PUT", "notes/n1", #"{"body":"x"}"#, headers: [("If-None-Match", "*")]).outcome
                    == "412 precondition-failed")
            #expect(try alice.send("PUT", "notes/n1", #"{"body":"ONE\ntwo\nthree"}"#, headers: tag).status == 200)
            let merged = try alice.send("PUT", "notes/n1", #"{"body":"one\ntwo\nTHREE"}"#, headers: tag)
            #expect(merged["status"] == "merged")
            #expect(merged["note"]?.objectValue?.text("body") == "ONE\ntwo\nTHREE")
            let patched = try alice.send("PATCH", "notes/n1", #"{"body":[4,"and a half ",9]}"#, headers: tag)
            #expect(patched["status"] == "merged")
            #expect(try alice.body("n1") == "ONE\nand a half two\nTHREE")
            #expect(
                try alice.send("PATCH", "notes/n1", #"{"base":1,"title":["T: ",1]}"#)["note"]?.objectValue?.text(
                    "title") == "T: t")
        }

        @Test func `a bad action in the middle of a batch does not hold up those after it`() throws {
            #expect(
                try alice.outcomes(
                    #"""
                    [["createNote", {"id": "n1", "body": "milk"}],
                     ["updateNote", {"id": "n1", "base": 1, "body": [99]}],
                     ["frobNote", {"id": "n1"}], 7,
                     ["updateNote", {"id": "n1", "base": 1, "body": [4, "!"]}],
                     ["createNote", {"id": "n1"}], ["deleteNote", "gone"],
                     ["createNote", {"id": "n2"}]]
                    """#) == [
                        "applied", "rejected delta-mismatch", "rejected invalid-value", "rejected invalid-value",
                        "applied", "rejected note-exists", "rejected note-gone", "applied",
                    ])
            #expect(try alice.body("n1") == "milk!")
            #expect(try alice.revision() == 3)
        }

        @Test func `moved notes stand where they were put`() throws {
            try alice.create(("a", ""), ("b", ""), ("c", ""), ("d", ""))
            #expect(try alice.order() == ["a", "b", "c", "d"])
            try alice.act(#"[["moveNote", {"id": "d", "after": null}], ["moveNote", {"id": "a", "after": "c"}]]"#)
            #expect(try alice.order() == ["d", "b", "c", "a"])
            #expect(try alice.outcomes(#"[["moveNote", {"id": "a", "after": "a"}]]"#) == ["rejected invalid-value"])
            #expect(try alice.outcomes(#"[["moveNote", {"id": "a", "after": "z"}]]"#) == ["rejected note-gone"])
        }
    }
}
