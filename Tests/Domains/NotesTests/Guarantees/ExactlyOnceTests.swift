import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct ExactlyOnceTests {
    @Test func `an action sent again answers with its first result and the current text`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        let action = #"["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [4, " bread"]}]"#
        #expect(try instance.act("[\(action)]")[0].outcome == "applied")
        try instance.act(#"[["updateNote", {"id": "n1", "base": 2, "body": ["oat ", 10]}]]"#)
        let again = try instance.act("[\(action), \(action)]")
        #expect(again.map(\.outcome) == ["duplicate", "duplicate"])
        let first = try #require(again[0]["first"]?.objectValue)
        #expect(first.text("status") == "applied" && first.number("revision") == 2)
        #expect(again[0].number("revision") == 3)
        #expect(again[0]["note"]?.objectValue?.text("body") == "oat milk bread")
        #expect(try instance.body("n1") == "oat milk bread")
        #expect(try instance.call("GET", "/notes")[member: "revision"] == .some(3))
    }

    @Test(arguments: [
        #"["createNote", {"action_id": "a", "id": "n9", "body": "new"}]"#,
        #"["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [4, "!"]}]"#,
        #"["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": [4]}]"#,
        #"["moveNote", {"action_id": "a", "id": "n1", "after": "n2"}]"#,
        #"["moveNote", {"action_id": "a", "id": "n1", "after": null}]"#,
        #"["deleteNote", {"action_id": "a", "id": "n1", "base": 1}]"#,
        #"["restoreNote", {"action_id": "a", "id": "n1"}]"#,
        #"["purgeNote", {"action_id": "a", "id": "n1"}]"#,
    ])
    func `every kind of action takes effect once among 20 copies at the same time`(action: String) throws {
        let instance = try NotesInstance(connections: 20)
        try instance.create(("n1", "milk"), ("n2", ""))
        let outcomes = try concurrently(20) { _ in try instance.act("[\(action)]")[0].outcome }
        #expect(outcomes.filter { $0 == "applied" }.count == 1)
        #expect(outcomes.filter { $0 == "duplicate" }.count == 19)
        let rows = try instance.query(
            "counts",
            """
            select revision, (select count(*) from note_actions) as actions,
                (select max(revision) from note_revisions) as newest from accounts
            """)
        #expect(try rows[0].integer("revision") <= 3 && rows[0].integer("actions") == 1)
        #expect(try rows[0].integer("newest") == rows[0].integer("revision"))
    }

    @Test func `a new account made by 20 at the same time is one account`() throws {
        let instance = try NotesInstance(connections: 20)
        let revisions = try concurrently(20) { index in
            try instance.act(#"[["createNote", {"id": "n\#(index)", "body": ""}]]"#)[0].number("revision")
        }
        #expect(revisions.compactMap(\.self).sorted() == Array(1...20))
        #expect(try instance.query("accounts", "select 1 as one from accounts").count == 1)
        #expect(try instance.call("GET", "/notes").order.count == 20)
    }

    @Test func `an action of one account says nothing about the same id in another`() throws {
        let instance = try NotesInstance()
        let action = #"[["createNote", {"action_id": "a", "id": "n1", "body": "mine"}]]"#
        #expect(try instance.act(action, as: "alice")[0].outcome == "applied")
        #expect(try instance.act(action, as: "bob")[0].outcome == "applied")
    }

    @Test func `a rejected action may be sent again and then succeed`() throws {
        let instance = try NotesInstance()
        let action = #"[["updateNote", {"action_id": "a", "id": "n1", "base": 1, "body": ["x"]}]]"#
        #expect(try instance.act(action)[0].outcome == "rejected note-gone")
        try instance.create(("n1", ""))
        #expect(try instance.act(action)[0].outcome == "applied")
        #expect(try instance.act(action)[0].outcome == "duplicate")
    }
}
