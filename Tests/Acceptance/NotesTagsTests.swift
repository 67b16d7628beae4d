import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct NotesTagsTests {
        private let alice: NotesClient

        init() throws { alice = try NotesUser().client() }

        private func filing(_ object: JSONObject?) -> String {
            let tags = object?["tags"]?.arrayValue?.compactMap(\.stringValue).joined(separator: ",") ?? "?"
            return tags + (object?["pinned"]?.boolValue.map { $0 ? " pinned" : "" } ?? " ?")
        }

        @Test func `tags and pins are written, merged, searched, exported and told in the history`() throws {
            let phone = try alice.act(
                #"""
                [["createNote", {"action_id": "a", "id": "n1", "body": "milk", "tags": ["to do", "Straße"],
                   "pinned": true}],
                 ["createNote", {"id": "n2", "body": "milk", "tags": ["work"], "updated_at": "2019-01-02T03:04:05Z"}]]
                """#)
            #expect(phone.map { filing($0) } == ["Straße,to do pinned", "work"])
            let seen = try #require(phone[1].number("revision"))
            // Two actions remove the tag, and the action between them adds it again.
            let base = "\"base\": \(seen), \"tags\":"
            #expect(
                try alice.outcomes(
                    "[[\"updateNote\", {\"id\": \"n2\", \(base) {\"remove\": [\"work\"]}}],"
                        + "[\"updateNote\", {\"id\": \"n2\", \(base) {\"add\": [\"work\", \"🛒\"]}}],"
                        + "[\"updateNote\", {\"id\": \"n2\", \(base) {\"remove\": [\"work\"]}}]]")
                    == ["applied", "applied", "applied"])
            let note = try alice.send("GET", "notes/n2")
            #expect(filing(try note.json().objectValue) == "work,🛒")
            let patched = try alice.send("PATCH", "notes/n2", #"{"tags": {"add": ["to do"]}, "pinned": true}"#)
            #expect(try patched.status == 200 && filing(patched.json().objectValue) == "to do,work,🛒 pinned")
            let put = try alice.send(
                "PUT", "notes/n2", #"{"tags": ["work"]}"#, headers: [("If-Match", try #require(note.header("etag")))])
            #expect(try put.status == 200 && filing(put.json().objectValue) == "to do,work pinned")

            for (query, found) in [
                ("?q=tag:work", ["n2"]), ("?q=tag:%22to%20do%22%20milk", ["n2", "n1"]), ("?tag=to+do&tag=work", ["n2"]),
                ("?tag=Stra%C3%9Fe&q=milk", ["n1"]), ("?q=tag:wor", []),
            ] { #expect(try alice.order(query) == found, "\(query)") }

            try alice.act(#"[["deleteNote", "n1"], ["updateNote", {"id": "n1", "tags": {"remove": ["to do"]}}]]"#)
            let trash = try alice.send("GET", "notes?form=trash")
            #expect(try trash.texts("order") == ["n1"])
            #expect(filing(trash["details"]?.objectValue?["n1"]?.objectValue) == "Straße pinned")
            let history = try #require(try alice.send("GET", "notes/n1/history")["history"]?.arrayValue)
            #expect(
                history.map { filing($0.objectValue) } == [
                    "Straße pinned", "Straße,to do pinned", "Straße,to do pinned",
                ])
            #expect(filing(try alice.send("GET", "notes/n1?revision=1").json().objectValue) == "Straße,to do pinned")
            let notes = try #require(try alice.send("GET", "account")["notes"]?.arrayValue)
            #expect(notes.map { filing($0.objectValue) } == ["Straße pinned", "to do,work pinned"])
            #expect(try alice.send("DELETE", "notes/n1?purge=true").status == 200)
            #expect(try !alice.send("GET", "account").text.contains("Straße"))
        }
    }
}
