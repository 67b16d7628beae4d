import AlmanacEnvironments
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct LimitTests {
    private static let small = {
        var limits = Limits()
        (limits.noteTitleBytes, limits.noteBodyBytes, limits.notes) = (4, 10, 2)
        (limits.accountBytes, limits.batchActions, limits.bodyBytes) = (16, 3, 1000)
        return limits
    }()

    @Test func `the number and the bytes of an account's notes are bounded, the trash included`() throws {
        let instance = try NotesInstance(limits: Self.small)
        try instance.create(("n1", "0123456789"), ("n2", "01 345"))
        #expect(try instance.act(#"[["createNote", {"id": "n3"}]]"#)[0].outcome == "rejected limit-exceeded")
        let grow = #"["updateNote", {"id": "n2", "base": 2, "body": [6, "x"]}]"#
        #expect(try instance.act("[\(grow)]")[0].outcome == "rejected limit-exceeded")
        try instance.act(#"[["deleteNote", "n1"]]"#)
        #expect(try instance.act("[\(grow)]")[0].outcome == "rejected limit-exceeded")
        let shrink = try instance.act(
            #"[["updateNote", {"id": "n2", "base": 2, "body": [-1, 5]}], ["purgeNote", {"id": "n1"}], \#(grow)]"#)
        #expect(shrink.map(\.outcome) == ["applied", "applied", "merged"])
        try instance.create(("n3", "0123456789"))
        // Each user has a separate quota.
        try instance.create(("n1", "0123456789"), as: "bob")
        let rows = try instance.query(
            "counts",
            """
            select a.notes, a.bytes, count(n.id) as counted, sum(octet_length(n.title) + octet_length(n.body)) as summed
            from accounts a join notes n on n.account_id = a.id and n.purged_at is null
            group by a.id order by a.id
            """)
        for row in rows {
            #expect(try row.integer("notes") == row.integer("counted") && row.integer("bytes") == row.integer("summed"))
        }
    }

    @Test func `a refused first note is told why, although there is no account yet`() throws {
        let instance = try NotesInstance(limits: Self.small)
        let answer = try instance.call("PUT", "/notes/n1", #"{"title": "too long"}"#).expecting(422)
        #expect(answer.problem == "limit-exceeded")
    }

    @Test func `batches and requests are bounded`() throws {
        let instance = try NotesInstance(limits: Self.small)
        let batch = "[" + Array(repeating: #"["deleteNote","n1"]"#, count: 4).joined(separator: ",") + "]"
        #expect(try instance.call("POST", "/notes", batch).outcome == "422 limit-exceeded")
        let long = #"[["createNote", {"id": "n1", "body": "\#(String(repeating: "x", count: 1000))"}]]"#
        #expect(try instance.call("POST", "/notes", long).outcome == "413 body-too-large")
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(try instance.call("POST", "/notes", deep).outcome == "422 limit-exceeded")
    }

    @Test func `a note of a million lines is kept to the last byte`() throws {
        let instance = try NotesInstance()
        let body = String(repeating: "\n", count: 1_000_000)
        try instance.create(("n1", body))
        #expect(try instance.body("n1") == body)
        let edits = try instance.act(
            """
            [["updateNote", {"id": "n1", "base": 1, "body": ["a", 1000000]}],
             ["updateNote", {"id": "n1", "base": 1, "body": [999999, "b", 1]}]]
            """)
        #expect(edits.map(\.outcome) == ["applied", "merged"])
        #expect(try instance.body("n1") == "a" + String(repeating: "\n", count: 999_999) + "b\n")
    }

    @Test func `500 actions in one batch are applied`() throws {
        let instance = try NotesInstance()
        let actions = (0..<500).map { #"["createNote", {"action_id": "a\#($0)", "id": "n\#($0)", "body": "x"}]"# }
        let results = try instance.act("[" + actions.joined(separator: ",") + "]")
        #expect(results.map(\.outcome) == Array(repeating: "applied", count: 500))
        #expect(try instance.call("GET", "/notes").order == (0..<500).map { "n\($0)" })
    }
}
