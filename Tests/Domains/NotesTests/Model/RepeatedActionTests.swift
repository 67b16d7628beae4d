import Testing

@testable import AlmanacNotesDomain

@Suite struct RepeatedActionTests {
    private static let changes: [Action.Change] = [
        .create(NoteText(title: "", body: "milk"), .after("never")),
        .update(base: nil, title: .whole("T"), body: nil), .put(title: "T", body: nil, .unknown), .move(.after("n1")),
        .delete(base: nil), .restore(revision: nil), .purge,
    ]

    private func stored(_ notes: Note..., earlier noteID: String = "n1", isRestored: Bool = false) -> StoredNotes {
        var stored = StoredNotes()
        stored.notes = notes
        let first = ActionResult.OriginalEffect(status: "merged", revision: 2, isRestored: isRestored)
        stored.earlier["a"] = AppliedAction(noteID: noteID, originalEffect: first)
        return stored
    }

    @Test func `an action sent again writes nothing, whatever it would do now`() throws {
        let stored = stored(.stored(body: "milk bread", textRevision: 3), isRestored: true)
        for change in Self.changes {
            let action = Action(id: "a", noteID: "n1", change: change)
            let plan = try stored.plan(action)
            #expect(plan.summary == "repeated n1, duplicate")
            let result = plan.result(of: action, note: stored.notes[0])
            #expect(
                result.status == .duplicate && result.originalEffect?.status == "merged"
                    && result.originalEffect?.revision == 2)
            #expect(result.originalEffect?.isRestored == true && !result.isRestored && !result.isCreated)
            #expect(result.note?.text.body == "milk bread" && result.needsWholeNote)
        }
    }

    @Test func `an action repeated after its note was purged says so without a text`() throws {
        let stored = stored(.stored(isPurged: true))
        let action = Action(id: "a", noteID: "n1", change: Self.changes[0])
        let result = try stored.plan(action).result(of: action, note: stored.notes[0])
        #expect(result.status == .duplicate && result.note == nil && result.tombstone == nil)
        #expect(result.originalEffect?.revision == 2)
    }

    @Test func `an id that an action of another note had answers with that note`() throws {
        let stored = stored(.stored("n1"), .stored("n2", body: "other"), earlier: "n2")
        for change in Self.changes {
            let action = Action(id: "a", noteID: "n1", change: change)
            let plan = try stored.plan(action)
            #expect(plan.summary == "repeated n2, duplicate")
            let result = plan.result(of: action, note: stored.notes[1])
            #expect(result.noteID == "n2" && result.note?.text.body == "other")
        }
    }

    @Test func `an action without an id, or with another one, is new`() throws {
        let stored = stored(.stored())
        for id in [nil, "b", "A"] {
            #expect(try stored.plan(.delete(base: nil), id: id).summary == "deleteNote in the trash, applied")
        }
    }
}
