import Testing

@testable import AlmanacCommand

@Suite struct NoteDraftTests {
    @Test(arguments: [
        ("T\n\nbody\n", "T", "body"), ("T\n\nbody", "T", "body"), ("T\nbody\n", "T", "body"), ("T\n\n\n", "T", ""),
        ("T\n\n\n\n", "T", "\n"), ("T", "T", ""), ("T\n", "T", ""), ("", "", ""), ("\n\nbody\n", "", "body"),
        ("T\n\na\n\nb\n\n", "T", "a\n\nb\n"), ("T\r\n\n", "T\r", ""), ("Grün 😸\n\né\n", "Grün 😸", "é"),
    ])
    func `an edited note is its first line and what follows the empty one`(text: String, title: String, body: String) {
        let parts = NoteWriting.parts(of: text)
        #expect(Array(parts.title.utf8) == Array(title.utf8))
        #expect(Array(parts.body.utf8) == Array(body.utf8))
    }

    @Test(arguments: ["", "milk", "milk\n", "\n", "\n\n", "a\n\nb"])
    func `a note that nobody touches in the editor stays as it is`(body: String) {
        let parts = NoteWriting.parts(of: "T\n\n\(body)\n")
        #expect(parts.title == "T" && parts.body.utf8.elementsEqual(body.utf8))
    }
}
