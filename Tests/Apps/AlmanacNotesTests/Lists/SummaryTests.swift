import AlmanacNotes
import AlmanacTestSupport
import Testing

@Suite struct SummaryTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `a list shows titles, beginnings and where each note is, in its order`() async throws {
        let store = try folder.open()
        let long = String(repeating: "word ", count: 1000)
        let ids = [
            try await store.create(title: "a", body: "1\n2").id, try await store.create(title: "b", body: long).id,
            try await store.create(title: "c").id,
        ]
        try await store.move(ids[2], after: nil)
        let summaries = try await store.summaries()
        #expect(summaries.map(\.id) == [ids[2], ids[0], ids[1]])
        #expect(summaries.map(\.title) == ["c", "a", "b"])
        #expect(summaries.map(\.excerpt) == ["", "1\n2", String(long.prefix(199))])
        #expect(summaries.allSatisfy { $0.status == .onThisDevice && !$0.isInTrash })
        #expect(try await store.summary(ids[0]) == summaries[1])
        #expect(try await store.summary("n9") == nil)
        for (summary, note) in zip(summaries, try await store.notes()) {
            #expect(summary.createdAt == note.createdAt && summary.editedAt == note.editedAt)
        }
    }

    @Test(
        arguments: [
            (0, 4, ["f", "a", "b", "c"]), (4, 4, ["d", "e"]), (6, 4, []), (0, 0, []), (2, nil, ["b", "c", "d", "e"]),
            (-3, -1, []),
        ] as [(Int, Int?, [String])])
    func `pages follow each other without a gap, with notes that were moved too`(
        offset: Int, limit: Int?, titles: [String]
    ) async throws {
        let store = try folder.open()
        var last = ""
        for title in ["a", "b", "c", "d", "e", "f"] { last = try await store.create(title: title).id }
        try await store.move(last, after: nil)
        let query = NotesQuery(offset: offset, limit: limit)
        #expect(try await store.summaries(query).map(\.title) == titles)
        #expect(try await store.count(query) == 6)
    }

    @Test func `pinned notes come first in every order of the list, with moves, pages and tags`() async throws {
        let store = try NotesStore(preview: ["a", "b", "c", "d"].map { StoredNote.Text(title: $0, tags: ["t"]) })
        let ids = try await store.notes().map(\.id)
        try await store.pin(ids[2])
        func titles(_ query: NotesQuery) async throws -> [String] { try await store.summaries(query).map(\.title) }
        #expect(try await store.notes().map(\.title) == ["c", "a", "b", "d"])
        #expect(try await titles(NotesQuery()) == ["c", "a", "b", "d"])
        #expect(try await titles(NotesQuery(offset: 1, limit: 2)) == ["a", "b"])
        for limit in [nil, 2] {
            let latest = try await titles(NotesQuery(order: .latestFirst, limit: limit))
            #expect(latest.first == "c")
        }
        // The note moves to its place after the pinned note in the full order.
        try await store.move(ids[0], after: ids[2])
        #expect(try await store.notes().map(\.title) == ["c", "b", "a", "d"])
        for query in [NotesQuery(), NotesQuery(words: "tag:t"), NotesQuery(tags: ["t"])] {
            #expect(try await titles(query) == ["c", "b", "a", "d"])
        }
        #expect(try await titles(NotesQuery(offset: 1, limit: 2)) == ["b", "a"])
        #expect(try await store.search("tag:t", limit: 2).map(\.title) == ["c", "b"])
        try await store.delete(ids[2])
        try await store.delete(ids[3])
        #expect(try await Set(titles(NotesQuery(.trash))) == ["c", "d"])
        try await store.pin(ids[2], false)
        #expect(try await store.trash().count == 2)
    }

    @Test func `a query asks for the trash, for the latest change first, and for words`() async throws {
        let clock = ManualClock()
        var options = NotesOptions()
        options.clock = clock
        let store = try NotesStore(
            file: folder.file("clock.db"), environment: Folder.environment, account: .alice, options: options)
        var ids: [String] = []
        for title in ["milk", "bread", "milk and bread"] {
            ids.append(try await store.create(title: title).id)
            clock.advance(by: .seconds(1))
        }
        try await store.edit(ids[0]) { $0.body = "oat" }
        #expect(
            try await store.summaries(NotesQuery(order: .latestFirst)).map(\.title) == [
                "milk", "milk and bread", "bread",
            ])
        #expect(try await store.summaries(NotesQuery(words: "bread", limit: 1)).count == 1)
        #expect(try await store.count(NotesQuery(words: "bread")) == 2)
        try await store.delete(ids[1])
        #expect(try await store.summaries(NotesQuery(.trash)).map(\.id) == [ids[1]])
        #expect(try await store.summaries(NotesQuery(.trash, words: "br")).map(\.id) == [ids[1]])
        #expect(try await store.summaries(NotesQuery(words: "br")).map(\.id) == [ids[2]])
        #expect(try await store.count(NotesQuery(.trash)) == 1)
    }

    @Test func `an excerpt ends between characters, and a single one without end is cut`() async throws {
        let store = try folder.open()
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        try await store.create(body: String(repeating: "a", count: 198) + family)
        try await store.create(body: "e" + String(repeating: "\u{301}", count: 5000))
        try await store.create(body: String(repeating: "a", count: 200))
        let excerpts = try await store.summaries().map(\.excerpt)
        #expect(excerpts[0] == String(repeating: "a", count: 198))
        #expect(excerpts[1].unicodeScalars.count == 200)
        #expect(excerpts[2] == String(repeating: "a", count: 200))
    }
}
