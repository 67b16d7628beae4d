import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the trash, history, search, pages, deltas and account export.
    @Suite struct NotesReadingTests {
        private let alice: NotesClient

        init() throws { alice = try NotesUser().client() }

        @Test func `a deleted note lies in the trash until it is restored or purged`() throws {
            try alice.create(("n1", "milk"), ("n2", "tea"))
            #expect(try alice.send("DELETE", "notes/n1").status == 200)
            #expect(try alice.order() == ["n2"])
            #expect(try alice.send("GET", "notes/n1").outcome == "404 note-gone")
            let trash = try alice.send("GET", "notes?form=trash")
            #expect(try trash.texts("order") == ["n1"])
            let note = try #require(trash["details"]?.objectValue?["n1"]?.objectValue)
            #expect(note.text("body") == "milk" && note.text("deleted_at") == note.text("updated_at"))
            #expect(try alice.send("POST", "notes/n1/restore").status == 200)
            #expect(try alice.order("?form=trash").isEmpty)
            #expect(try alice.order() == ["n1", "n2"])
            #expect(
                try alice.outcomes(#"[["deleteNote", "n1"], ["restoreNote", {"id": "n1"}]]"#)
                    == ["applied", "applied restored"])
            #expect(try alice.send("DELETE", "notes/n1?purge=true").status == 200)
            #expect(try alice.send("POST", "notes/n1/restore").outcome == "404 note-gone")
            #expect(try alice.outcomes(#"[["createNote", {"id": "n1"}]]"#) == ["rejected note-gone"])
        }

        @Test func `history has every past text and a way back`() throws {
            try alice.create(("n1", "one"))
            try alice.act(
                #"""
                [["updateNote", {"action_id": "x", "id": "n1", "base": 1, "body": [3, " two"]}],
                 ["updateNote", {"id": "n1", "base": 2, "title": [2, "!"]}], ["deleteNote", "n1"]]
                """#)
            let history = try #require(try alice.send("GET", "notes/n1/history")["history"]?.arrayValue)
                .compactMap(\.objectValue)
            #expect(history.map { $0.number("revision") } == [4, 3, 2, 1])
            #expect(history.map { $0.text("action") } == ["deleteNote", "updateNote", "updateNote", "createNote"])
            #expect(history.map { $0.text("body") } == [nil, nil, "one two", "one"])
            #expect(history[1].text("title") == "N1!" && history[2].text("action_id") == "x")
            let page = try alice.send("GET", "notes/n1/history?limit=1&before=3")
            #expect(page["history"]?.arrayValue?.count == 1 && page["more"] == .some(true))
            let past = try ["1", "2", "3"].map { try alice.send("GET", "notes/n1?revision=\($0)")["body"] }
            #expect(past == ["one", "one two", "one two"])
            let restored = try alice.send("POST", "notes/n1/restore", #"{"revision":1}"#)
            #expect(restored.status == 200)
            #expect(try alice.body("n1") == "one")
        }

        @Test func `search finds by word, prefix and phrase, in the caller's notes only`() throws {
            try alice.create(
                ("shopping", "oat milk, bread"), ("cooking", "bread with oat flakes and milk"),
                ("bread", "how to bake it"), ("other", "unrelated"), ("gone", "bread"))
            try alice.act(#"[["deleteNote", "gone"]]"#)
            func found(_ query: String) throws -> [String] { try alice.order("?q=\(query)") }
            // A match in the title ranks above a match in the body.
            #expect(try found("bread").first == "bread")
            #expect(try Set(found("bread")) == ["shopping", "cooking", "bread"])
            #expect(try found("Bread%20flakes") == ["cooking"])
            #expect(try found("bre").count == 3)
            #expect(try found("%22bre%22") == [])
            #expect(try found("%22oat%20milk%22") == ["shopping"])
            #expect(try found("bread%20-flakes%20-bake") == ["shopping"])
            #expect(try found("'%3A*%20%26%20!(") == [])
            try alice.act(#"[["updateNote", {"id": "other", "base": 6, "body": [9, " bread"]}]]"#)
            #expect(try found("bread").contains("other"))
            #expect(try NotesUser("bob").client().order("?q=bread") == [])
        }

        @Test func `pages of any size have every note once, and newest first the latest edit first`() throws {
            for number in 1...7 { try alice.create(("n\(number)", "")) }
            try alice.act(#"[["updateNote", {"id": "n3", "base": 3, "body": ["x"]}]]"#)
            for (query, expected) in [
                ("limit=3", ["n1", "n2", "n3", "n4", "n5", "n6", "n7"]),
                ("limit=3&newest=true", ["n3", "n7", "n6", "n5", "n4", "n2", "n1"]),
                ("limit=1&since=2", ["n4", "n5", "n6", "n7", "n3"]),
            ] {
                #expect(try pages(query).flatMap { try $0.texts("order") } == expected, "\(query)")
            }
            #expect(try pages("limit=3").count == 3)
        }

        @Test func `a delta has what changed and what is gone, from every revision on`() throws {
            try alice.create(("n1", "a"), ("n2", "b"), ("n3", "c"))
            let before = try alice.send("GET", "notes")
            let cursor = try #require(before["cursor"]?.stringValue)
            #expect(try alice.order("?since=\(cursor)") == [])
            try alice.act(
                #"""
                [["updateNote", {"id": "n1", "base": 1, "body": [1, "!"]}], ["deleteNote", "n2"],
                 ["purgeNote", {"id": "n3"}], ["createNote", {"id": "n4"}]]
                """#)
            let delta = try alice.send("GET", "notes?since=\(cursor)")
            #expect(try delta.texts("order").sorted() == ["n1", "n4"])
            #expect(try delta.texts("deleted").sorted() == ["n2", "n3"])
            #expect(delta["more"] == .some(false))
            #expect(try alice.order("?since=6") == ["n4"])
            let time = try #require(before["details"]?.objectValue?["n3"]?.objectValue?.text("updated_at"))
            #expect(try alice.order("?since=\(time)").sorted() == ["n1", "n4"])
            for since in ["8", "99", "3.zzzz"] {
                #expect(try alice.send("GET", "notes?since=\(since)").outcome == "410 resync")
            }
        }

        @Test func `a manifest has the hash of every note's texts`() throws {
            try alice.create(("n1", "milk 😸"), ("n2", ""))
            let manifest = try pages("form=manifest&limit=1").flatMap { $0["manifest"]?.arrayValue ?? [] }
                .compactMap(\.objectValue)
            #expect(manifest.map { $0.text("id") }.sorted { $0! < $1! } == ["n1", "n2"])
            let hash = try Command.run("sha256sum", input: Array("N1\0milk 😸".utf8)).output.prefix(64)
            #expect(manifest.first { $0.text("id") == "n1" }?.text("sha256") == String(hash))
        }

        @Test func `a user can take everything along and erase everything`() throws {
            try alice.create(("n1", "milk"), ("n2", "tea"))
            try alice.act(
                #"""
                [["updateNote", {"action_id": "x", "id": "n1", "base": 1, "body": ["oat ", 4]}], ["deleteNote", "n2"]]
                """#)
            let export = try alice.send("GET", "account")
            let notes = try #require(export["notes"]?.arrayValue).compactMap(\.objectValue)
            #expect(notes.map { $0.text("body") } == ["oat milk", "tea"])
            #expect(notes[0]["history"]?.arrayValue?.count == 2)
            #expect(export["actions"]?.arrayValue?.compactMap { $0.objectValue?.text("action_id") } == ["x"])
            let cursor = try #require(export["cursor"]?.stringValue)
            #expect(try alice.send("DELETE", "account").status == 204)
            #expect(try alice.send("DELETE", "account").status == 204)
            let after = try alice.send("GET", "account")
            #expect(after["notes"] == [] && after["actions"] == [])
            #expect(try alice.order("?q=milk") == [])
            #expect(try alice.send("GET", "notes/n1/history").outcome == "404 note-gone")
            #expect(try alice.send("GET", "notes?since=\(cursor)").outcome == "410 resync")
            // A new account has a new lineage.
            try alice.create(("n1", ""), ("n2", ""), ("n3", ""), ("n4", ""), ("n5", ""))
            #expect(try alice.send("GET", "notes?since=\(cursor)").outcome == "410 resync")
        }

        private func pages(_ query: String) throws -> [HTTPResponse] {
            var pages = [try alice.send("GET", "notes?\(query)")]
            let limit = query.split(separator: "&").first { $0.hasPrefix("limit") } ?? "limit=500"
            while let next = pages.last?["next"]?.stringValue, pages.count < 50 {
                try #require(pages.last?["more"] == .some(true))
                pages.append(try alice.send("GET", "notes?\(limit)&next=\(next)"))
            }
            return pages
        }
    }
}
