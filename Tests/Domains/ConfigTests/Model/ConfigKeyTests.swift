import AlmanacHTTP
import Testing

@testable import AlmanacConfigDomain

@Suite struct ConfigKeyTests {
    @Test(arguments: [
        "a", "Z", "_", "app.background.color", "a-b_c.9", "_9", "a..b", String(repeating: "k", count: 128),
    ])
    func `a letter or underscore and up to 127 letters, digits, dots, hyphens and underscores are a key`(
        text: String
    ) throws {
        #expect(ConfigKey.isValid(text))
        #expect(try ConfigKey.checked(text) == text)
    }

    @Test(arguments: [
        "", "1", "2020-10-17T18:43:19.000Z", "-a", ".a", "a b", "a/b", "a:b", "é", "a\u{301}", "aé", "a\n", "a\u{0}",
        "a%",
        String(repeating: "k", count: 129),
    ])
    func `everything else is refused with the form that was expected`(text: String) throws {
        #expect(!ConfigKey.isValid(text))
        let problem = #expect(throws: ConfigRefusal.invalidKey) { try ConfigKey.checked(text) }?.problem
        #expect(problem?.kind == .invalidKey)
        #expect(problem?.detail.contains(ConfigKey.form) == true)
    }
}
