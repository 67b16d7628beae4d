import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite struct SearchPatternTests {
    private func occurs(_ pattern: String, in text: String) throws -> Bool {
        var steps = 0
        return try #require(SearchPattern(pattern)).occurs(key: "", description: "", value: Array(text.utf8), &steps)
    }

    @Test func `it occurs where a plain comparison finds it, whatever the case`() throws {
        var random = Randomness()
        let scalars: [Unicode.Scalar] = ["a", "A", "b", "é", "É", "ж", "Ж", "😀", "ß", "1", " ", "\u{301}"]
        func text(_ lengths: ClosedRange<Int>) -> String {
            var text = ""
            for _ in 0..<Int.random(in: lengths, using: &random) {
                text.unicodeScalars.append(scalars.randomElement(using: &random)!)
            }
            return text
        }
        func folded(_ text: String) -> [Unicode.Scalar] {
            text.unicodeScalars.map { $0.properties.lowercaseMapping.unicodeScalars.first! }
        }
        for _ in 0..<TestDepth.runs(quick: 1000, standard: 2000, long: 50_000) {
            let (pattern, text) = (text(1...3), text(0...12))
            let (needle, hay) = (folded(pattern), folded(text))
            let expected = hay.indices.contains { hay[$0...].starts(with: needle) }
            #expect(try occurs(pattern, in: text) == expected, "\(random.note) '\(pattern)' in '\(text)'")
        }
    }

    @Test(arguments: [
        (#"{"a":[1,2]}"#, #"{"a": [1, 2]}"#, true), (#"": [1, 2"#, #"{"a": [1, 2]}"#, true),
        (#""a":  [1"#, #"{"a": [1, 2]}"#, false), (":", "a:", true), (",", "", false), ("a,b", "A, B", true),
        ("a, b", "a,b", false), ("a\u{0}", "a", false), ("ss", "ß", false), ("ǅ", "ǆ", true), ("İ", "i", false),
    ])
    func `a space behind a colon or comma may be left out`(pattern: String, text: String, expected: Bool) throws {
        #expect(try occurs(pattern, in: text) == expected)
    }

    @Test func `it has 1 to 200 characters`() {
        #expect(SearchPattern("") == nil)
        #expect(SearchPattern(String(repeating: "😀", count: 200)) != nil)
        #expect(SearchPattern(String(repeating: "a", count: 201)) == nil)
    }

    @Test func `work is counted, also that of looking at what is none`() throws {
        var steps = 0
        let text = Array(String(repeating: "a", count: 1000).utf8)
        let pattern = try #require(SearchPattern(String(repeating: "a", count: 100) + "b"))
        #expect(!pattern.occurs(key: "k", description: "", value: text, &steps))
        #expect((90_000...120_000).contains(steps), "\(steps)")
        steps = 0
        #expect(!(try #require(SearchPattern("z")).occurs(key: "k", description: "", value: text, &steps)))
        #expect(steps == 1001)
    }
}
