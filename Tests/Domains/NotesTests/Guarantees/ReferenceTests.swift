import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

/// Tests the rows of the attachments that texts name.
@Suite(.database(.migrated)) struct ReferenceTests {
    private static let (a, b) = (String(repeating: "a", count: 26), String(repeating: "b", count: 26))

    private func body(_ ids: String...) -> String {
        ids.map { "![A cat](attachments/\($0).png)" }.joined(separator: " and ")
    }

    private func put(_ body: String, _ note: String = "n1", on instance: NotesInstance) throws {
        let content: JSONValue = ["body": .string(body)]
        try instance.call("PUT", "/notes/\(note)", "\(content)", as: "alice", ("If-Match", "*")).expecting(200)
    }

    /// Returns each note, attachment and revision from which no text names it: `n1 a until 4`.
    private func rows(_ instance: NotesInstance) throws -> [String] {
        try instance.query(
            "references",
            """
            select concat_ws(' ', note_id, left(attachment_id, 1), 'until ' || until_revision) as line
            from note_attachments order by 1
            """
        ).map { try $0.text("line") }
    }

    @Test func `each change of a text says what it names, and since when it names something no more`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", body(Self.a)), ("n2", "milk"))
        #expect(try rows(instance) == ["n1 a"])
        try put(body(Self.b, Self.b), on: instance)
        #expect(try rows(instance) == ["n1 a until 3", "n1 b"])
        try instance.call("PUT", "/notes/n1", #"{"title": "Cats"}"#, as: "alice", ("If-Match", "*")).expecting(200)
        try put(body(Self.b) + "!", on: instance)
        #expect(try rows(instance) == ["n1 a until 3", "n1 b"])
        try instance.call("POST", "/notes/n1/restore", #"{"revision": 1}"#).expecting(200)
        #expect(try rows(instance) == ["n1 a", "n1 b until 6"])
        // The trash keeps what its notes name.
        try instance.act(#"[["deleteNote", "n1"], ["moveNote", {"id": "n2", "after": null}]]"#)
        #expect(try rows(instance) == ["n1 a", "n1 b until 6"])
        try instance.act(#"[["purgeNote", {"id": "n1"}]]"#)
        #expect(try rows(instance) == [])
    }

    @Test func `a merge names what both sides named, and a refused action nothing`() throws {
        let instance = try NotesInstance()
        try instance.create(("n1", "cats\n\nmilk"))
        let first: JSONValue = [
            ["updateNote", ["id": "n1", "base": 1, "body": [.string(body(Self.a) + "\n"), 10]]]
        ]
        let second: JSONValue = [["updateNote", ["id": "n1", "base": 1, "body": [10, .string("\n" + body(Self.b))]]]]
        #expect(try instance.act("\(first)").map(\.outcome) == ["applied"])
        #expect(try instance.act("\(second)").map(\.outcome) == ["merged"])
        #expect(try rows(instance) == ["n1 a", "n1 b"])
        let many = (0...1000).map { "attachments/" + String(repeating: "c", count: 22) + Self.word($0) }
            .joined(separator: " ")
        let refused: JSONValue = [["createNote", ["id": "n2", "body": .string(many)]]]
        #expect(try instance.act("\(refused)").map(\.outcome) == ["rejected too-many-attachments"])
        #expect(try rows(instance) == ["n1 a", "n1 b"])
    }

    private static func word(_ number: Int) -> String {
        "\(number + 5000)".map { String(Array("bcdefghijk")[$0.wholeNumberValue!]) }.joined()
    }
}
