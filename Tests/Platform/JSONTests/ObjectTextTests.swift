import AlmanacJSON
import Testing

@Suite struct ObjectTextTests {
    private func text(_ text: String, _ change: (inout JSONObjectText) -> Void) throws -> String {
        var object = try JSONObjectText(Array(text.utf8))
        change(&object)
        _ = try JSONValue(parsing: object.bytes)
        return String(decoding: object.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"n\": {}\n}\n"),
        (
            "{\n\t\"a\" : { \"x\": [1, 2], \"y\": \"},\\\"{\" }\n\n}",
            "{\n\t\"a\" : { \"x\": [1, 2], \"y\": \"},\\\"{\" },\n\t\"n\": {}\n\n}"
        ),
        ("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2, \"n\": {}}"),
        ("  {\"a\":\n1 }", "  {\"a\":\n1, \"n\": {} }"),
    ])
    func `a member is added behind the last one, and nothing else is touched`(before: String, after: String) throws {
        #expect(try text(before) { $0.append("n", "{}") } == after)
        // Removing the added member restores the text.
        #expect(try text(after) { $0.remove("n") } == before)
    }

    @Test func `a member is taken out wherever it stands`() throws {
        let object = "{\n  \"a\": {\"b\": 1},\n  \"b\": [\"a\", {\"a\": 2}],\n  \"c\": 3\n}\n"
        #expect(try text(object) { $0.remove("a") } == "{\n  \"b\": [\"a\", {\"a\": 2}],\n  \"c\": 3\n}\n")
        #expect(try text(object) { $0.remove("b") } == "{\n  \"a\": {\"b\": 1},\n  \"c\": 3\n}\n")
        #expect(try text(object) { $0.remove("c") } == "{\n  \"a\": {\"b\": 1},\n  \"b\": [\"a\", {\"a\": 2}]\n}\n")
        #expect(try text(object) { $0.remove("d") } == object)
        #expect(try text("{\"\\u0061\": 1, \"b\": 2}") { $0.remove("a") } == "{\"b\": 2}")
    }

    @Test(arguments: ["", "[]", "{}", "{", "1", "{\"a\": 1,}"])
    func `a text that is no object with members is refused`(text: String) {
        #expect(throws: JSONFailure.self) { try JSONObjectText(Array(text.utf8)) }
    }
}
