internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacTimestamps

/// Simplenote's export: `source/notes.json` with all notes, beside a text file for each of them.
///
/// Simplenote knows no titles: the first line is one. Whoever a note is shared with is a tag with an address, as there;
/// that a note is Markdown is the tag `markdown`, and the address of a published one stays in its text as front matter.
enum SimplenoteNotes {
    static let list = "notes.json"
    private static let markdown = "markdown"
    private static let address = "publicURL"
    /// In front of the ids of notes that were first Simplenote's, and of Almanac's when they go there.
    private static let (theirs, ours) = ("sn-", "almanac-")

    /// Reads `notes.json`.
    ///
    /// - Parameter place: the file's name, for messages.
    static func read(_ bytes: [UInt8], _ place: String) throws -> FoundNotes {
        var limits = JSONLimits()
        limits.bytes = ImportSource.mostBytes
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes, limits: limits) } catch {
            throw CommandFailure(description: "\(place): \(error)")
        }
        guard let object = document.objectValue, let active = object["activeNotes"]?.arrayValue,
            let trashed = object["trashedNotes"].map({ $0.arrayValue }) ?? []
        else {
            throw CommandFailure(
                description: "\(place): expected an object with the arrays \"activeNotes\" and \"trashedNotes\", "
                    + "as Simplenote exports it")
        }
        var found = FoundNotes()
        for (name, entries) in [("activeNotes", active), ("trashedNotes", trashed)] {
            for (index, entry) in entries.enumerated() {
                let source = "\(name)[\(index)]"
                if var note = note(entry) {
                    note.isInTrash = name == "trashedNotes"
                    found.notes.append((note, source))
                } else {
                    found.remarks.append(MoveRemark(source: source, reason: .notANote))
                }
            }
        }
        return found
    }

    private static func note(_ entry: JSONValue) -> MovedNote? {
        guard let entry = entry.objectValue, let content = entry["content"]?.stringValue else { return nil }
        var note = MovedNote()
        note.id = id(entry, content)
        (note.title, note.body) = parts(Array(content.utf8).replacing([13, 10], with: [10]))
        let published = entry[address]?.stringValue.map { ["\(address): \(FrontMatter.scalar($0))"] } ?? []
        if !published.isEmpty || FrontMatter(note.body)?.fields.allSatisfy(isAddress) == true {
            note.body = FrontMatter.joined(published, note.body)
        }
        let isMarkdown = entry["markdown"] == true
        note.tags = MovedNote.sorted(
            texts(entry["tags"]) + texts(entry["collaboratorEmails"]) + (isMarkdown ? [markdown] : []))
        note.isPinned = entry["pinned"] == true
        note.createdAt = entry["creationDate"]?.stringValue.flatMap(MarkdownNotes.time)
        note.updatedAt = entry["lastModified"]?.stringValue.flatMap(MarkdownNotes.time)
        return note
    }

    private static func isAddress(_ field: FrontMatter.Field) -> Bool {
        guard case .text = field.value else { return false }
        return field.name == address
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

    private static func id(_ entry: JSONObject, _ content: String) -> String {
        guard let id = entry["id"]?.stringValue, !id.isEmpty else {
            return MarkdownNotes.derivedID(theirs, "\(entry["creationDate"]?.stringValue ?? "")\n\(content)")
        }
        if id.hasPrefix(ours), ImportedNote.isID(String(id.dropFirst(ours.count))) {
            return String(id.dropFirst(ours.count))
        }
        return ImportedNote.isID(theirs + id) ? theirs + id : MarkdownNotes.derivedID(theirs, id)
    }

    /// Title and body, from which `whole` makes the same content again.
    private static func parts(_ content: [UInt8]) -> (title: String, body: String) {
        let title = content.prefix { $0 != 10 }
        // A long first line is no title but a paragraph.
        guard !title.isEmpty, title.count <= ImportPlan.longestTitle else {
            return ("", String(decoding: content, as: UTF8.self))
        }
        let rest = content[title.endIndex...]
        let body = rest.allSatisfy { $0 == 10 } ? rest : rest.dropFirst()
        return (String(decoding: title, as: UTF8.self), String(decoding: body, as: UTF8.self))
    }

    private static func whole(_ title: String, _ body: String) -> String {
        title.isEmpty || body.utf8.allSatisfy { $0 == 10 } ? title + body : "\(title)\n\(body)"
    }

    /// Simplenote's form.
    static func files(_ notes: [MovedNote]) -> [MovedFile] {
        let active = notes.filter { !$0.isInTrash }.map(SimplenoteEntry.init)
        let trashed = notes.filter(\.isInTrash).map(SimplenoteEntry.init)
        let document: JSONValue = [
            "activeNotes": .array(active.map(\.json)), "trashedNotes": .array(trashed.map(\.json)),
        ]
        let text = Self.lowered(Array(document.pretty.utf8.dropLast())).replacing([10], with: [13, 10])
        return [MovedFile("source/\(list)", text)] + textFiles("", active) + textFiles("trash/", trashed)
    }

    /// JSON with escapes such as `\u001b` in lower case, as JavaScript writes them.
    private static func lowered(_ json: [UInt8]) -> [UInt8] {
        var json = json
        var index = 0
        while index + 1 < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if json[index + 1] == UInt8(ascii: "u") {
                for digit in (index + 2)..<(index + 6) where (65...70).contains(json[digit]) { json[digit] |= 32 }
            }
            index += 2
        }
        return json
    }

    /// A note as it stands in the list.
    private struct SimplenoteEntry {
        let content: String
        let tags: [String]
        let json: JSONValue

        init(_ note: MovedNote) {
            let (fields, rest) = MarkdownNotes.lifted(note.body, isAddress)
            content = String(
                decoding: Array(whole(note.title, rest).utf8).replacing([10], with: [13, 10]), as: UTF8.self)
            let inOrder = note.tags.map { ($0, Array(FileNames.lowered($0).utf16)) }.enumerated()
                .sorted { one, other in
                    one.element.1 == other.element.1
                        ? one.offset < other.offset : one.element.1.lexicographicallyPrecedes(other.element.1)
                }
                .map(\.element.0)
            let shared = inOrder.filter(isMail)
            tags = inOrder.filter { $0 != markdown && !isMail($0) }
            let isTheirs = note.id.hasPrefix(theirs)
            var members: [(name: String, value: JSONValue)] = [
                ("id", .string(isTheirs ? String(note.id.dropFirst(theirs.count)) : ours + note.id)),
                ("content", .string(content)),
            ]
            if let time = note.createdAt {
                members.append(("creationDate", .string("\(Timestamp(milliseconds: time))")))
            }
            if let time = note.updatedAt {
                members.append(("lastModified", .string("\(Timestamp(milliseconds: time))")))
            }
            if note.isPinned { members.append(("pinned", true)) }
            if note.tags.contains(markdown) { members.append(("markdown", true)) }
            if !tags.isEmpty { members.append(("tags", .array(tags.map { .string($0) }))) }
            if case .text(let address)? = fields.first?.value { members.append(("publicURL", .string(address))) }
            if !shared.isEmpty { members.append(("collaboratorEmails", .array(shared.map { .string($0) }))) }
            json = .object(JSONObject(members))
        }
    }

    /// Whether Simplenote takes a tag for the address of somebody a note is shared with.
    private static func isMail(_ tag: String) -> Bool {
        let units = Array(tag.utf16)
        guard let at = units.firstIndex(of: 64), at > 0 else { return false }
        guard let dot = units.lastIndex(of: 46) else { return false }
        return dot > at + 1 && units.count - dot > 2
    }

    /// The texts as files for people, with their tags at the end.
    private static func textFiles(_ folder: String, _ entries: [SimplenoteEntry]) -> [MovedFile] {
        var names = FileNames()
        return entries.map { entry in
            let lines = tagLines(entry.tags).joined(separator: "\n  ")
            let text = entry.tags.isEmpty ? entry.content : "\(entry.content)\n\nTags:\n  \(lines)"
            let path = names.unique(folder + SimplenoteFileName.of(text), ".txt") { " (\($0))" }
            return MovedFile(path, Array(text.utf8))
        }
    }

    /// Tags in lines of about 75 characters.
    private static func tagLines(_ tags: [String]) -> [String] {
        var lines: [String] = []
        var line = ""
        for tag in tags {
            if line.utf16.count + tag.utf16.count > 75 {
                lines.append(line)
                line = tag
            } else {
                line += ", \(tag)"
            }
        }
        return (lines + [line]).map { $0.hasPrefix(", ") ? String($0.dropFirst(2)) : $0 }
    }
}
