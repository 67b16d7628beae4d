internal import AlmanacForms
internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The tags of a note: sorted by their bytes, and none there twice.
///
/// They are compared byte by byte, so a `Set<String>`, which compares what looks the same, can't hold them.
enum NoteTags {
    /// Tags in their order, each once.
    static func sorted(_ tags: [String]) -> [String] {
        guard tags.count > 1 else { return tags }
        var sorted: [String] = []
        for tag in tags.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where sorted.last?.isIdentical(to: tag) != true {
            sorted.append(tag)
        }
        return sorted
    }

    /// The tags of the first that the second has not.
    static func without(_ tags: [String], _ others: [String]) -> [String] {
        if tags.isEmpty || others.isEmpty { return tags }
        let known = Set(others.map { Array($0.utf8) })
        return tags.filter { !known.contains(Array($0.utf8)) }
    }

    static func areIdentical(_ some: [String], _ others: [String]) -> Bool {
        some.count == others.count && zip(some, others).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// Tags that one side has added, and those of the base that neither has removed.
    static func merged(base: [String], theirs: [String], mine: [String]) -> [String] {
        let removed = without(base, mine)
        return sorted(without(theirs, removed) + without(mine, base))
    }

    /// Why no server takes some of the tags; nil where it does.
    static func refusal(_ tags: [String]) -> String? {
        tags.allSatisfy(NoteTag.isValid) ? nil : "a tag must be \(NoteTag.form)"
    }

    /// Why no server takes so many tags; nil where it does.
    static func refusal(ofCount count: Int) -> String? {
        count > NoteTag.mostOfNote ? "a note has at most \(NoteTag.mostOfNote) tags" : nil
    }

    /// Tags as the file has them, in JSON.
    static func stored(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    }

    /// The tags of a file; what is there no more, or was never, is none.
    static func read(_ text: String?) throws -> [String] {
        guard let text, text != "[]" else { return [] }
        return sorted(try JSONDecoder().decode([String].self, from: Data(text.utf8)))
    }
}
