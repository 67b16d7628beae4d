import Testing

@testable import AlmanacImporting

@Suite struct SourcePatternTests {
    /// The results are those of Python's `re`.
    @Test(arguments: [
        ("^a+b$", "aab", true), ("^a+b$", "aab\n", true), ("^a+b$", "aabc", false), ("b|^c", "ab", true),
        ("[^,\\d-]{2,3}x?", "1,ab", true), ("(?i)Straße", "STRAßE", true), ("(?i)[à-é]", "É", true),
        (".", "\n", false), ("(?s).", "\n", true), ("(?m)^b$", "a\nb\nc", true), ("\\bfoo\\b", "a foo!", true),
        ("\\Boo", "foo", true), ("^(a|b)*?c{0}$", "abab", true), ("[]x]", "]", true), ("^[[:a]+$", "[:a", true),
        ("(a?){30}b", "aab", true), ("^(\\w+\\s?)*$", "one two!", false), ("^$", "", true),
    ])
    func `patterns match as in Python`(pattern: String, text: String, matches: Bool) throws {
        #expect(try #require(SourcePattern(pattern, isPython: true)).finds(in: text) == matches)
    }

    @Test func `nested repetitions take no exponential time`() throws {
        let pattern = try #require(SourcePattern("^(a*)*(a|a)*b$"))
        #expect(!pattern.finds(in: String(repeating: "a", count: 300)))
        #expect(!pattern.matches(startOf: "aaaa"))
    }

    @Test(arguments: [
        "(a", "a)", "a**", "[a", "\\1", "(?=a)", "(?P<n>a)", "a{2,1}", "\\", "((a{999}){999}){9}", "[[:alpha:]]",
    ])
    func `unknown syntax is no pattern`(pattern: String) { #expect(SourcePattern(pattern).map { _ in true } == nil) }
}
