import AlmanacEnvironments
import Testing

@Suite struct EnvironmentNameTests {
    @Test(arguments: ["a", "production", "staging-2", "a-", "z9", String(repeating: "a", count: 32)])
    func `a slug is a name`(text: String) { #expect(EnvironmentName(text)?.text == text) }

    @Test(arguments: [
        "", "-", "-a", "9a", "A", "aB", "a_b", "a.b", "a b", "a/b", "ä", "e\u{301}", "a\n", "a\0",
        String(repeating: "a", count: 33),
    ])
    func `anything else is none`(text: String) {
        #expect(EnvironmentName(text) == nil)
    }
}
