internal import AlmanacJSON
internal import AlmanacNotes

/// The text form of a note for reading and editing: its title, an empty line, its body.
///
/// Tags and a pin have lines of their own after the title: `tags: ["two words", "work"]`, `pinned: true`.
enum NoteText {
    private static let tags = "tags: "
    private static let pin = "pinned: true"

    static func written(_ text: StoredNote.Text) -> String {
        var lines = [text.title]
        if !text.tags.isEmpty { lines.append("\(tags)\(JSONValue.array(text.tags.map(JSONValue.string)))") }
        if text.isPinned { lines.append(pin) }
        return lines.joined(separator: "\n") + "\n\n\(text.body)\n"
    }

    /// Parses an edited note. A deleted line removes the tags or the pin.
    static func read(_ text: String) throws -> StoredNote.Text {
        var (title, rest) = firstLine(of: text.utf8[...])
        if title.utf8.last == 13 {
            // An editor on Windows ends each line with CR LF.
            (title, rest) = firstLine(of: InputFile.withPlainLineBreaks(text).utf8[...])
            if title.utf8.last == 13 { title = String(decoding: title.utf8.dropLast(), as: UTF8.self) }
        }
        var note = StoredNote.Text(title: title)
        var body = rest
        while true {
            let (line, rest) = firstLine(of: body)
            if line == pin {
                note.isPinned = true
            } else if line.hasPrefix(tags) {
                note.tags = try readTags(line)
            } else {
                break
            }
            body = rest
        }
        if body.first == 10 { body = body.dropFirst() }
        // The line break at the end of the file was added by `written` or the editor.
        if body.last == 10 { body = body.dropLast() }
        note.body = String(decoding: body, as: UTF8.self)
        return note
    }

    private static func readTags(_ line: String) throws -> [String] {
        let list = try? JSONValue(parsing: Array(line.utf8.dropFirst(tags.utf8.count))).arrayValue
        let found = list?.compactMap(\.stringValue)
        guard let found, found.count == list?.count else {
            throw UsageFailure("'\(TextTable.line(line))': expected tags such as tags: [\"two words\", \"work\"]")
        }
        return found
    }

    private static func firstLine(of text: Substring.UTF8View) -> (line: String, rest: Substring.UTF8View) {
        let end = text.firstIndex(of: 10) ?? text.endIndex
        return (String(decoding: text[..<end], as: UTF8.self), text[end...].dropFirst())
    }
}
