import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestRandomness
import AlmanacTestSupport
import Foundation
import Testing

@Suite(.database(.migrated)) struct SearchTests {
    private func library() throws -> NotesInstance {
        let instance = try NotesInstance()
        try instance.act(
            """
            [["createNote", {"id": "list", "title": "Groceries", "body": "milk, bread and butter"}],
             ["createNote", {"id": "recipe", "title": "Bread", \
            "body": "flour water salt; bake the bread, eat the bread"}],
             ["createNote", {"id": "trip", "title": "Reise nach Köln", "body": "The train's late. O'Brien waits"}],
             ["createNote", {"id": "trash", "title": "Bread", "body": "bread"}], ["deleteNote", "trash"]]
            """)
        try instance.create(("foreign", "bread"), as: "bob")
        return instance
    }

    @Test(arguments: [
        ("milk", ["list"]), ("MILK", ["list"]), ("bread", ["recipe", "list"]), ("bread%20milk", ["list"]),
        ("köln", ["trip"]), ("bre*", ["recipe", "list"]), ("brea*%20mil*", ["list"]), ("bre", ["recipe", "list"]),
        ("%22bread%20and%20butter%22", ["list"]), ("%22butter%20and%20bread%22", []), ("bread%20-milk", ["recipe"]),
        ("bread%20-mil*", ["recipe"]), ("bread%20-mil", ["recipe", "list"]), ("milk%20or%20train", ["list", "trip"]),
        ("o'brien", ["trip"]),
        ("o'br*", ["trip"]),
        ("%22unfinished", []), ("*", []), ("'*", []), ("%5C*", []), ("%26%7C!", []), ("%22%22", []), ("", []),
        ("x%5C'*", []), ("a:*B%20%26%20c*", []),
    ])
    func `words, beginnings of them and phrases are found, the best first`(query: String, ids: [String]) throws {
        let instance = try library()
        let answer = try instance.call("GET", "/notes?q=\(query)").expecting(200)
        let found = try answer.order
        #expect(query.contains("or") ? Set(found) == Set(ids) : found == ids)
        #expect(Set(answer[member: "details"]?.objectValue?.members.map(\.name) ?? []) == Set(ids))
    }

    @Test(arguments: [
        (String(repeating: "a+", count: 32), 200), (String(repeating: "a+", count: 33), 400),
        (String(repeating: "a,", count: 33), 400), (String(repeating: "😀,", count: 33), 400),
        ("%22\(String(repeating: "a+", count: 33))%22", 400), (String(repeating: "a+or+", count: 17), 200),
        (String(repeating: "标题", count: 100), 200),
    ])
    func `the number of words is bounded`(query: String, status: Int) throws {
        let answer = try library().call("GET", "/notes?q=\(query)")
        #expect(answer.status == status)
        #expect("\(answer.body)".contains("at most 32 words; leave some out") == (status == 400))
    }

    @Test func `a search finds what the cases say, which hold for the library and the page too`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Core/SearchingTests/search-cases.json")
        let cases = try #require(try JSONValue(parsing: Array(try Data(contentsOf: file))).objectValue)
        let instance = try NotesInstance()
        let notes = try #require(cases["notes"]?.arrayValue).compactMap(\.objectValue)
        let ids = notes.compactMap { $0["id"]?.stringValue }
        let actions = notes.enumerated().map { at, note in
            let members = ["title", "body", "tags"].map { (name: $0, value: note[$0] ?? .null) }
            return ["createNote", .object(JSONObject(members + [(name: "id", value: .string("n\(at)"))]))] as JSONValue
        }
        try instance.act("\(JSONValue.array(actions))")
        for search in try #require(cases["searches"]?.arrayValue) {
            let words = try #require(search.arrayValue?.first?.stringValue)
            let expected = search.arrayValue?.last?.arrayValue?.compactMap(\.stringValue) ?? []
            let query = words.utf8.map { "%" + String(Int($0) + 0x100, radix: 16).suffix(2) }.joined()
            let order = try instance.call("GET", "/notes?q=\(query)").expecting(200).order
            #expect(order.map { ids[Int($0.dropFirst())!] } == expected, "\(words)")
        }
    }

    @Test func `no text makes the database complain of it, so none comes into a log`() throws {
        let instance = try library()
        var random = Randomness()
        let pieces = [
            "a", "*", "'", "\\", "\"", "-", "!", "&", "|", "(", ")", ":", "<->", " ", "or", "é", "字", "/", ".",
            "@",
        ]
        for _ in 0..<TestDepth.runs(quick: 50, standard: 150, long: 3000) {
            let text = (0..<Int.random(in: 1...20, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let query = text.utf8.map { "%" + String(Int($0) + 0x100, radix: 16).suffix(2) }.joined()
            let answer = try instance.call("GET", "/notes?q=\(query)")
            #expect([200, 400].contains(answer.status), "\(text), \(random.note)")
        }
    }

    @Test func `a search finds what was written last and nothing that was purged`() throws {
        let instance = try library()
        try instance.act(
            #"[["updateNote", {"id": "list", "base": 1, "body": [[0, "milk, bread and butter"], [1, ", yeast"]]}]]"#)
        #expect(try instance.call("GET", "/notes?q=yeast").order == ["list"])
        try instance.act(#"[["purgeNote", {"id": "list"}], ["restoreNote", {"id": "trash"}]]"#)
        #expect(try instance.call("GET", "/notes?q=yeast").order.isEmpty)
        #expect(try Set(instance.call("GET", "/notes?q=bread").order) == ["recipe", "trash"])
        let words = "select note_id from note_words order by note_id"
        #expect(try instance.query("words", words).map { try $0.text("note_id") } == ["recipe", "trash", "trip"])
        #expect(try instance.call("DELETE", "/account").status == 204)
        #expect(try instance.query("words", words).isEmpty)
    }

    /// Creates many long notes at once, like an import, or like notes older than the index.
    @Test func `a search of many long notes gathers their words a part at a time, and says so`() throws {
        let instance = try NotesInstance()
        let line = "the landlord’s number and what the plumber said about the boiler\n"
        for batch in 0..<6 {
            let actions = (0..<3).map { at in
                let body = "n\(batch)x\(at) " + String(repeating: line, count: 15_000)
                return ["createNote", ["id": .string("n\(batch)-\(at)"), "body": .string(body)]] as JSONValue
            }
            try instance.act("\(JSONValue.array(actions))")
        }
        #expect(try instance.call("GET", "/notes?q=n0x0").outcome == "503 overloaded")
        #expect(try instance.call("GET", "/notes?q=n0x0").order == ["n0-0"])
        #expect(try instance.call("GET", "/notes?q=n5x2+boiler").order == ["n5-2"])
    }

    @Test func `a long query is refused`() throws {
        let query = String(repeating: "x", count: 1001)
        #expect(try NotesInstance().call("GET", "/notes?q=\(query)").outcome == "400 invalid-parameter")
    }

    @Test(arguments: ["𐐀", "Ⱥ", "ab-cd/ef.gh ", "é", "字", "a\n"])
    func `the longest bodies can be searched by their beginning`(unit: String) throws {
        let instance = try NotesInstance()
        // Words that all differ are the largest input of the index.
        var body = "beginning "
        var number = 0
        while body.utf8.count < 1_048_000 {
            body += unit + String(number, radix: 36) + "-" + unit + " "
            number += 1
        }
        let action: JSONValue = [["createNote", ["id": "n1", "body": .string(body)]]]
        #expect(try instance.act("\(action)")[0].outcome == "applied")
        #expect(try instance.call("GET", "/notes?q=beginning").order == ["n1"])
    }
}
