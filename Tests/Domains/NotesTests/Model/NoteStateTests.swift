import AlmanacRevisions
import Testing

@testable import AlmanacNotesDomain

/// Tests which data an action's plan needs. An edit or a deletion based on the current text needs no further read.
@Suite struct NoteStateTests {
    private static let text = NoteText(title: "", body: "")
    private static func revision(_ revision: Int64) -> Cursor { Cursor(revision: revision, lineage: nil) }
    private static func edit(_ base: Action.Base?) -> Action.Change {
        .update(base: base, title: nil, body: .whole("x"))
    }

    private func need(of change: Action.Change, _ note: Note?, earlier: String? = nil) -> NoteState.Need? {
        let first = ActionResult.OriginalEffect(status: "applied", revision: 1, isRestored: false)
        let state = NoteState(
            account: .stored(), note: note, earlier: earlier.map { AppliedAction(noteID: $0, originalEffect: first) })
        return state.need(of: Action(id: "a", noteID: "n1", change: change))
    }

    @Test(
        arguments: [
            (edit(.revision(revision(4))), nil), (edit(.revision(revision(5))), nil), (edit(.current), nil),
            (edit(nil), nil),
            (edit(.revision(revision(3))), .historicalText(revision: 3)),
            (.put(title: "", body: nil, .base(.revision(revision(3)))), .historicalText(revision: 3)),
            (.put(title: "", body: nil, .base(.revision(revision(4)))), nil),
            (.put(title: "", body: nil, .unknown), nil),
            (.put(title: "", body: nil, .isNew), nil), (.restore(revision: nil), nil),
            (.restore(revision: revision(1)), .historicalText(revision: 1)), (.restore(revision: revision(4)), nil),
            (.delete(base: revision(1)), nil), (.purge, nil), (.create(text, .first), nil),
            (.move(.first), .neighbours(.first)), (.move(.after("n2")), .neighbours(.after("n2"))),
        ] as [(Action.Change, NoteState.Need?)])
    func `an action on a note needs its neighbours, a text below its newest, or nothing`(
        change: Action.Change, expected: NoteState.Need?
    ) {
        #expect(need(of: change, .stored(textRevision: 4, revision: 6)) == expected)
    }

    @Test(
        arguments: [
            (.create(text, .first), .neighbours(.first)), (.create(text, .after("n2")), .neighbours(.after("n2"))),
            (.put(title: "", body: nil, .unknown), .neighbours(.last)),
            (.put(title: "", body: nil, .isNew), .neighbours(.last)),
            (.put(title: "", body: nil, .base(.revision(revision(3)))), nil), (edit(.revision(revision(3))), nil),
            (.move(.first), nil), (.restore(revision: revision(1)), nil), (.delete(base: nil), nil), (.purge, nil),
        ] as [(Action.Change, NoteState.Need?)])
    func `an action on no note needs a place where it makes one`(change: Action.Change, expected: NoteState.Need?) {
        #expect(need(of: change, nil) == expected)
    }

    @Test func `an action that came before needs only the note that it was about`() {
        for change in [Self.edit(.revision(Self.revision(1))), .move(.first), .create(Self.text, .last)] {
            #expect(need(of: change, .stored(textRevision: 4), earlier: "n1") == nil)
            #expect(need(of: change, .stored(textRevision: 4), earlier: "n2") == .earlierNote("n2"))
        }
    }
}
