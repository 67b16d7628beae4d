import AlmanacForms
import AlmanacHTTP
import Testing

@testable import AlmanacConfigDomain

@Suite struct EntryKeyTests {
    @Test func `a text that is no key is refused with the form that was expected`() throws {
        #expect(try EntryKey.checked("app.background.color") == "app.background.color")
        let problem = #expect(throws: ConfigRefusal.invalidKey) { try EntryKey.checked("a b") }?.problem
        #expect(problem?.kind == .invalidKey)
        #expect(problem?.detail.contains(EntryKey.form) == true)
    }
}
