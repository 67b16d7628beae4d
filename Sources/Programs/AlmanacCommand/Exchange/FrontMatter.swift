internal import AlmanacJSON
internal import AlmanacTimestamps

/// The front matter of a note's Markdown file, between two lines of three hyphens: `title`, `id`, `created`, `updated`,
/// `tags`, `pinned` and `trashed`, as `note export` writes them.
///
/// A text is plain, or in double quotes with the escapes of JSON, so that every YAML reader parses the same text.
enum FrontMatter {
    /// Returns the file of a note.
    static func file(of note: ExchangedNote) -> String {
        var lines = ["title: \(scalar(note.title))", "id: \(scalar(note.id))"]
        if let time = note.createdAt { lines.append("created: \(Timestamp(milliseconds: time))") }
        if let time = note.updatedAt { lines.append("updated: \(Timestamp(milliseconds: time))") }
        if !note.tags.isEmpty { lines += ["tags:"] + note.tags.map { "\(item)\(scalar($0))" } }
        if note.isPinned { lines.append("pinned: true") }
        if note.isInTrash { lines.append("trashed: true") }
        return "---\n" + lines.map { $0 + "\n" }.joined() + "---\n\n" + note.body
    }

    private static let item = "  - "

    /// The error of a line that `note export` would not write.
    struct Unexpected: Error {
        let line: String
    }

    /// Reads the file of a note.
    ///
    /// - Returns: nil if the file has no front matter with an id, so that it is no exported note.
    static func note(_ file: String) throws(Unexpected) -> ExchangedNote? {
        var rest = file.utf8[...]
        guard nextLine(&rest) == "---" else { return nil }
        var lines: [String] = []
        while let line = nextLine(&rest), line != "---" { lines.append(line) }
        guard lines.contains(where: { $0.utf8.starts(with: "id: ".utf8) }) else { return nil }
        if rest.first == 10 { rest.removeFirst() }
        var note = ExchangedNote()
        note.body = String(decoding: rest, as: UTF8.self)
        var isInTags = false
        for line in lines {
            if isInTags, line.utf8.starts(with: item.utf8) {
                note.tags.append(try text(of: line.utf8.dropFirst(item.utf8.count), in: line))
                continue
            }
            isInTags = line == "tags:"
            if !isInTags { try parse(line, into: &note) }
        }
        note.tags = ExchangedNote.sorted(note.tags)
        return note
    }

    /// Removes the first line from a text and returns it; nil if no line break is left.
    private static func nextLine(_ rest: inout String.UTF8View.SubSequence) -> String? {
        guard let end = rest.firstIndex(of: 10) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Parses a line `name: value`.
    private static func parse(_ line: String, into note: inout ExchangedNote) throws(Unexpected) {
        guard let colon = line.utf8.firstRange(of: ": ".utf8) else { throw Unexpected(line: line) }
        let value = try text(of: line.utf8[colon.upperBound...], in: line)
        switch String(decoding: line.utf8[..<colon.lowerBound], as: UTF8.self) {
        case "title": note.title = value
        case "id": note.id = value
        case "created": note.createdAt = try time(value, in: line)
        case "updated": note.updatedAt = try time(value, in: line)
        case "pinned" where value == "true": note.isPinned = true
        case "trashed" where value == "true": note.isInTrash = true
        default: throw Unexpected(line: line)
        }
    }

    private static func time(_ text: String, in line: String) throws(Unexpected) -> Int64 {
        guard let time = Timestamp(text) else { throw Unexpected(line: line) }
        return time.milliseconds
    }

    private static func text(of value: some Collection<UInt8>, in line: String) throws(Unexpected) -> String {
        guard value.first == UInt8(ascii: "\"") else { return String(decoding: value, as: UTF8.self) }
        guard let text = (try? JSONValue(parsing: Array(value)))?.stringValue else { throw Unexpected(line: line) }
        return text
    }

    private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// Returns a text as one line that every YAML reader parses as the same text.
    static func scalar(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let startsWell = scalars.first.map { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || $0.value >= 0xA1 } ?? false
        let endsWell = scalars.last != ":" && scalars.last != " "
        // ": " would end a plain text, and " #" would begin a comment.
        let isBroken = zip(scalars, scalars.dropFirst()).contains { $0 == ":" && $1 == " " || $0 == " " && $1 == "#" }
        if startsWell, endsWell, !isBroken, scalars.allSatisfy(isPrintable), !words.contains(text.lowercased()) {
            return text
        }
        return "\"" + scalars.map(quoted).joined() + "\""
    }

    private static func quoted(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case "\n": return "\\n"
        case "\t": return "\\t"
        case _ where isPrintable(scalar): return String(scalar)
        default:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Returns true if YAML accepts a character unescaped, apart from tabs and line breaks.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0x10000...0x10FFFF: true
        case 0xA1...0xD7FF: scalar != "\u{2028}" && scalar != "\u{2029}"
        case 0xE000...0xFFFD: scalar != "\u{FEFF}"
        default: false
        }
    }
}
