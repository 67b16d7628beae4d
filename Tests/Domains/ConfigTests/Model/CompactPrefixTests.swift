import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite struct CompactPrefixTests {
    @Test(arguments: [
        (#"{"a": [1, 2], "b": " , : "}"#, 40, #"{"a":[1,2],"b":" , : "}"#, true),
        (#"{"a": [1, 2]}"#, 11, #"{"a":[1,2]}"#, true), (#"{"a": [1, 2]}"#, 10, #"{"a":[1,2]"#, false),
        (#""\" x""#, 40, #""\" x""#, true), (#""\\", "#, 40, #""\\","#, true),
        (#""é€😀""#, 5, #""é€😀""#, true),
        (#""é€😀""#, 3, #""é€"#, false), ("1", 0, "", false), ("", 0, "", true),
    ])
    func `white space between tokens goes, and no character is cut`(
        text: String, characters: Int, expected: String, isWhole: Bool
    ) {
        let beginning = CompactPrefix(of: Array(text.utf8), characters: characters)
        #expect(String(decoding: beginning.bytes, as: UTF8.self) == expected)
        #expect(beginning.isWhole == isWhole)
    }

    @Test func `what is whole says the same as the text`() throws {
        var random = Randomness()
        for _ in 0..<TestDepth.runs(quick: 100, standard: 200, long: 5000) {
            let value = JSONValue.random(depth: 4, nulls: true, &random)
            let spaced = value.description.replacing(",", with: " ,\n ")
            let text = (try? JSONValue(json: spaced)) == value ? spaced : value.description
            let whole = CompactPrefix(of: Array(text.utf8), characters: 10_000)
            #expect(whole.isWhole && whole.bytes == value.serialized(), "\(random.note)")
            let quoted = JSONValue.string(String(decoding: whole.bytes, as: UTF8.self)).serialized()
            #expect(whole.quoted == quoted, "\(random.note)")
        }
    }
}
