import AlmanacNotes
import AlmanacTestSupport
import Testing
import TextMerge

@Suite struct StoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `changes are there when the file is opened again`() async throws {
        let id = try await folder.open().create(title: "Groceries", body: "milk").id
        try await folder.open().edit(id) { $0.body += "\nbread" }
        let other = try await folder.open().create(body: "other").id
        try await folder.open().delete(other)
        let store = try folder.open()
        #expect(try await store.notes().map(\.body) == ["milk\nbread"])
        #expect(try await store.trash().map(\.body) == ["other"])
        #expect(try await store.note(id)?.status == .onThisDevice)
        try await store.restore(other)
        #expect(try await store.notes().map(\.body) == ["milk\nbread", "other"])
    }

    @Test func `tags are kept sorted by their bytes, each once, and a pin beside them`() async throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        let id = try await folder.open().create(tags: ["work", composed, "work", decomposed, "\u{FB01}", "🔑"]).id
        let sorted = [decomposed, composed, "work", "\u{FB01}", "🔑"]
        func tags() async throws -> [[UInt8]]? { try await folder.open().note(id)?.tags.map { Array($0.utf8) } }
        #expect(try await tags() == sorted.map { Array($0.utf8) })
        try await folder.open().tag(id, add: ["a"], remove: [composed, "nowhere"])
        #expect(
            try await tags()
                == (["a"] + sorted.filter { Array($0.utf8) != Array(composed.utf8) }).map { Array($0.utf8) })
        try await folder.open().pin(id)
        #expect(try await folder.open().note(id)?.isPinned == true)
        let read = try #require(try await folder.open().note(id))
        try await folder.open().tag(id, add: ["theirs"], remove: ["a"])
        let merged = try await folder.open().edit(read, tags: ["a", "mine"], isPinned: false)
        #expect(merged.tags == ["mine", "theirs"])
        #expect(!merged.isPinned)
    }

    @Test(arguments: ["", "a\u{0}", "line\nline", "\u{85}", String(repeating: "🔑", count: 65)])
    func `what is no tag is refused, and nothing is written`(tag: String) async throws {
        let store = try folder.open()
        let id = try await store.create(body: "milk", tags: [String(repeating: "🔑", count: 64)]).id
        await #expect(throws: NotesFailure.self) { try await store.tag(id, add: ["work", tag]) }
        await #expect(throws: NotesFailure.self) { try await store.create(tags: [tag]) }
        await #expect(throws: NotesFailure.self) { try await store.edit(id) { $0.tags.append(tag) } }
        #expect(try await store.notes().map(\.tags) == [[String(repeating: "🔑", count: 64)]])
    }

    @Test func `a 33rd tag is refused, and more that came by a merge keep nobody from writing`() async throws {
        let store = try folder.open()
        let tags = (0..<33).map { "tag \($0)" }
        await #expect(throws: NotesFailure.self) { try await store.create(tags: tags) }
        let id = try await store.create(tags: tags.dropLast()).id
        await #expect(throws: NotesFailure.self) { try await store.tag(id, add: ["one more"]) }
        try await store.edit(id) { $0.tags = tags }
        try await store.edit(id) { $0.body = "typed" }
        #expect(try await store.tag(id, remove: ["tag 1"]).tags.count == 32)
        #expect(try await store.note(id)?.body == "typed")
    }

    @Test func `tags and pins of a note in the trash leave it there`() async throws {
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        try await store.delete(id)
        #expect(try await store.tag(id, add: ["work"]).isInTrash)
        #expect(try await store.pin(id).isInTrash)
        #expect(try await store.trash().map(\.tags) == [["work"]])
        #expect(try await store.edit(id) { $0.body = "bread" }.isInTrash == false)
    }

    @Test func `notes stand where they were moved before the server knows`() async throws {
        let store = try folder.open()
        var ids: [String] = []
        for name in ["a", "b", "c", "d"] { ids.append(try await store.create(title: name).id) }
        try await store.move(ids[3], after: nil)
        try await store.move(ids[0], after: ids[2])
        #expect(try await store.notes().map(\.title) == ["d", "b", "c", "a"])
        try await store.move(ids[2], after: ids[3])
        #expect(try await store.notes().map(\.title) == ["d", "c", "b", "a"])
        await #expect(throws: NotesFailure.self) { try await store.move(ids[2], after: ids[2]) }
        await #expect(throws: NotesFailure.noSuchNote("x")) { try await store.move(ids[2], after: "x") }
    }

    @Test(arguments: [
        ("milk", ["Groceries"]), ("MIL", ["Groceries"]), ("bread milk", ["Groceries"]), ("cafe", ["Café"]),
        ("wine", []), ("\"milk\" NEAR(", []), ("", []), ("*", []), ("body:milk", []),
    ])
    func `a search finds words by their beginnings, and takes nothing for a command`(
        words: String, titles: [String]
    ) async throws {
        let store = try folder.open()
        try await store.create(title: "Groceries", body: "milk\nbread")
        try await store.create(title: "Café", body: "tea")
        let gone = try await store.create(title: "gone", body: "wine").id
        try await store.delete(gone)
        #expect(try await store.search(words).map(\.title) == titles)
    }

    @Test func `an edit of a note as it was read does not undo what came in since`() async throws {
        let store = try folder.open()
        let read = try await store.create(body: "milk")
        try await store.edit(read.id) { $0.body += "\nbread" }
        try await store.edit(read, body: "oat milk")
        #expect(try await store.note(read.id)?.body == "oat milk\nbread")
    }

    @Test func `a text with a zero is refused and changes nothing`() async throws {
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        await #expect(throws: NotesFailure.self) { try await store.edit(id) { $0.body = "mi\0lk" } }
        await #expect(throws: NotesFailure.self) { try await store.create(title: "\0") }
        #expect(try await store.notes().map(\.body) == ["milk"])
        await #expect(throws: NotesFailure.noSuchNote("n9")) { try await store.edit("n9") { $0.body = "" } }
    }

    @Test func `updates name every change, put together for a slow reader`() async throws {
        let store = try folder.open()
        var updates = store.updates.makeAsyncIterator()
        let ids = [try await store.create(body: "a").id, try await store.create(body: "b").id]
        #expect(await updates.next()?.notes == Set(ids))
        try await store.delete(ids[0])
        #expect(await updates.next()?.notes == [ids[0]])
    }

    @Test(.timeLimit(.minutes(1))) func `an action that changes nothing wakes nobody, its own editor included`()
        async throws
    {
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        let (editor, text) = try await store.editor(of: id)
        var updates = store.updates.makeAsyncIterator()
        #expect(try await editor.exchange(text).isEmpty)
        try await store.edit(id) { _ in }
        let other = try await store.create(body: "tea").id
        #expect(await updates.next()?.notes == [other])
    }

    @Test func `an editor gets what came in as a delta for its caret`() async throws {
        let store = try folder.open()
        let id = try await store.create(body: "milk").id
        let (editor, text) = try await store.editor(of: id)
        #expect(text.body == "milk")
        try await store.edit(id) { $0.body = "bread\nmilk" }
        let shown = StoredNote.Text(body: "milk!")
        let change = try await editor.exchange(shown)
        #expect(change.text.body == "bread\nmilk!")
        #expect(change.body.map(position: 5, affinity: .after) == 11)
        #expect(try change.body.apply(to: shown.body) == "bread\nmilk!")
        #expect(change.text(on: StoredNote.Text(body: "milk!?")).body == "bread\nmilk!?")
        #expect(try await store.note(id)?.body == "bread\nmilk!")
        #expect(try await editor.exchange(change.text).isEmpty)
    }
}
