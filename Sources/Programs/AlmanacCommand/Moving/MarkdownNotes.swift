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
        var spellings: [String: String] = [:]
        for (place, file) in files.enumerated().sorted(by: { inNameOrder($0.element.path, $1.element.path) }) {
            // File systems of Apple hand out names with their accents apart.
            let path = String(decoding: file.path.utf8.dropFirst(wrapper.utf8.count), as: UTF8.self).composed
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            func remark(_ reason: MoveRemark.Reason, _ detail: String = "") {
                found.remarks.append(MoveRemark(source: path, reason: reason, detail: detail))
            }
            if parts.contains(resources) {
                remark(.resource)
            } else if !isNote(path) || isSystems(parts) {
                remark(.notANote)
            } else if let content = InputFile.text(file.bytes) {
                var (note, isOurs, kept) = note(parts, path, InputFile.withPlainLineBreaks(content))
                if isOurs { ours.append(place) } else { complete(&note, file.time, &spellings) }
                found.notes.append((note, path))
                if let kept {
                    if !kept.isEmpty { remark(.fields, kept.joined(separator: ", ")) }
                } else {
                    remark(.frontMatter)
                }
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

    /// Gives a note that another program has written what its text doesn't say: its file's time, and one spelling for
    /// tags that differ in letter case alone, which those programs take for one.
    private static func complete(_ note: inout MovedNote, _ time: Int64?, _ spellings: inout [String: String]) {
        if note.updatedAt == nil { note.updatedAt = time.map { max($0, note.createdAt ?? $0) } }
        note.createdAt = note.createdAt ?? note.updatedAt
        note.tags = MovedNote.sorted(
            note.tags.map { tag in
                let spelling = spellings[FileNames.folded(tag), default: tag]
                spellings[FileNames.folded(tag)] = spelling
                // Notebooks are folders, whose names may differ so.
                return tag.utf8.first == slash ? tag : spelling
            })
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

    /// Reads a file. `kept` names the fields that stay in the note's text; nil where all of the front matter does.
    private static func note(
        _ parts: [String], _ path: String, _ content: String
    ) -> (note: MovedNote, isOurs: Bool, kept: [String]?) {
        let name = withoutEnding(parts.last ?? "") ?? ""
        let front = FrontMatter(content)
        var note = MovedNote()
        note.title = front != nil && isUntitled(name) ? "" : name
        note.body = front?.rest ?? content
        let fields = front?.fields ?? []
        var isTaken = fields.map { $0.key != "date" && take($0, into: &note) }
        // A day of publication counts only where nothing else says when a note was made.
        if let index = fields.firstIndex(where: { $0.key == "date" }) {
            isTaken[index] = take(fields[index], into: &note)
        }
        let kept = zip(fields, isTaken).filter { !$0.1 }.map(\.0)
        let isOurs = !note.id.isEmpty
        if !isOurs {
            note.tags = note.tags.map(unmarked).map { $0.utf8.first == slash ? "/" + $0 : $0 }
            let folder = parts.dropLast().joined(separator: "/")
            if !folder.isEmpty { note.tags.append("/" + folder) }
            note.id = derivedID("md-", "\(path)\n\(note.createdAt.map(String.init) ?? "")")
        }
        let isGuarded = !isOurs && front != nil && canGoOut(note.body)
        if !kept.isEmpty || isGuarded { note.body = FrontMatter.joined(kept.flatMap(\.lines), note.body) }
        note.tags = MovedNote.sorted(note.tags)
        if front == nil, FrontMatter.begins(Array(content.utf8)) { return (note, isOurs, nil) }
        return (note, isOurs, kept.map { $0.name.isEmpty ? trimmed($0.lines[0]) : $0.name })
    }

    /// Whether a text begins with front matter that an export would take for the file's own.
    private static func canGoOut(_ body: String) -> Bool {
        FrontMatter(body)?.fields.allSatisfy { $0.value != nil } ?? false
    }

    /// A tag without the # that people write in front of it.
    private static func unmarked(_ tag: String) -> String {
        guard tag.utf8.first == UInt8(ascii: "#") else { return tag }
        return String(decoding: tag.utf8.dropFirst().drop { $0 == 32 }, as: UTF8.self)
    }

    /// A text without the blanks at its ends.
    private static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<UInt8> = [32, 9]
        let start = text.utf8.drop(while: blanks.contains)
        return String(decoding: start.reversed().drop(while: blanks.contains).reversed(), as: UTF8.self)
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
        case ("tags", .text(let text)):
            note.tags = text.replacing(" #", with: ",#").split(separator: ",").map(trimmed).filter { !$0.isEmpty }
            return true
        case ("title", .text(let title)):
            note.title = title
            return true
        case ("id", .text(let id)):
            if ImportedNote.isID(id) { note.id = id }
            return ImportedNote.isID(id)
        case ("pinned", .text(let text)):
            note.isPinned = text == "true"
            return text == "true" || text == "false"
        case ("trashed", .text(let text)):
            note.isInTrash = text == "true"
            return text == "true" || text == "false"
        case (_, .text(let text)): return takeTime(field.key.filter { !" _-".contains($0) }, text, into: &note)
        default: return false
        }
    }

    /// The names for times in the front matter of several programs, without spaces, hyphens and underscores.
    private static let created: Set = ["created", "createdat", "createddate", "creationdate", "datecreated", "date"]
    private static let updated: Set = [
        "updated", "updatedat", "lastupdated", "dateupdated", "modified", "modifiedat", "lastmodified", "lastmod",
        "datemodified", "modificationdate",
    ]

    private static func takeTime(_ name: String, _ text: String, into note: inout MovedNote) -> Bool {
        let part: WritableKeyPath<MovedNote, Int64?>
        if created.contains(name) {
            part = \.createdAt
        } else if updated.contains(name) {
            part = \.updatedAt
        } else {
            return false
        }
        guard note[keyPath: part] == nil, let time = time(text) else { return false }
        note[keyPath: part] = time
        return true
    }

    /// A time in milliseconds since 1970; nil for anything else. Without an offset it is in UTC, as YAML has it, and a
    /// day alone is its noon, which is that day in nearly every time zone.
    static func time(_ text: String) -> Int64? {
        let day = /([0-9]{4})([-\/])([0-9]{1,2})\2([0-9]{1,2})/
        guard let date = text.prefixMatch(of: day) else { return nil }
        let rest = text[date.range.upperBound...]
        let clock = /(?:[Tt]|,? +)([0-9]{1,2}):([0-9]{2})(:[0-9]{2}(?:\.[0-9]+)?)?/
        let time = rest.prefixMatch(of: clock)
        guard let offset = offset(time.map { rest[$0.range.upperBound...] } ?? rest, isBehindTime: time != nil) else {
            return nil
        }
        func two(_ digits: Substring) -> String { digits.utf8.count == 1 ? "0\(digits)" : String(digits) }
        let written = time.map { "\(two($0.1)):\($0.2)\($0.3 ?? ":00")" } ?? "12:00:00"
        return Timestamp("\(date.1)-\(two(date.3))-\(two(date.4))T\(written)\(offset)")?.milliseconds
    }

    /// The offset behind a time, as RFC 3339 has it; nil where something else stands there.
    private static func offset(_ text: Substring, isBehindTime: Bool) -> String? {
        if text.isEmpty { return "Z" }
        guard isBehindTime, let found = text.wholeMatch(of: /[ ]?(?:[Zz]|[Uu][Tt][Cc]|([-+][0-9]{2})(?::?([0-9]{2}))?)/)
        else { return nil }
        return found.1.map { "\($0):\(found.2 ?? "00")" } ?? "Z"
    }
}
