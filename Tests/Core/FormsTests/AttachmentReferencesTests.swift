import AlmanacForms
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// Runs the cases that the tests of the notes app also run.
@Suite struct AttachmentReferencesTests {
    @Test func `a text names the ids that the cases say`() throws {
        let file = Checkout.path("Tests/Core/FormsTests/attachment-references.json")
        let cases = try #require(try JSONValue(parsing: try File.read(file)).arrayValue).compactMap(\.objectValue)
        #expect(cases.count > 20)
        for references in cases {
            let text = try #require(references["text"]?.stringValue)
            let ids = try #require(references["ids"]?.arrayValue).compactMap(\.stringValue)
            #expect(AttachmentReferences.ids(in: text) == ids, "\(text.debugDescription)")
        }
    }
}
