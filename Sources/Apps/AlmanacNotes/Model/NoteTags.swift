internal import AlmanacForms
internal import TextMerge

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Functions on the tags of a note, which are sorted by bytes and unique.
///
/// Tags are compared byte by byte. A `Set<String>` compares canonical equivalence, so it can't hold tags.
enum NoteTags {
    /// Returns the sorted tags without duplicates.
    static func sorted(_ tags: [String]) -> [String] {
        guard tags.count > 1 else { return tags }
        var sorted: [String] = []
        for tag in tags.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where sorted.last?.isIdentical(to: tag) != true {
            sorted.append(tag)
        }
        return sorted
    }

    /// Returns the first tags without the second.
    static func without(_ tags: [String], _ others: [String]) -> [String] {
        if tags.isEmpty || others.isEmpty { return tags }
        let known = Set(others.map { Array($0.utf8) })
        return tags.filter { !known.contains(Array($0.utf8)) }
    }

    static func areIdentical(_ some: [String], _ others: [String]) -> Bool {
        some.count == others.count && zip(some, others).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// Merges tags: the additions of both sides, and the base's tags that neither side has removed.
    static func merged(base: [String], theirs: [String], mine: [String]) -> [String] {
        let removed = without(base, mine)
        return sorted(without(theirs, removed) + without(mine, base))
    }

    /// Returns the reason why the server would reject a tag; nil if all are valid.
    static func refusal(_ tags: [String]) -> String? {
        tags.allSatisfy(NoteTag.isValid) ? nil : "a tag must be \(NoteTag.form)"
    }

    /// Returns the reason why the server would reject this number of tags; nil if the number is valid.
    static func refusal(ofCount count: Int) -> String? {
        count > NoteTag.maxPerNote ? "a note has at most \(NoteTag.maxPerNote) tags" : nil
    }

    /// Encodes tags as JSON for the file.
    static func stored(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
    }

    /// Decodes tags from the file. Nil counts as no tags.
    static func read(_ text: String?) throws -> [String] {
        guard let text, text != "[]" else { return [] }
        return sorted(try JSONDecoder().decode([String].self, from: Data(text.utf8)))
    }
}
