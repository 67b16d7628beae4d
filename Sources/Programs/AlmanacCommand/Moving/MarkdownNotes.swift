internal import AlmanacCryptography
internal import AlmanacNotes
internal import AlmanacTimestamps

/// Notes in files of Markdown with front matter: Almanac's own form, and Joplin's export "Markdown + front matter".
///
/// In Joplin's a notebook is a folder; here it is a tag that begins with a slash. What Almanac has no field for, such
/// as where a note was written, stays at the top of its text as front matter, and goes out again from there.
enum MarkdownNotes {
    static func isNote(_ path: String) -> Bool { withoutEnding(path) != nil }

    /// A path without `.md`; nil where it is another's.
    private static func withoutEnding(_ path: String) -> String? {
        for ending in [".md", ".markdown"] where path.utf8.count >= ending.utf8.count {
            let tail = path.utf8.suffix(ending.utf8.count)
            if String(decoding: tail, as: UTF8.self).lowercased() == ending {
                return String(decoding: path.utf8.dropLast(ending.utf8.count), as: UTF8.self)
            }
        }
        return nil
    }

    static let resources = "_resources"

    /// Reads the notes of a folder of Markdown files.
    static func read(_ files: [MovedFile]) -> FoundNotes {
        var found = FoundNotes()
        let wrapper = wrapper(of: files.map(\.path))
        // The places of notes that Almanac has written, as many as there are.
        var ours: [Int] = []
        for (place, file) in files.enumerated().sorted(by: { inNameOrder($0.element.path, $1.element.path) }) {
            let path = String(decoding: file.path.utf8.dropFirst(wrapper.utf8.count), as: UTF8.self)
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            func remark(_ reason: MoveRemark.Reason) {
                found.remarks.append(MoveRemark(source: path, reason: reason))
            }
            if parts.contains(resources) {
                remark(.resource)
            } else if !isNote(path) || isSystems(parts) {
                remark(.notANote)
            } else if let content = text(file.bytes) {
                let (note, isOurs, isUnderstood) = note(parts, path, content)
                found.notes.append((note, path))
                if isOurs { ours.append(place) }
                if !isUnderstood { remark(.frontMatter) }
            } else {
                remark(.notText)
            }
        }
        if ours.count == found.notes.count {
            // An archive of Almanac has its files in the order of the list.
            found.notes = zip(ours, found.notes).sorted { $0.0 < $1.0 }.map(\.1)
        }
        return found
    }

    /// The text of a file, without a byte-order mark; nil where it is none.
    static func text(_ bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(validating: bytes.starts(with: mark) ? bytes[3...] : bytes[...], as: UTF8.self)
    }

