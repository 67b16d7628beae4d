import AlmanacForms
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// Runs the cases that the tests of the pages and of the API description also run.
@Suite struct FormsTests {
    private static let rules: [(name: String, isValid: @Sendable (String) -> Bool)] = [
        ("entry key", { EntryKey.isValid($0) }), ("entry key pattern", { EntryKeyPattern.isValid($0) }),
        ("scope", { ScopeName.isValid($0) }), ("message", { ReleaseMessage.isValid($0) }),
        ("note id", { NoteID.isValid($0) }), ("tag", { NoteTag.isValid($0) }),
    ]

    @Test func `each form takes and refuses what the cases say`() throws {
        let file = Checkout.path("Tests/Core/FormsTests/cases.json")
        let cases = try #require(try JSONValue(parsing: try File.read(file)).objectValue)
        #expect(Set(cases.members.map(\.name)) == Set(Self.rules.map(\.name)))
        for (name, isValid) in Self.rules {
            for (list, expected) in [("valid", true), ("invalid", false)] {
                let texts = try #require(cases[name]?.objectValue?[list]?.arrayValue).compactMap(\.stringValue)
                #expect(!texts.isEmpty)
                for text in texts { #expect(isValid(text) == expected, "\(name): \(text.debugDescription)") }
            }
        }
    }

    @Test func `no form takes U+0000, and no message what was no UTF-8`() {
        for (name, isValid) in Self.rules { #expect(!isValid("a\0"), "\(name)") }
        #expect(!ReleaseMessage.isValid(String(decoding: [0x61, 0xFF], as: UTF8.self)))
    }
}
