import AlmanacRevisions
import Testing
import TextMerge

@testable import AlmanacNotesDomain

@Suite struct CreatePlanTests {
    private static let empty = NoteText(title: "", body: "")

    private func put(_ condition: Action.PutCondition, title: String? = nil, body: String? = "eggs") -> Action.Change {
        .put(title: title, body: body, condition)
    }

    private func base(_ revision: Int64) -> Action.PutCondition {
        .base(.revision(Cursor(revision: revision, lineage: nil)))
    }

    @Test(arguments: [
        (Action.Place.first, "Zz"), (.last, "a3"), (.after("a"), "a0V"), (.after("b"), "a1V"),
        (.after("deleted"), "a3"),
    ])
    func `a new note stands where it was put, those in the trash counted`(place: Action.Place, position: String) throws
    {
        let stored = StoredNotes(
            .stored("a", position: "a0"), .stored("b", position: "a1"),
            .stored("purged", position: "a7", isPurged: true),
            .stored("deleted", position: "a2", isDeleted: true))
        let plan = try stored.plan(.create(NoteText(title: "T", body: "milk"), place))
        #expect(plan.summary == "createNote 'T' 'milk' at \(position), applied")
    }

    @Test func `the first note of a list stands at its beginning`() throws {
        let stored = StoredNotes(account: .stored(revision: 0, notes: 0, bytes: 0))
        for place in [Action.Place.first, .last] {
            #expect(try stored.plan(.create(Self.empty, place)).summary == "createNote '' '' at a0, applied")
        }
    }

    @Test func `an id is used once`() {
        let change = Action.Change.create(Self.empty, .last)
        #expect(throws: NotesRefusal.noteExists("n1", isInTrash: false)) { try StoredNotes(.stored()).plan(change) }
        #expect(throws: NotesRefusal.noteExists("n1", isInTrash: true)) {
            try StoredNotes(.stored(isDeleted: true)).plan(change)
        }
        #expect(throws: NotesRefusal.noteGone("n1")) { try StoredNotes(.stored(isPurged: true)).plan(change) }
    }

    @Test func `a new note behind itself or behind none is refused`() {
        let stored = StoredNotes(.stored("n2"), .stored("purged", isPurged: true))
        #expect(throws: NotesRefusal.afterItself) { try stored.plan(.create(Self.empty, .after("n1"))) }
        for id in ["never", "purged"] {
            #expect(throws: NotesRefusal.noteGone(id)) { try stored.plan(.create(Self.empty, .after(id))) }
        }
    }

    @Test func `a note that is put where none is becomes a new one at the end`() throws {
        let stored = StoredNotes(.stored("n2", position: "a5"))
        #expect(try stored.plan(put(.unknown)).summary == "createNote '' 'eggs' at a6, applied")
        #expect(try stored.plan(put(.isNew, title: "T", body: nil)).summary == "createNote 'T' '' at a6, applied")
    }

    @Test func `a note that is put in place of one that is gone is refused`() {
        for stored in [StoredNotes(), StoredNotes(.stored(isPurged: true))] {
            for condition in [.base(.current), base(1)] {
                #expect(throws: NotesRefusal.noteGone("n1")) { try stored.plan(put(condition)) }
            }
        }
        for condition in [Action.PutCondition.unknown, .isNew] {
            #expect(throws: NotesRefusal.noteGone("n1")) {
                try StoredNotes(.stored(isPurged: true)).plan(put(condition))
            }
        }
    }

    @Test(arguments: [false, true])
    func `a note that is put in place of another needs to know it`(isDeleted: Bool) {
        let stored = StoredNotes(.stored(body: "milk", isDeleted: isDeleted))
        #expect(throws: NotesRefusal.preconditionRequired("n1")) { try stored.plan(put(.unknown)) }
        #expect(throws: NotesRefusal.preconditionFailed("n1")) { try stored.plan(put(.isNew)) }
    }

    @Test func `a whole text replaces the one that it was made from`() throws {
        let stored = StoredNotes(.stored(title: "T", body: "milk", textRevision: 3))
        #expect(try stored.plan(put(base(3))).summary == "updateNote body 'eggs' +0, applied")
        #expect(
            try stored.plan(put(.base(.current), title: "")).summary == "updateNote title '' body 'eggs' -1, applied")
        #expect(try stored.plan(put(base(3), title: "T", body: "milk")).summary == "unchanged, applied")
    }

    @Test func `a whole text made from an older one is merged`() throws {
        var stored = StoredNotes(.stored(body: "ONE two", textRevision: 2))
        stored.history = [("n1", 1, NoteText(title: "", body: "one two"))]
        let plan = try stored.plan(put(base(1), body: "one two!"))
        #expect(plan.summary == "updateNote body 'ONE two!' +1, merged")
        #expect(try plan.missingBody?.apply(to: "one two!") == "ONE two!")
    }

    @Test func `a whole text takes a note out of the trash`() throws {
        let stored = StoredNotes(.stored(body: "milk", isDeleted: true))
        #expect(try stored.plan(put(.base(.current))).summary == "updateNote body 'eggs' +0, applied restored")
        #expect(try stored.plan(put(.base(.current), body: "milk")).summary == "unchanged, applied")
    }

    @Test func `the result of a new note says that it is one`() throws {
        let action = Action(id: "a", noteID: "n1", change: .create(Self.empty, .last))
        let result = try StoredNotes().plan(action).result(of: action, note: .stored())
        #expect(result.isCreated && result.status == .applied && result.actionID == "a" && result.note?.id == "n1")
        let update = Action(id: nil, noteID: "n1", change: put(.base(.current)))
        #expect(try !StoredNotes(.stored()).plan(update).result(of: update, note: .stored()).isCreated)
    }
}
