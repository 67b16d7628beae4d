import AlmanacIdentity
import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite(.database(.migrated)) struct AccountTests {
    @Test(arguments: [
        ("GET", "/notes/n1", ""), ("GET", "/notes/n1?revision=1", ""), ("GET", "/notes/n1/history", ""),
        ("PATCH", "/notes/n1", #"{"base": 1, "body": [4, "!"]}"#), ("DELETE", "/notes/n1", ""),
        ("DELETE", "/notes/n1?purge=true", ""), ("POST", "/notes/n1/restore", ""),
    ])
    func `another's note is like one that does not exist`(method: String, path: String, body: String) throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "milk"))
        try instance.create(("own", ""), as: "bob")
        let body = body.isEmpty ? nil : body
        let foreign = try instance.call(method, path, body, as: "bob")
        let missing = try instance.call(method, path.replacing("n1", with: "n2"), body, as: "bob")
        #expect(foreign.outcome == "404 note-gone")
        #expect(foreign.body.replacing("n1", with: "n2") == missing.body)
        #expect(try instance.body("n1") == "milk")
        #expect(try instance.call("GET", "/notes", as: "bob").order == ["own"])
    }

    @Test func `the same subject of another issuer is somebody else`() throws {
        let users = ["a", "b"].map { VerifiedUser(issuer: "https://\($0)/", subject: "alice") }
        let instance = try NotesInstance()
        for user in users {
            let action = Action(id: "x", noteID: "n1", change: .create(NoteText(title: "", body: ""), .last))
            #expect(try instance.service.perform([.valid(action)], for: user).results[0].status == .applied)
        }
        #expect(VerifiedUser(issuer: "i", subject: "\u{e9}") != VerifiedUser(issuer: "i", subject: "e\u{301}"))
    }

    @Test func `the export holds everything, and erasure leaves nothing`() throws {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"action_id": "a1", "id": "n1", "title": "T", "body": "one"}],
             ["updateNote", {"action_id": "a2", "id": "n1", "base": 1, "body": [3, " two"]}],
             ["createNote", {"id": "n2", "body": "gone"}], ["deleteNote", "n2"]]
            """)
        try instance.create(("n1", "bob's"), as: "bob")
        let answer = try instance.call("GET", "/account").expecting(200)
        #expect(answer[member: "subject"] == .some("alice") && answer[member: "bytes"] == .some(12))
        let notes = try #require(answer[member: "notes"]?.arrayValue).compactMap(\.objectValue)
        #expect(notes.map { $0.text("id") } == ["n1", "n2"])
        #expect(notes.map { $0["history"]?.arrayValue?.count } == [2, 2])
        #expect(notes[1].text("deleted_at") != nil && notes[1].text("body") == "gone")
        #expect(answer[member: "actions"]?.arrayValue?.count == 2)
        #expect(!answer.body.contains("bob"))
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        for table in ["accounts", "notes", "note_revisions", "note_actions"] {
            let rows = try instance.query("left_\(table)", "select * from \(table)")
            #expect(rows.count == (table == "note_actions" ? 0 : 1), "\(table)")
        }
        #expect(try instance.call("GET", "/account")[member: "notes"] == .some([]))
        #expect(try instance.body("n1", as: "bob") == "bob's")
        try instance.create(("n1", "anew"))
        #expect(try instance.body("n1") == "anew")
    }

    @Test func `an erasure is written down without whose it was, and nothing else about notes is`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "a private text"))
        _ = try instance.call("GET", "/notes?q=private").expecting(200)
        let word = try instance.query("test_word", "select word from accounts")[0].text("word")
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        #expect(try instance.call("DELETE", "/account").outcome == "204")
        let lines = try instance.query(
            "test_audit", "select audit_log::text as line, subject from audit_log where action not like 'token.%'")
        #expect(try lines.map { try $0.text("subject") } == [word])
        let line = try lines[0].text("line")
        #expect(line.contains("account.erase") && !line.contains("alice") && !line.contains("private"))
    }

    @Test func `a committed change is announced with the account's id`() throws {
        let instance = try NotesInstance()
        let received = Monitor<[String]>([])
        let isListening = Monitor(false)
        let subscription = try Subscription(
            instance.database.settings(user: TestDatabase.worker), channels: [NotesService.channel],
            interval: .seconds(60), threadName: "listen"
        ) { event in
            switch event {
            case .notified(let notifications): received.update { $0 += notifications.map(\.payload) }
            default: isListening.update { $0 = true }
            }
        }
        defer { subscription.stop() }
        _ = isListening.wait(upTo: .seconds(10)) { $0 ? true : nil }
        try instance.act(#"[["createNote", {"id": "n1"}], ["deleteNote", "never"]]"#)
        let id = try instance.query("account", "select id from accounts")[0].integer("id")
        #expect(received.wait(upTo: .seconds(10)) { $0.contains("\(id) 1") ? true : nil } == true)
        try instance.act(#"[["purgeNote", {"id": "n1"}]]"#)
        #expect(received.wait(upTo: .seconds(10)) { $0.contains("\(id) 2") ? true : nil } == true)
    }
}
