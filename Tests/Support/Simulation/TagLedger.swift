/// What somebody did to the tags and the pins of notes, to hold the notes against in the end.
public struct TagLedger: Sendable {
    /// The tags that were added, each a new one, and the note of each.
    private var notes: [String: String] = [:]
    private var removed: Set<String> = []
    /// What was made of each note's pin, in whatever order.
    private var pins: [String: Set<Bool>] = [:]

    /// A ledger in which nothing was done.
    public init() {}

    /// A tag that no note has had yet, for a note.
    public mutating func newTag(for note: String) -> String {
        let tag = "tag \(notes.count)"
        notes[tag] = note
        return tag
    }

    /// Notes that a tag is to go, by somebody who has seen it.
    public mutating func remove(_ tag: String) {
        removed.insert(tag)
    }

    public mutating func pin(_ note: String, _ isPinned: Bool) {
        pins[note, default: []].insert(isPinned)
    }

    /// What is wrong with notes that should have each tag that nobody removed, and no other; nil when nothing is.
    public func problem(with found: [(id: String, tags: [String], isPinned: Bool)]) -> String? {
        for note in found {
            let expected = notes.filter { $0.value == note.id && !removed.contains($0.key) }.keys.sorted()
            if note.tags.sorted() != expected { return "\(note.id) has the tags \(note.tags), and not \(expected)" }
            if !pins[note.id, default: [false]].contains(note.isPinned) {
                return "\(note.id) is \(note.isPinned ? "" : "not ")pinned, which nobody wanted"
            }
        }
        let ids = Set(found.map(\.id))
        // One that was empty when it went into the trash, before it was ever sent, is nobody's loss.
        return notes.first { !removed.contains($0.key) && !ids.contains($0.value) }
            .map { "\($0.value) with \($0.key) is nowhere" }
    }
}
