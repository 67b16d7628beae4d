import AlmanacNotes
import Testing

/// Words in scripts without spaces, and emoji.
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
            ("野", [7]), ("𠮷", [7]), ("。", []), ("\"会议\" OR 牛乳", []),
        ] as [(String, [Int])])
    func `any part of a text without spaces is found, and so are emoji`(words: String, found: [Int]) async throws {
        let store = try NotesStore(preview: Self.texts.map { StoredNote.Text(body: $0) })
        #expect(try await store.search(words).map(\.body) == found.map { Self.texts[$0] })
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
