import Testing

@testable import AlmanacNotesDomain

@Suite struct PlacePlanTests {
    private let stored = StoredNotes(
        .stored("a", position: "a0"), .stored("b", position: "a1"), .stored("c", position: "a2"),
        .stored("d", position: "a3", isDeleted: true), .stored("e", position: "a4", isPurged: true))

    @Test(arguments: [
        ("c", Action.Place.first, "moveNote to Zz, applied"), ("a", .last, "moveNote to a4, applied"),
        ("a", .after("b"), "moveNote to a1V, applied"), ("c", .after("a"), "moveNote to a0V, applied"),
        ("b", .after("d"), "moveNote to a4, applied"), ("d", .first, "moveNote to Zz in the trash, applied"),
    ])
    func `a move gives the note a position between its new neighbours`(
        id: String, place: Action.Place, summary: String
    ) throws {
        #expect(try stored.plan(.move(place), of: id).summary == summary)
    }

    @Test(arguments: [
        ("a", Action.Place.first), ("d", .last), ("b", .after("a")), ("c", .after("b")), ("d", .after("c")),
    ])
    func `a note that stands there already stays as it is`(id: String, place: Action.Place) throws {
        #expect(try stored.plan(.move(place), of: id).summary == "unchanged, applied")
    }

    @Test func `the only note of a list stands at both ends of it`() throws {
        let alone = StoredNotes(.stored())
        for place in [Action.Place.first, .last] {
            #expect(try alone.plan(.move(place)).summary == "unchanged, applied")
        }
    }

    @Test func `a move of no note, behind none or behind itself is refused`() {
        for id in ["never", "e"] {
            #expect(throws: NotesRefusal.noteGone(id)) { try stored.plan(.move(.first), of: id) }
            #expect(throws: NotesRefusal.noteGone(id)) { try stored.plan(.move(.after(id)), of: "a") }
        }
        #expect(throws: NotesRefusal.afterItself) { try stored.plan(.move(.after("a")), of: "a") }
    }

    @Test func `the list is numbered anew as soon as a position is too long`() throws {
        var upper = "a1"
        var lengths: Set<Int> = []
        while lengths.max() ?? 0 <= ListPosition.renumberLength {
            let crowded = StoredNotes(
                .stored("a", position: "a0"), .stored("b", position: upper), .stored("c", position: "a2"))
            let move = try crowded.plan(.move(.after("a")), of: "c")
            let creation = try crowded.plan(.create(NoteText(title: "", body: ""), .after("a")))
            guard case .changePlace(let position?, false, .moveNote) = move.write else {
                Issue.record("\(move.summary)")
                return
            }
            #expect(move.renumbersList == (position.utf8.count > 64), "\(position)")
            #expect(creation.renumbersList == move.renumbersList)
            lengths.insert(position.utf8.count)
            upper = position
        }
        #expect(lengths.contains(64) && lengths.contains(65))
    }

    @Test func `an action that doesn't move a note never numbers the list anew`() throws {
        let long = Note.stored(position: String(repeating: "a", count: 65))
        for change in [Action.Change.delete(base: nil), .purge, .put(title: "T", body: nil, .base(.current))] {
            #expect(try !StoredNotes(long).plan(change).renumbersList)
        }
    }
}
