import AlmanacCryptography
import AlmanacEnvironments
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@Suite(.database(.migrated)) struct ListTests {
    @Test func `the list shows order and details`() throws {
        let instance = try NotesInstance()
        try instance.act(
            #"[["createNote", {"id": "n1", "title": "Hé", "body": "b"}], "#
                + #"["createNote", {"id": "n2", "after": null}]]"#)
        let answer = try instance.call("GET", "/notes").expecting(200)
        #expect(try answer.json.objectValue?.members.map(\.name) == ["revision", "cursor", "order", "details", "more"])
        #expect(try answer.order == ["n2", "n1"])
        let note = try #require(answer.detail("n1"))
        #expect(
            note.members.map(\.name) == [
                "title", "body", "tags", "pinned", "position", "revision", "created_at", "updated_at",
                "edited_at",
            ])
        #expect(note.text("title") == "Hé" && note.text("body") == "b" && note.number("revision") == 1)
        #expect(answer["Cache-Control"] == "private, no-cache" && answer["Almanac-Revision"] == "2")
    }

    @Test func `a user without notes sees none, and reading makes no account`() throws {
        let instance = try NotesInstance()
        let answer = try instance.call("GET", "/notes").expecting(200)
        #expect(answer[member: "revision"] == .some(0))
        #expect(try answer.order.isEmpty)
        for query in ["since=0", "newest=true", "q=x", "form=manifest", "form=trash", "since=\(answer.cursor)"] {
            #expect(try instance.call("GET", "/notes?\(query)").outcome == "200", "\(query)")
        }
        #expect(try instance.query("accounts", "select 1 as one from accounts").isEmpty)
        // The cursor from before the account's creation stays valid.
        try instance.create(("n1", ""))
        #expect(try instance.call("GET", "/notes?since=\(answer.cursor)").order == ["n1"])
    }

    @Test func `an unchanged list is not sent again`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""))
        let tag = try #require(try instance.call("GET", "/notes")["ETag"])
        let same = try instance.call("GET", "/notes", nil, as: "alice", ("If-None-Match", "W/\(tag)"))
        #expect(same.outcome == "304" && same.body.isEmpty && same["ETag"] == "W/\(tag)")
        #expect(
            try instance.call("GET", "/notes?newest=true", nil, as: "alice", ("If-None-Match", tag)).outcome == "200")
        try instance.create(("n2", ""))
        #expect(try instance.call("GET", "/notes", nil, as: "alice", ("If-None-Match", tag)).outcome == "200")
    }

    @Test func `pages together with a delta give everything, whatever changes between`() throws {
        let instance = try NotesInstance()
        for index in 0..<7 { try instance.create(("n\(index)", "text \(index)")) }
        for form in ["", "&newest=true"] {
            var answer = try instance.call("GET", "/notes?limit=3\(form)")
            let start = answer.cursor
            var found = try answer.order
            // A note that the client has yet to read moves to a place already read.
            let moved = form.isEmpty ? "n6" : "n0"
            try instance.act(#"[["moveNote", {"id": "\#(moved)", "after": "n1"}]]"#)
            while let next = answer[member: "next"]?.stringValue {
                answer = try instance.call("GET", "/notes?limit=3&next=\(next)").expecting(200)
                #expect(answer.cursor == start)
                found += try answer.order
            }
            found += try instance.call("GET", "/notes?since=\(start)").order
            #expect(Set(found).count == 7, "\(form) \(found)")
        }
    }

    @Test func `the latest edits come first when asked for`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", ""), ("n2", ""), ("n3", ""))
        try instance.act(#"[["updateNote", {"id": "n2", "base": 3, "body": ["x"]}]]"#)
        #expect(try instance.call("GET", "/notes?newest=true").order == ["n2", "n3", "n1"])
    }

    @Test func `a page is bounded in bytes and always holds a note`() throws {
        let instance = try NotesInstance()
        let text = String(repeating: "0123456789abcde ", count: 60_000)
        for index in 0..<5 { try instance.create(("n\(index)", text)) }
        var pages: [Int] = []
        var query = "since=0"
        while true {
            let answer = try instance.call("GET", "/notes?\(query)").expecting(200)
            pages.append(try answer.order.count)
            guard let next = answer[member: "next"]?.stringValue else { break }
            query = "next=\(next)"
        }
        #expect(pages == [2, 2, 1])
    }

    @Test func `the manifest holds each note's revision and hash`() throws {
        let instance = try NotesInstance()
        try instance.act(
            #"[["createNote", {"id": "n1", "title": "Tü", "body": "body\n"}], ["createNote", {"id": "n2"}]]"#)
        let answer = try instance.call("GET", "/notes?form=manifest").expecting(200)
        let entries = try #require(answer[member: "manifest"]?.arrayValue).compactMap(\.objectValue)
        #expect(entries.map { $0.text("id") } == ["n1", "n2"])
        #expect(entries.map { $0.number("revision") } == [1, 2])
        let hashes = ["Tü\u{0}body\n", "\u{0}"].map { Hex.encode(SHA256.digest(Array($0.utf8))) }
        #expect(entries.map { $0.text("sha256") } == hashes)
        let first = try instance.call("GET", "/notes?form=manifest&limit=1")
        let next = try #require(first[member: "next"]?.stringValue)
        let second = try instance.call("GET", "/notes?limit=1&next=\(next)")
        #expect(second[member: "manifest"]?.arrayValue?.first?.objectValue?.text("id") == "n2")
        #expect(second[member: "more"] == .some(false))
    }

    @Test func `notes move with one row changed, and keep their order`() throws {
        let instance = try NotesInstance()
        for index in 0..<5 { try instance.create(("n\(index)", "")) }
        let before = try instance.call("GET", "/notes").cursor
        try instance.act(#"[["moveNote", {"id": "n4", "after": "n0"}]]"#)
        #expect(try instance.call("GET", "/notes").order == ["n0", "n4", "n1", "n2", "n3"])
        #expect(try instance.call("GET", "/notes?since=\(before)").order == ["n4"])
        try instance.act(#"[["moveNote", {"id": "n3", "after": null}], ["moveNote", {"id": "n3", "after": null}]]"#)
        #expect(try instance.call("GET", "/notes").order == ["n3", "n0", "n4", "n1", "n2"])
        #expect(try instance.call("GET", "/notes")[member: "revision"] == .some(7))
    }

    @Test func `moves to one place again and again number the list anew and keep the order`() throws {
        let instance = try NotesInstance()
        try instance.create(("a", ""), ("b", ""), ("c", ""), ("d", ""))
        // The loop always moves the last of three notes behind the first, which halves the free space each time.
        var expected = ["b", "c", "d"]
        for _ in 0..<450 {
            try instance.act(#"[["moveNote", {"id": "\#(expected[2])", "after": "a"}]]"#)
            expected = [expected[2], expected[0], expected[1]]
        }
        #expect(try instance.call("GET", "/notes").order == ["a"] + expected)
        let rows = try instance.query("longest", "select max(length(position)) as longest from notes")
        #expect(try Array(rows)[0].integer("longest") <= 64)
        let renumbered = try instance.query(
            "renumbered", "select revision from notes group by revision having count(*) > 1")
        #expect(renumbered.count <= 1)
    }

    @Test(arguments: ["unknown=1", "limit=0", "since=x", "next=x", "form=list", "since=0&newest=true"])
    func `a query that makes no sense is refused`(query: String) throws {
        let instance = try NotesInstance()
        #expect(try instance.call("GET", "/notes?\(query)").outcome == "400 invalid-parameter")
    }

    @Test(arguments: [
        ("GET", "/notes"), ("POST", "/notes"), ("GET", "/notes/n1"), ("PUT", "/notes/n1"), ("PATCH", "/notes/n1"),
        ("DELETE", "/notes/n1"), ("GET", "/notes/n1/history"), ("POST", "/notes/n1/restore"), ("GET", "/account"),
        ("DELETE", "/account"),
    ])
    func `every call needs a user`(method: String, path: String) throws {
        let instance = try NotesInstance()
        let answer = try instance.call(method, path, as: nil)
        #expect(answer.outcome == "401 token-needed")
        #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        #expect(try instance.call(method, path, as: String(repeating: "x", count: 1001)).outcome == "401 token-refused")
    }
}
