/// A log of changes to the tags and pins of notes, to check the final notes against.
public struct TagLog: Sendable {
    /// The added tags, each of them unique, with the note of each.
    private var notes: [String: String] = [:]
    private var removed: Set<String> = []
    /// The pin states that were set on each note, in any order.
    private var pins: [String: Set<Bool>] = [:]

    public init() {}

    /// Returns a new tag for a note.
    public mutating func newTag(for note: String) -> String {
        let tag = "tag \(notes.count)"
        notes[tag] = note
        return tag
    }

    /// Records that a client who has seen a tag removes it.
    public mutating func remove(_ tag: String) { removed.insert(tag) }

    public mutating func pin(_ note: String, _ isPinned: Bool) { pins[note, default: []].insert(isPinned) }

    /// Returns a description of the first missing, unexpected or wrongly pinned note or tag, or nil if there is none.
    public func problem(with found: [(id: String, tags: [String], isPinned: Bool)]) -> String? {
        for note in found {
            let expected = notes.filter { $0.value == note.id && !removed.contains($0.key) }.keys.sorted()
            if note.tags.sorted() != expected { return "\(note.id) has the tags \(note.tags), and not \(expected)" }
            if !pins[note.id, default: [false]].contains(note.isPinned) {
                return "\(note.id) is \(note.isPinned ? "" : "not ")pinned, which nobody wanted"
            }
        }
        let ids = Set(found.map(\.id))
        // A note that was empty when it was deleted, before it was ever sent, is not a loss.
        return notes.first { !removed.contains($0.key) && !ids.contains($0.value) }
            .map { "\($0.value) with \($0.key) is nowhere" }
    }
}
