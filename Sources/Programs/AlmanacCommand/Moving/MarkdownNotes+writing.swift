internal import AlmanacTimestamps

extension MarkdownNotes {
    /// Almanac's own form: a file for each note, those in the trash too.
    static func files(_ notes: [MovedNote]) -> [MovedFile] {
        var names = FileNames()
        return notes.map { note in
            var lines = ["title: \(FrontMatter.scalar(note.title))", "id: \(FrontMatter.scalar(note.id))"]
            if let time = note.createdAt { lines.append("created: \(Timestamp(milliseconds: time))") }
            if let time = note.updatedAt { lines.append("updated: \(Timestamp(milliseconds: time))") }
            if !note.tags.isEmpty { lines += ["tags:"] + note.tags.map { "  - \(FrontMatter.scalar($0))" } }
            if note.isPinned { lines.append("pinned: true") }
            if note.isInTrash { lines.append("trashed: true") }
            let path = names.unique(FileNames.name(of: note.title), ".md")
            return MovedFile(path, Array(FrontMatter.joined(lines, note.body).utf8))
        }
    }

    /// Joplin's form; it has no trash and no pins.
    static func joplinFiles(_ notes: [MovedNote]) -> [MovedFile] {
        var names = FileNames()
        return notes.filter { !$0.isInTrash }.map { note in
            let notebook = note.tags.first { tag in
                tag.utf8.first == slash && tag.utf8.count > 1 && tag.utf8.dropFirst().first != slash
            }
            let folder = (notebook ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { FileNames.name(of: String($0)) + "/" }
            let path = names.unique(folder.joined() + FileNames.name(of: note.title), ".md")
            let (fields, rest) = lifted(note.body) { !own.contains($0.key) }
            let lines = (fields.map { (name: $0.key, lines: $0.lines) } + ownLines(note, without: notebook))
                .enumerated().sorted { one, other in
                    (place(one.element.name), one.offset) < (place(other.element.name), other.offset)
                }
            return MovedFile(path, Array(FrontMatter.joined(lines.flatMap(\.element.lines), rest).utf8))
        }
    }

    static let slash = UInt8(ascii: "/")

    private static func ownLines(
        _ note: MovedNote, without notebook: String?
    ) -> [(name: String, lines: [String])] {
        var lines: [(name: String, lines: [String])] = []
        if !note.title.isEmpty { lines.append(("title", ["title: " + JoplinScalar.text(note.title, indent: 2)])) }
        if let time = note.updatedAt { lines.append(("updated", ["updated: " + seconds(time)])) }
        if let time = note.createdAt { lines.append(("created", ["created: " + seconds(time)])) }
        let tags = note.tags.filter { tag in notebook.map { !$0.utf8.elementsEqual(tag.utf8) } ?? true }
            .map { $0.utf8.starts(with: "//".utf8) ? String(decoding: $0.utf8.dropFirst(), as: UTF8.self) : $0 }
            .sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
        if !tags.isEmpty {
            lines.append(("tags", ["tags:"] + tags.map { "  - " + JoplinScalar.text($0, indent: 4) }))
        }
        return lines.map { ($0.name, JoplinScalar.unquoted($0.lines.joined(separator: "\n"))) }
    }

    private static let order = [
        "title", "id", "updated", "created", "source", "author", "latitude", "longitude", "altitude", "completed?",
        "due",
    ]

    private static func place(_ name: String) -> Int {
        name == "tags" ? order.count + 1 : order.firstIndex(of: name) ?? order.count
    }

    /// The fields that a note has itself.
    private static let own: Set = ["title", "id", "updated", "created", "tags"]

    /// The front matter that a note's text begins with, where all of it may go out as such.
    static func lifted(
        _ body: String, _ mayGo: (FrontMatter.Field) -> Bool
    ) -> (fields: [FrontMatter.Field], rest: String) {
        guard let front = FrontMatter(body), front.fields.allSatisfy({ $0.value != nil && mayGo($0) }) else {
            return ([], body)
        }
        return (front.fields, front.rest)
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        "\(Timestamp(milliseconds: milliseconds))".prefix(19).replacing("T", with: " ") + "Z"
    }
}
