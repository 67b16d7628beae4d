import AlmanacJSON
import Testing

@Suite struct ObjectTests {
    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "a", 1, 10), (#"{"a":1,"\u0061":2}"#, "a", 1, 15), (#"{"\u0061":1,"a":2}"#, "a", 1, 15),
        (#"{"":1,"":2}"#, "", 1, 8), ("{\"x\":[{\"b\\n\":1,\n \"b\\n\":2}]}", "b\n", 2, 6),
        (#"{"é":1,"\u00e9":2}"#, "é", 1, 15), (#"{"a":"b","b":{"c":"a"},"a":2}"#, "a", 1, 26),
        (
            #"{"a name of more than twenty bytes":1,"a name of more than twenty bytes":2}"#,
            "a name of more than twenty bytes", 1, 72
        ),
    ])
    func `a name that stands there twice is refused`(text: String, name: String, line: Int, column: Int) {
        #expect(throws: JSONFailure.duplicateName(name, line: line, column: column)) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [1, 20]) func `canonically equivalent names are two names`(padding: Int) throws {
        let rest = (0..<padding).map { ",\"\($0)\":null" }.joined()
        let object = try #require(try JSONValue(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2\(rest)}").objectValue)
        #expect(object.count == 2 + padding)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(object.setting("e\u{301}", 3)["\u{e9}"] == 1)
        #expect(object.removing("\u{e9}")["e\u{301}"] == 2)
        #expect(object.removing("\u{e9}")["\u{e9}"] == nil)
    }

    @Test func `members keep the order they were written in`() throws {
        let text = #"{"z":1,"a":2,"m":{"y":1,"b":2},"k":3,"":4,"9":5,"1":6,"5":7,"q":8,"c":9,"x":10}"#
        #expect(try JSONValue(parsing: text).serialized() == Array(text.utf8))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 100])
    func `members are found, replaced in place, added at the end and removed`(count: Int) {
        let object = JSONObject((0..<count).map { ("n\($0)", .number(JSONNumber($0))) })
        #expect(object.count == count && object.isEmpty == (count == 0))
        for position in 0..<count {
            let name = "n\(position)"
            #expect(object[name] == .number(JSONNumber(position)))
            let changed = object.setting(name, "new")
            #expect(changed.members.map(\.name) == object.members.map(\.name))
            #expect(changed.members[position].value == "new" && changed[name] == "new" && changed.count == count)
            let removed = object.removing(name)
            #expect(removed.members.map(\.name) == object.members.map(\.name).filter { $0 != name })
            #expect(removed[name] == nil && removed.members.allSatisfy { removed[$0.name] == $0.value })
        }
        #expect(object["absent"] == nil && object.removing("absent") == object)
        let added = object.setting("added", true)
        #expect(added.members.last?.name == "added" && added["added"] == true && added.count == count + 1)
        #expect(added.removing("added") == object && object["added"] == nil)
    }

    @Test(arguments: [2, 12]) func `of a name given twice the last value counts, in the first place`(count: Int) {
        let names = (0..<count).map { "n\($0)" } + ["n0"]
        let object = JSONObject(names.enumerated().map { ($0.element, .number(JSONNumber($0.offset))) })
        #expect(object.members.map(\.name) == Array(names.dropLast()))
        #expect(object["n0"] == .number(JSONNumber(count)) && object.members[0].value == object["n0"])
    }

    @Test func `the time for a large object grows with its members, not with their square`() throws {
        // Pairwise comparison of 40,000 members would take 1.6 billion comparisons: minutes.
        let text = "{" + (0..<40_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let elapsed = try ContinuousClock().measure {
            let object = try #require(try JSONValue(parsing: text).objectValue)
            for position in 0..<40_000 { #expect(object["\(position)"] != nil) }
            #expect(object == object)
        }
        #expect(elapsed < .seconds(30))
    }
}
