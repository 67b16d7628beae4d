import AlmanacHTTP
import AlmanacRevisions
import Testing
import TextMerge

@testable import AlmanacNotesDomain

/// Tests the merge of an edit with concurrent changes.
@Suite struct UpdatePlanTests {
    /// Returns a note with the text `before` at revision 1 and the text `now` since revision 2.
    private func note(before: NoteText, now: NoteText, isDeleted: Bool = false) -> StoredNotes {
        var stored = StoredNotes(.stored(title: now.title, body: now.body, textRevision: 2, isDeleted: isDeleted))
        stored.history = [("n1", 1, before), ("n1", 2, now)]
        return stored
    }

    private func note(before: String, now: String) -> StoredNotes {
        note(before: NoteText(title: "", body: before), now: NoteText(title: "", body: now))
    }

    @Test func `an edit of the newest text is written as it is`() throws {
        let stored = StoredNotes(.stored(title: "T", body: "milk"))
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [4, " bread"]}]"#)
        #expect(plan.summary == "updateNote body 'milk bread' +6, applied")
        #expect(plan.missingTitle == nil && plan.missingBody == nil)
        let both = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "title": [1, "!"], "body": [-4]}]"#)
        #expect(both.summary == "updateNote title 'T!' body '' -3, applied")
    }

    @Test func `two edits from one base in different places both survive`() throws {
        let stored = note(before: "one two three", now: "ONE two three")
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [8, -5, "THREE"]}]"#)
        #expect(plan.summary == "updateNote body 'ONE two THREE' +0, merged")
        // The delta leads from the second client's text to the server's.
        #expect(try plan.missingBody?.apply(to: "one two THREE") == "ONE two THREE")
        #expect(plan.missingTitle == nil)
    }

    @Test func `two insertions in the same place both survive`() throws {
        let first = StoredNotes(.stored(body: "a b"))
        #expect(
            try first.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [2, "first ", 1]}]"#).summary
                == "updateNote body 'a first b' +6, applied")
        let second = note(before: "a b", now: "a first b")
        #expect(
            try second.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [2, "second ", 1]}]"#).summary
                == "updateNote body 'a first second b' +7, merged")
        let third = note(before: "a b", now: "a first second b")
        let spelled = #"["updateNote", {"id": "n1", "body": [[0, "a "], [1, "third "], [0, "b"]]}]"#
        #expect(try third.plan(json: spelled).summary == "updateNote body 'a first second third b' +6, merged")
    }

    @Test func `a title that only others have changed comes along`() throws {
        let stored = note(before: NoteText(title: "", body: "body"), now: NoteText(title: "Title", body: "body"))
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [4, "!"]}]"#)
        #expect(plan.summary == "updateNote body 'body!' +1, merged")
        #expect(plan.missingTitle?.elements == [.text("Title")] && plan.missingBody == nil)
    }

    @Test func `the same edit by two clients is made once`() throws {
        let stored = note(before: "milk", now: "milk bread")
        let plan = try stored.plan(
            json: #"["updateNote", {"action_id": "b", "id": "n1", "base": 1, "body": [4, " bread"]}]"#)
        #expect(plan.summary == "unchanged, applied")
        #expect(plan.missingBody == nil)
    }

    @Test func `an edit that others have made already, among others, brings what the client is missing`() throws {
        let stored = note(before: "milk", now: "milk bread eggs")
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [4]}]"#)
        #expect(plan.summary == "unchanged, merged")
        #expect(try plan.missingBody?.apply(to: "milk") == "milk bread eggs")
    }

    @Test func `any revision since the note's creation is a base`() throws {
        var stored = StoredNotes(.stored(body: "a b c", textRevision: 5, revision: 7))
        stored.history = [
            ("n1", 2, NoteText(title: "", body: "a")), ("n1", 4, NoteText(title: "", body: "a b")),
            ("n1", 5, NoteText(title: "", body: "a b c")),
        ]
        for (base, length) in [(2, 1), (3, 1), (4, 3), (5, 5), (6, 5), (9, 5)] {
            let edit = #"["updateNote", {"id": "n1", "base": \#(base), "body": ["x ", \#(length)]}]"#
            let status = base < 5 ? "merged" : "applied"
            #expect(try stored.plan(json: edit).summary == "updateNote body 'x a b c' +2, \(status)", "base \(base)")
        }
    }

    @Test func `a base with its lineage is one of this account`() throws {
        let stored = StoredNotes(.stored(body: "abc"))
        let edit = #"["updateNote", {"id": "n1", "base": "1.k3f9k3f9", "body": [3, "!"]}]"#
        #expect(try stored.plan(json: edit).summary == "updateNote body 'abc!' +1, applied")
    }

    @Test func `an edit of a deleted note brings it back`() throws {
        let stored = StoredNotes(.stored(body: "milk", revision: 2, isDeleted: true))
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [4, " bread"]}]"#)
        #expect(plan.summary == "updateNote body 'milk bread' +6, applied restored")
    }

    @Test func `an edit that changes nothing leaves a deleted note in the trash`() throws {
        let stored = StoredNotes(.stored(body: "milk", revision: 2, isDeleted: true))
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [4]}]"#)
        #expect(plan.summary == "unchanged, applied")
    }

    @Test func `the older forms work: a bare id, and diff lists without a base`() throws {
        let spelled = #"["updateNote", {"id": "n1", "body": [[0, "one"], [-1, " two"], [1, " three"]]}]"#
        #expect(
            try StoredNotes(.stored(body: "one two")).plan(json: spelled).summary
                == "updateNote body 'one three' +2, applied")
        let strings = #"["updateNote", {"id": "n1", "title": "+New%20title", "body": "=9\t+!", "base": 2}]"#
        #expect(
            try StoredNotes(.stored(body: "one three", textRevision: 2)).plan(json: strings).summary
                == "updateNote title 'New title' body 'one three!' +10, applied")
        let bareID = try StoredNotes(.stored(body: "one three!")).plan(json: #"["deleteNote", "n1"]"#)
        #expect(bareID.summary == "deleteNote in the trash, applied")
    }

    @Test func `a split surrogate pair is refused, and whole ones are kept`() throws {
        let body = "a👩‍👩‍👧e\u{301}\r\nשלום"
        let stored = StoredNotes(.stored(body: body))
        let refusal = #expect(throws: NotesRefusal.self) {
            try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [2, "x", 14]}]"#)
        }
        #expect(refusal?.problem.kind == .deltaMismatch)
        let length = body.utf16.count
        let plan = try stored.plan(
            json: #"["updateNote", {"id": "n1", "base": 1, "body": [1, -2, "x", \#(length - 3)]}]"#)
        let expected = "ax\u{200D}👩\u{200D}👧e\u{301}\r\nשלום"
        guard case .changeText(nil, let written?, _, .updateNote) = plan.write else {
            Issue.record("\(plan.summary)")
            return
        }
        #expect(Array(written.utf8) == Array(expected.utf8))
    }

    @Test func `equivalent texts with other bytes are different texts`() throws {
        let stored = StoredNotes(.stored(body: "\u{e9}"))
        let plan = try stored.plan(json: #"["updateNote", {"id": "n1", "base": 1, "body": [-1, "e\u0301"]}]"#)
        guard case .changeText(nil, let written?, 1, .updateNote) = plan.write else {
            Issue.record("\(plan.summary)")
            return
        }
        #expect(Array(written.utf8) == Array("e\u{301}".utf8))
        #expect(NoteText(title: "\u{e9}", body: "") != NoteText(title: "e\u{301}", body: ""))
    }

    @Test func `the result of a merged edit carries what the client is missing`() throws {
        let stored = note(before: "one two", now: "ONE two")
        let action = Action(
            id: "b", noteID: "n1",
            change: .update(
                base: .revision(Cursor(revision: 1, lineage: nil)), title: nil, body: .whole("one two three")))
        let plan = try stored.plan(action)
        let written = Note.stored(body: "ONE two three", textRevision: 3)
        let result = plan.result(of: action, note: written)
        #expect(result.status == .merged && result.actionID == "b" && result.noteID == "n1")
        #expect(result.note?.revision == 3 && !result.isRestored && !result.isCreated && result.refusal == nil)
        #expect(try result.missingBody?.apply(to: "one two three") == "ONE two three")
        #expect(!result.needsWholeNote)
    }
}
