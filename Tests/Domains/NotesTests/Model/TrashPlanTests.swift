import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

@Suite struct TrashPlanTests {
    private func cursor(_ revision: Int64) -> Cursor { Cursor(revision: revision, lineage: nil) }

    @Test func `a deletion puts the note into the trash`() throws {
        let stored = StoredNotes(.stored(textRevision: 4))
        for base in [nil, cursor(4), cursor(9), Cursor(revision: 4, lineage: "k3f9k3f9")] {
            #expect(try stored.plan(.delete(base: base)).summary == "deleteNote in the trash, applied")
        }
    }

    @Test func `an edit the deleter had not seen keeps the note`() throws {
        let stored = StoredNotes(.stored(body: "milk bread", textRevision: 4))
        #expect(try stored.plan(.delete(base: cursor(3))).summary == "restoreNote, merged restored")
    }

    @Test func `a deleter that is overruled is sent the whole note`() throws {
        let action = Action(id: "d", noteID: "n1", change: .delete(base: cursor(3)))
        let plan = try StoredNotes(.stored(textRevision: 4)).plan(action)
        let result = plan.result(of: action, note: .stored(body: "milk bread", textRevision: 4, revision: 10))
        #expect(result.status == .merged && result.isRestored && result.needsWholeNote)
        #expect(result.note?.text.body == "milk bread")
    }

    @Test func `a move does not count as an edit the deleter had not seen`() throws {
        let stored = StoredNotes(.stored(textRevision: 1, revision: 3))
        #expect(try stored.plan(.delete(base: cursor(1))).summary == "deleteNote in the trash, applied")
    }

    @Test func `a note in the trash is not deleted again, whatever the deleter had seen`() throws {
        let stored = StoredNotes(.stored(textRevision: 4, isDeleted: true))
        for base in [nil, cursor(1), cursor(4)] {
            #expect(try stored.plan(.delete(base: base)).summary == "unchanged, applied")
        }
    }

    @Test func `a restored note is out of the trash with its texts`() throws {
        let stored = StoredNotes(.stored(body: "milk", isDeleted: true))
        #expect(try stored.plan(.restore(revision: nil)).summary == "restoreNote, applied restored")
        #expect(try stored.plan(.restore(revision: cursor(9))).summary == "restoreNote, applied restored")
    }

    @Test func `a note that is not in the trash needs no restoring`() throws {
        let stored = StoredNotes(.stored(body: "milk"))
        #expect(try stored.plan(.restore(revision: nil)).summary == "unchanged, applied")
        #expect(try stored.plan(.restore(revision: cursor(1))).summary == "unchanged, applied")
    }

    @Test(arguments: [false, true]) func `a note goes back to an earlier text`(isDeleted: Bool) throws {
        var stored = StoredNotes(.stored(title: "T!", body: "one two", textRevision: 4, isDeleted: isDeleted))
        stored.history = [
            ("n1", 1, NoteText(title: "T", body: "one")), ("n1", 2, NoteText(title: "T!", body: "one")),
            ("n1", 4, NoteText(title: "T!", body: "one two")),
        ]
        let status = isDeleted ? "applied restored" : "applied"
        let both = try stored.plan(.restore(revision: cursor(1)))
        #expect(both.summary == "restoreNote title 'T' body 'one' -5, \(status)")
        #expect(try stored.plan(.restore(revision: cursor(3))).summary == "restoreNote body 'one' -4, \(status)")
    }

    @Test func `an earlier text that is the same by now restores the note without writing a text`() throws {
        var stored = StoredNotes(.stored(body: "one", textRevision: 4, isDeleted: true))
        stored.history = [("n1", 1, NoteText(title: "", body: "one"))]
        #expect(try stored.plan(.restore(revision: cursor(1))).summary == "restoreNote, applied restored")
    }

    @Test(arguments: [false, true]) func `purging gives back the bytes and leaves a tombstone`(isDeleted: Bool) throws {
        let action = Action(id: "p", noteID: "n1", change: .purge)
        let plan = try StoredNotes(.stored(title: "ä", body: "milk", isDeleted: isDeleted)).plan(action)
        #expect(plan.summary == "purgeNote -6, applied")
        let result = plan.result(of: action, note: .stored(textRevision: 10, isPurged: true))
        #expect(result.note == nil && result.tombstone?.revision == 10 && result.status == .applied)
    }

    @Test func `a note that never was, or was purged, is gone for everything`() {
        let edit = Action.Change.update(base: .current, title: .whole("T"), body: nil)
        for stored in [StoredNotes(), StoredNotes(.stored(isPurged: true))] {
            for change in [
                edit, .move(.first), .delete(base: nil), .delete(base: cursor(99)), .restore(revision: nil),
                .restore(revision: cursor(1)), .purge,
            ] {
                #expect(throws: NotesRefusal.noteGone("n1")) { try stored.plan(change) }
            }
        }
    }

    @Test func `a revision that the history doesn't know is refused`() {
        let foreign = Cursor(revision: 4, lineage: "abcdefgh")
        let stored = StoredNotes(
            .stored(textRevision: 4, isDeleted: true), account: .stored(revision: 9, oldestRevision: 3))
        for (cursor, refusal) in [
            (foreign, NotesRefusal.wrongLineage(foreign)), (cursor(10), .revisionInFuture(10, newest: 9)),
            (cursor(2), .revisionTrimmed(oldest: 3)),
        ] {
            for change in [
                Action.Change.delete(base: cursor), .restore(revision: cursor),
                .update(base: .revision(cursor), title: .whole("T"), body: nil),
                .put(title: "T", body: nil, .base(.revision(cursor))),
            ] {
                #expect(throws: refusal) { try stored.plan(change) }
            }
        }
        #expect(throws: NotesRefusal.revisionBeforeNote("n1", revision: 3)) {
            try stored.plan(.restore(revision: cursor(3)))
        }
    }
}
