import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct TrashTests {
    private func trash(_ instance: NotesInstance, _ query: String = "") throws -> NotesResponse {
        try instance.call("GET", "/notes?form=trash\(query)").expecting(200)
    }

    @Test func `the trash shows what was deleted, the latest first, with its texts`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "one"), ("n2", "two"), ("n3", "three"), ("n4", "four"))
        try instance.act(#"[["deleteNote", "n3"], ["deleteNote", "n1"], ["deleteNote", "n4"]]"#)
        // A move changes a note's revision but not its deletion time.
        try instance.act(#"[["moveNote", {"id": "n3", "after": null}]]"#)
        let answer = try trash(instance)
        #expect(try answer.order == ["n4", "n1", "n3"])
        let note = try #require(answer.detail("n3"))
        #expect(note.text("body") == "three" && note.number("revision") == 8)
        let deletedAt = try #require(note.text("deleted_at"))
        #expect(deletedAt < (note.text("updated_at") ?? ""))
        #expect(answer[member: "more"] == .some(false) && answer[member: "next"] == nil)
        #expect(answer[member: "revision"] == .some(8) && answer[member: "deleted"] == nil)
    }

    @Test func `the trash has no note that was restored or purged`() throws {
        let instance = try NotesInstance()
        #expect(try trash(instance).order.isEmpty)
        try instance.create(("n1", ""), ("n2", ""), ("n3", ""))
        try instance.act(#"[["deleteNote", "n1"], ["deleteNote", "n2"], ["deleteNote", "n3"]]"#)
        try instance.act(#"[["restoreNote", {"id": "n1"}], ["purgeNote", {"id": "n2"}]]"#)
        #expect(try trash(instance).order == ["n3"])
        #expect(try instance.call("GET", "/notes?form=trash", as: "bob").order.isEmpty)
    }

    @Test func `pages of the trash hold each note once, in order`() throws {
        let instance = try NotesInstance()
        for index in 0..<7 {
            try instance.create(("n\(index)", ""))
            try instance.act(#"[["deleteNote", "n\#(index)"]]"#)
        }
        var answer = try trash(instance, "&limit=3")
        let start = answer.cursor
        var found = try answer.order
        while let next = answer[member: "next"]?.stringValue {
            answer = try instance.call("GET", "/notes?limit=3&next=\(next)").expecting(200)
            #expect(answer.cursor == start)
            found += try answer.order
        }
        #expect(found == (0..<7).reversed().map { "n\($0)" })
    }

    @Test func `a token that no page gave is refused or leads nowhere`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""), ("n2", ""))
        try instance.act(#"[["deleteNote", "n1"], ["deleteNote", "n2"]]"#)
        let next = try #require(try trash(instance, "&limit=1")[member: "next"]?.stringValue)
        let parts = next.split(separator: ".").map(String.init)
        func outcome(_ position: String, lineage: String? = nil) throws -> String {
            let token = ["trash", parts[1], lineage ?? parts[2], position, parts[4], parts[5]].joined(separator: ".")
            return try instance.call("GET", "/notes?next=\(token)").outcome
        }
        #expect(try outcome(parts[3]) == "200")
        #expect(try outcome("a0") == "400 invalid-parameter")
        #expect(try outcome("999999999999999999") == "200")
        #expect(try outcome(parts[3], lineage: "abcdefgh") == "410 resync")
    }
}