    /// By name, and those of one name by the number behind it, so that they get the same numbers when they go out.
    private static func inNameOrder(_ one: String, _ other: String) -> Bool {
        let (left, right) = (numbered(one), numbered(other))
        if left.stem != right.stem { return left.stem.lexicographicallyPrecedes(right.stem) }
        if left.number != right.number { return left.number < right.number }
        return one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func numbered(_ path: String) -> (stem: [UInt8], number: Int) {
        var stem = Array(path.utf8)
        if let dot = stem.lastIndex(of: UInt8(ascii: ".")), !stem[dot...].contains(UInt8(ascii: "/")) {
            stem.removeSubrange(dot...)
        }
        let digits = stem.reversed().prefix { (48...57).contains($0) }.count
        guard (1...9).contains(digits), stem.dropLast(digits).last == UInt8(ascii: "-") else { return (stem, 0) }
        let number = Int(String(decoding: stem.suffix(digits), as: UTF8.self)) ?? 0
        return (Array(stem.dropLast(digits + 1)), number)
    }

    /// Whether a file is of the system, or of another program, and not of the one who has made the notes.
    private static func isSystems(_ parts: [String]) -> Bool {
        parts.last?.hasPrefix("._") == true
            || parts.dropLast().contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
    }

    /// The folder that an export as a whole was put into: the one above its `_resources`.
    private static func wrapper(of paths: [String]) -> String {
        guard let first = paths.first, let end = first.utf8.firstIndex(of: UInt8(ascii: "/")) else { return "" }
        let wrapper = Array(first.utf8[...end])
        let hasResources = paths.contains { $0.utf8.starts(with: wrapper + "\(resources)/".utf8) }
        return hasResources && paths.allSatisfy { $0.utf8.starts(with: wrapper) }
            ? String(decoding: wrapper, as: UTF8.self) : ""
    }

    private static func note(
        _ parts: [String], _ path: String, _ content: String
    ) -> (note: MovedNote, isOurs: Bool, isUnderstood: Bool) {
        let name = withoutEnding(parts.last ?? "") ?? ""
        let front = FrontMatter(content)
        var note = MovedNote()
        note.title = front != nil && isUntitled(name) ? "" : name
        note.body = front?.rest ?? content
        var kept: [String] = []
        for field in front?.fields ?? [] where !take(field, into: &note) { kept += field.lines }
        let isOurs = !note.id.isEmpty
        if !isOurs {
            note.tags = note.tags.map { $0.utf8.first == UInt8(ascii: "/") ? "/" + $0 : $0 }
            let folder = parts.dropLast().joined(separator: "/")
            if !folder.isEmpty { note.tags.append("/" + folder) }
            note.id = derivedID("md-", "\(path)\n\(note.createdAt.map(String.init) ?? "")")
        }
        if !kept.isEmpty || (!isOurs && front != nil && FrontMatter(note.body) != nil) {
            note.body = FrontMatter.joined(kept, note.body)
        }
        note.tags = MovedNote.sorted(note.tags)
        return (note, isOurs, front != nil || !FrontMatter.begins(Array(content.utf8)))
    }

    private static func isUntitled(_ name: String) -> Bool {
        guard name.utf8.starts(with: "Untitled".utf8) else { return false }
        let rest = name.utf8.dropFirst("Untitled".utf8.count)
        return rest.isEmpty
            || (rest.first == UInt8(ascii: "-") && rest.count > 1
                && rest.dropFirst().allSatisfy { (48...57).contains($0) })
    }

    /// An id that is the same each time, of whatever tells a note from others where it comes from.
    static func derivedID(_ prefix: String, _ text: String) -> String {
        prefix + Hex.encode(Array(SHA256.digest(Array(text.utf8)).prefix(16)))
    }

    /// Takes a field that Almanac has too; false for any other.
    private static func take(_ field: FrontMatter.Field, into note: inout MovedNote) -> Bool {
        switch (field.key, field.value) {
        case ("tags", .list(let tags)):
            note.tags = tags
            return true
        case ("tags", .text("")): return true
        case ("title", .text(let title)):
            note.title = title
            return true
        case ("id", .text(let id)):
            if ImportedNote.isID(id) { note.id = id }
            return ImportedNote.isID(id)
        case ("created", .text(let text)):
            note.createdAt = time(text)
            return note.createdAt != nil
        case ("updated", .text(let text)):
            note.updatedAt = time(text)
            return note.updatedAt != nil
        case ("pinned", .text(let text)):
            note.isPinned = text == "true"
            return text == "true" || text == "false"
        case ("trashed", .text(let text)):
            note.isInTrash = text == "true"
            return text == "true" || text == "false"
        default: return false
        }
    }

    /// A time with its offset, in milliseconds since 1970, also with a space in the middle and without seconds.
    static func time(_ text: String) -> Int64? {
        var bytes = Array(text.utf8)
        guard bytes.count > 16 else { return nil }
        if bytes[10] == 32 { bytes[10] = UInt8(ascii: "T") }
        if "Zz+-".utf8.contains(bytes[16]) { bytes.insert(contentsOf: ":00".utf8, at: 16) }
        return Timestamp(String(decoding: bytes, as: UTF8.self))?.milliseconds
    }
}
