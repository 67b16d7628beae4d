import Foundation
import Testing

@testable import AlmanacNotes

/// Tests of searches in scripts without spaces, and for emoji.
@Suite struct SearchTests {
    private static let texts = [
        "会议记录：明天下午三点，讨论新产品", "買い物リスト：牛乳とパンを買う",
        "ไปตลาดซื้อผลไม้กับแม่",
        "កាហ្វេទឹកដោះគោ",
        "Party 🎉🎂 for 👨‍👩‍👧 in 🇩🇪", "iPhone手机壳 kaufen", "Café crème", "𠮷野家",
    ]

    @Test(
        arguments: [
            ("会议", [0]), ("记录", [0]), ("产品", [0]), ("三点", [0]), ("点三", []),
            ("明天 产品", [0]), ("会品", []),
            ("牛乳", [1]), ("パン", [1]), ("リスト", [1]), ("買", [1]),
            ("ตลาด", [2]), ("ผลไม้", [2]), ("ซื้อ", [2]), ("แม่", [2]),
            ("แมว", []),
            ("ទឹក", [3]), ("🎂", [4]), ("🎉🎂", [4]), ("🎂🎉", []),
            ("👨‍👩‍👧", [4]), ("👧", [4]), ("🇩🇪", [4]), ("🇫🇷", []),
            ("party 🎂", [4]), ("手机", [5]), ("iphone手", [5]), ("iphon", [5]), ("壳", [5]),
            ("cafe", [6]), ("crem", [6]),
            ("野", [7]), ("𠮷", [7]), ("。", []), ("\"会议\" OR 牛乳", [1, 0]),
        ] as [(String, [Int])])
    func `any part of a text without spaces is found, and so are emoji`(words: String, found: [Int]) async throws {
        let store = try NotesStore(preview: Self.texts.map { StoredNote.Text(body: $0) })
        #expect(try await store.search(words).map(\.body) == found.map { Self.texts[$0] })
    }

    @Test func `a search finds what the cases say, which hold for the server and the page too`() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Core/SearchingTests/search-cases.json")
        let cases = try JSONDecoder().decode(SearchCases.self, from: try Data(contentsOf: file))
        let store = try NotesStore(
            preview: cases.notes.map { StoredNote.Text(title: $0.title, body: $0.body, tags: $0.tags) })
        let stored = try await store.notes()
        let titles = Dictionary(zip(stored.map(\.id), cases.notes.map(\.id)), uniquingKeysWith: { one, _ in one })
        for search in cases.searches {
            let found = try await store.search(search.words).map { titles[$0.id] }
            let listed = try await store.summaries(NotesQuery(words: search.words)).map { titles[$0.id] }
            let isOrdered = try SearchText(search.words).tags.isEmpty
            #expect(isOrdered ? found == search.found ?? [] : Set(found) == Set(search.found ?? []), "\(search.words)")
            #expect(search.found == nil ? listed.count == stored.count : listed == found, "\(search.words)")
        }
    }

    @Test(
        arguments: [
            ("tag:work", ["b", "a"]), ("tag:work milk", ["a"]), ("milk tag:work", ["a"]), ("tag:wor", []),
            ("tag:\"two words\"", ["c"]), ("tag:\"two words", ["c"]), ("tag:work tag:home", ["b"]),
            ("tag:café", ["d"]), ("tag:cafe\u{301}", ["e"]), ("tag:", []), ("tag:\"\"", []), ("tag:nowhere milk", []),
            ("  tag:home\t bre", ["b"]), ("nottag:work", []), ("tag:Work", []), ("tag:a\"b", ["e"]),
        ] as [(String, [String])])
    func `notes are found by their tags, byte by byte, together with words or without`(
        words: String, found: [String]
    ) async throws {
        let store = try NotesStore(preview: [
            StoredNote.Text(title: "a", body: "milk", tags: ["work"]),
            StoredNote.Text(title: "b", body: "bread", tags: ["home", "work"], isPinned: true),
            StoredNote.Text(title: "c", body: "milk", tags: ["two words"]),
            StoredNote.Text(title: "d", tags: ["caf\u{E9}"]),
            StoredNote.Text(title: "e", tags: ["cafe\u{301}", "a\"b"]),
        ])
        #expect(try await store.search(words).map(\.title) == found)
        let summaries = try await store.summaries(NotesQuery(words: words))
        // A list without search words contains all notes.
        if !found.isEmpty { #expect(summaries.map(\.title) == found) }
        if !found.isEmpty { #expect(try await store.count(NotesQuery(words: words)) == found.count) }
    }

    @Test func `the tags of a list are counted, those of the trash are not`() async throws {
        let store = try NotesStore(preview: [
            StoredNote.Text(title: "a", tags: ["work", "Ärger"]), StoredNote.Text(title: "b", tags: ["work"]),
            StoredNote.Text(title: "c", tags: ["work", "gone"]),
        ])
        let gone = try #require(try await store.notes().last)
        try await store.delete(gone.id)
        let tags = try await store.tags()
        #expect(tags.map(\.tag) == ["work", "Ärger"])
        #expect(tags.map(\.notes) == [2, 1])
        #expect(try await store.summaries(NotesQuery(tags: ["work"])).map(\.title) == ["a", "b"])
        #expect(try await store.summaries(NotesQuery(.trash, tags: ["work"])).map(\.title) == ["c"])
        #expect(try await store.count(NotesQuery(.trash, tags: ["gone", "work"])) == 1)
    }

    @Test func `what is found follows each edit, in titles too`() async throws {
        let store = try NotesStore(preview: [StoredNote.Text(title: "会议", body: "明天")])
        let id = try #require(try await store.notes().first).id
        try await store.edit(id) { $0 = StoredNote.Text(title: "plain", body: "后天") }
        #expect(try await store.search("明天").isEmpty)
        #expect(try await store.search("会议").isEmpty)
        #expect(try await store.search("后天").map(\.id) == [id])
        try await store.edit(id) { $0.body = "plain" }
        #expect(try await store.search("后天").isEmpty)
        #expect(try await store.search("pla").map(\.id) == [id])
    }
}

/// The contents of `search-cases.json`.
private struct SearchCases: Decodable {
    struct Note: Decodable {
        let id: String
        let title: String
        let body: String
        let tags: [String]
    }

    struct Search: Decodable {
        let words: String
        /// The ids of the found notes, or nil if the words contain nothing to search for.
        let found: [String]?

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            words = try elements.decode(String.self)
            found = try elements.decodeIfPresent([String].self)
        }
    }

    let notes: [Note]
    let searches: [Search]
}
