import AlmanacNotes
import Testing

@testable import AlmanacCommand

@Suite struct NoteDraftTests {
    @Test(arguments: [
        ("T\n\nbody\n", "T", "body"), ("T\n\nbody", "T", "body"), ("T\nbody\n", "T", "body"), ("T\n\n\n", "T", ""),
        ("T\n\n\n\n", "T", "\n"), ("T", "T", ""), ("T\n", "T", ""), ("", "", ""), ("\n\nbody\n", "", "body"),
        ("T\n\na\n\nb\n\n", "T", "a\n\nb\n"), ("T\r\n\n", "T", ""), ("Grün 😸\n\né\n", "Grün 😸", "é"),
        ("T\r\n\r\nmilk\r\nbread\r\n", "T", "milk\nbread"), ("T\r", "T", ""), ("T\n\nmilk\r\n", "T", "milk\r"),
    ])
    func `an edited note is its first line and what follows the empty one`(
        text: String, title: String, body: String
    ) throws {
        let parts = try NoteText.read(text)
        #expect(Array(parts.title.utf8) == Array(title.utf8))
        #expect(Array(parts.body.utf8) == Array(body.utf8))
    }

    @Test(arguments: ["", "milk", "milk\n", "\n", "\n\n", "a\n\nb"])
    func `a note that nobody touches in the editor stays as it is`(body: String) throws {
        let parts = try NoteText.read("T\n\n\(body)\n")
        #expect(parts.title == "T" && parts.body.utf8.elementsEqual(body.utf8))
        for tags in [[], ["work"], ["a\"b", "two, words", "🔑"]] {
            for isPinned in [false, true] {
                let note = StoredNote.Text(title: "T", body: body, tags: tags, isPinned: isPinned)
                #expect(try NoteText.read(NoteText.written(note)) == note)
            }
        }
    }

    @Test func `tags and a pin stand behind the title, and go with their lines`() throws {
        let text = "T\ntags: [\"work\"]\npinned: true\n\ntags: none\n"
        #expect(
            try NoteText.read(text) == StoredNote.Text(title: "T", body: "tags: none", tags: ["work"], isPinned: true))
        #expect(NoteText.written(try NoteText.read(text)) == text)
        #expect(try NoteText.read("T\n\ntags: [1]\n") == StoredNote.Text(title: "T", body: "tags: [1]"))
    }

    @Test func `a byte-order mark of an editor enters no title`() throws {
        let text = try #require(InputFile.text(Array("\u{FEFF}T\r\ntags: [\"work\"]\r\n\r\nmilk\r\n".utf8)))
        #expect(try NoteText.read(text) == StoredNote.Text(title: "T", body: "milk", tags: ["work"]))
        #expect(InputFile.text([0xFF]) == nil)
    }

    @Test func `what commands a terminal is spelled out on one`() {
        #expect(
            TextTable.visible("a\tb\n\u{1B}[2J\r\u{9B}1m\0\u{7F}é😸")
                == "a\tb\n<U+001B>[2J<U+000D><U+009B>1m<U+0000><U+007F>é😸")
    }

    @Test(arguments: ["work", "[work]", "[1]", "[\"a\", null]", "{}", ""])
    func `tags that cannot be read are refused, with what was expected`(tags: String) {
        #expect { try NoteText.read("T\ntags: \(tags)\n\nmilk\n") } throws: {
            "\($0)".contains("expected tags such as") || ($0 as? UsageFailure) != nil
        }
    }
}
