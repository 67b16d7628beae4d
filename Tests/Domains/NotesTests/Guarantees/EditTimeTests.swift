import AlmanacJSON
import AlmanacTestSupport
import Testing

/// `edited_at` is the time of the last edit of title or body.
@Suite(.database(.migrated)) struct EditTimeTests {
    private static let kinds: [(action: String, isEdit: Bool)] = [
        (#"["updateNote", {"id": "n1", "pinned": true}]"#, false),
        (#"["updateNote", {"id": "n1", "tags": {"add": ["work"]}}]"#, false),
        (#"["updateNote", {"id": "n1", "base": 2, "body": [4], "pinned": true}]"#, false),
        (#"["moveNote", {"id": "n1", "after": "n2"}]"#, false),
        (#"["deleteNote", "n1"], ["updateNote", {"id": "n1", "pinned": true}], ["restoreNote", {"id": "n1"}]"#, false),
        (#"["restoreNote", {"id": "n1", "revision": 2}]"#, false),
        (#"["updateNote", {"id": "n1", "base": 2, "title": ["Groceries"]}]"#, true),
        (#"["updateNote", {"id": "n1", "base": 2, "body": [4, "!"], "pinned": true, "tags": {"add": ["a"]}}]"#, true),
        (#"["updateNote", {"id": "n1", "base": 1, "body": ["tea, "]}]"#, true),
        (#"["restoreNote", {"id": "n1", "revision": 1}]"#, true),
    ]

    @Test(arguments: kinds)
    func `only a change of title or body is an edit`(_ action: String, _ isEdit: Bool) throws {
        let instance = try NotesInstance()
        try instance.act(
            #"[["createNote", {"id": "n1"}], ["updateNote", {"id": "n1", "base": 1, "body": ["milk"]}], "#
                + #"["createNote", {"id": "n2"}]]"#)
        let before = try #require(try instance.call("GET", "/notes").detail("n1"))
        #expect(before.text("edited_at") == before.text("updated_at"))
        try instance.act("[\(action)]")
        let after = try #require(try instance.call("GET", "/notes").detail("n1"))
        if isEdit { #expect(after.text("edited_at") == after.text("updated_at")) }
        #expect((after.text("edited_at") == before.text("edited_at")) == !isEdit)
        // Later changes of other kinds leave the time of the edit.
        try instance.act(#"[["updateNote", {"id": "n1", "pinned": false}], ["moveNote", {"id": "n1", "after": null}]]"#)
        let later = try #require(try instance.call("GET", "/notes").detail("n1"))
        #expect(later.text("edited_at") == after.text("edited_at"))
        #expect(try instance.call("GET", "/notes/n1").json.objectValue?.text("edited_at") == later.text("edited_at"))
    }

    @Test func `the export and the trash have the time of the last edit`() throws {
        let instance = try NotesInstance()
        try instance.act(
            #"[["createNote", {"id": "n1", "body": "milk"}], ["createNote", {"id": "n2"}], "#
                + #"["purgeNote", {"id": "n2"}]]"#)
        let edited = try instance.call("GET", "/notes").detail("n1")?.text("edited_at")
        try instance.act(#"[["deleteNote", {"id": "n1"}]]"#)
        #expect(try instance.call("GET", "/notes?form=trash").detail("n1")?.text("edited_at") == edited)
        let notes = try instance.call("GET", "/account").json.objectValue?["notes"]?.arrayValue?.map(\.objectValue)
        #expect(notes?.map { $0?.text("edited_at") == edited } == [true, false])
    }
}
