import AlmanacNotes
import AlmanacTestSupport
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct ObservedNotesTests {
    private func store(_ titles: String...) throws -> NotesStore {
        try NotesStore(preview: titles.map { StoredNote.Text(title: $0, body: "body of \($0)") })
    }

    @Test func `a list shows the notes, and what becomes of them`() async throws {
        let store = try store("a", "b")
        let list = ObservedNotes(store)
        #expect(list.notes.isEmpty && list.status == .notStarted && list.failure == nil)
        try await changes {
            list.notes.map(\.title)
        } until: {
            $0 == ["a", "b"]
        }
        #expect(list.notes.map(\.excerpt) == ["body of a", "body of b"])
        try await store.create(title: "c")
        try await changes {
            list.notes.map(\.title)
        } until: {
            $0 == ["a", "b", "c"]
        }
        try await store.delete(list.notes[0].id)
        try await changes {
            list.notes.map(\.title)
        } until: {
            $0 == ["b", "c"]
        }
    }

    @Test func `another query shows its notes`() async throws {
        let list = ObservedNotes(try store("milk", "bread", "milk tea"), NotesQuery(words: "mi"))
        try await changes {
            list.notes.count
        } until: {
            $0 == 2
        }
        list.query.words = "bre"
        try await changes {
            list.notes.map(\.title)
        } until: {
            $0 == ["bread"]
        }
        list.query = NotesQuery(limit: 1)
        try await changes {
            list.notes.map(\.title)
        } until: {
            $0 == ["milk"]
        }
        list.query = NotesQuery(.trash)
        try await changes {
            list.notes.count
        } until: {
            $0 == 0
        }
    }

    @Test func `what nobody looks at is not kept, nor the store with it`() async throws {
        weak var gone: NotesStore?
        do {
            let store = try store("a")
            gone = store
            let list = ObservedNotes(store)
            try await changes {
                list.notes.count
            } until: {
                $0 == 1
            }
        }
        #expect(try await eventuallyAsync { gone == nil })
    }

    @Test func `a note shows what others write, and stores what is typed`() async throws {
        let store = try store("Groceries")
        let id = try #require(try await store.notes().first).id
        let note = ObservedNote(store, id: id)
        #expect(note.title.isEmpty && note.stored == nil)
        try await changes {
            note.title
        } until: {
            $0 == "Groceries"
        }
        note.body += "!"
        try await note.save()
        #expect(try await store.note(id)?.body == "body of Groceries!")
        try await store.edit(id) { $0.body = "The " + $0.body }
        try await changes {
            note.body
        } until: {
            $0 == "The body of Groceries!"
        }
        #expect(note.stored?.status == .onThisDevice)
    }

    @Test func `typing and what comes in meanwhile are both there`() async throws {
        let store = try store("a")
        let read = try #require(try await store.notes().first)
        let note = ObservedNote(store, read)
        #expect(note.body == read.body)
        for number in 1...50 {
            note.body += " t\(number)"
            if number % 5 == 0 { try await store.edit(read.id) { $0.body = "o\(number) " + $0.body } }
        }
        try await note.save()
        let words = Set(try #require(try await store.note(read.id)).body.split(separator: " ").map(String.init))
        #expect(words.isSuperset(of: (1...50).map { "t\($0)" }))
        #expect(words.isSuperset(of: (1...10).map { "o\($0 * 5)" }))
        try await changes {
            note.text
        } until: {
            $0.body.contains("o50")
        }
        #expect(note.text == (try await store.note(read.id))?.text)
    }

    @Test func `text typed before the note was read is merged with it`() async throws {
        let store = try store("a")
        let id = try #require(try await store.notes().first).id
        let note = ObservedNote(store, id: id)
        note.body = "typed "
        try await note.save()
        let body = try #require(try await store.note(id)).body
        #expect(body.contains("typed") && body.contains("body of a"))
    }

    @Test func `a note that is not there says so, and keeps what was typed`() async throws {
        let note = ObservedNote(try store(), id: "n9")
        note.title = "typed"
        await #expect(throws: NotesFailure.noSuchNote("n9")) { try await note.save() }
        #expect(note.failure == .noSuchNote("n9") && note.stored == nil && note.title == "typed")
    }

    /// Waits until an observed value is as expected, and checks after each announced change.
    private func changes<Value: Equatable & Sendable>(
        _ value: @escaping @MainActor () -> Value, until isExpected: (Value) -> Bool
    ) async throws {
        while true {
            let (changed, change) = AsyncStream<Void>.makeStream()
            let now = withObservationTracking {
                value()
            } onChange: {
                change.finish()
            }
            if isExpected(now) { return }
            for await _ in changed {}
            try Task.checkCancellation()
        }
    }
}
