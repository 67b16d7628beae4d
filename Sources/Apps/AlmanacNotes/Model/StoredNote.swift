internal import TextMerge

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A note as stored on this device.
public struct StoredNote: Sendable, Identifiable, Hashable {
    /// The note's id, the same on every device.
    public let id: String
    /// The title, body, tags and pin.
    public let text: Text
    /// The time of creation, on any device.
    public let createdAt: Date
    /// The time of the last edit of title or body, on any device. Tags, the pin and moves don't change it.
    public let editedAt: Date
    /// True if the note is in the trash.
    public let isInTrash: Bool
    /// The server's revision on which the text is based; nil before the server has the note.
    public let revision: Int64?
    /// The position in the server's list, sorted by bytes; nil before the server has assigned one.
    public let position: String?
    /// The sync status of the note.
    public let status: Status

    /// The title of the text.
    public var title: String { text.title }
    /// The body of the text.
    public var body: String { text.body }
    /// The tags, sorted by bytes.
    public var tags: [String] { text.tags }
    /// True if the note is listed before the unpinned notes.
    public var isPinned: Bool { text.isPinned }
    /// The time of the last edit.
    @available(*, deprecated, renamed: "editedAt") public var updatedAt: Date { editedAt }
}

extension StoredNote {
    /// The content of a note, compared byte by byte.
    public struct Text: Sendable {
        /// The title, one line. The server accepts up to 1 KiB.
        public var title: String
        /// The body. The server accepts up to 1 MiB.
        public var body: String
        /// The tags, sorted by bytes and unique. The server accepts up to 32 tags of up to 64 characters each.
        public var tags: [String] { didSet { tags = NoteTags.sorted(tags) } }
        /// True if the note is listed before the unpinned notes.
        public var isPinned: Bool

        /// Creates a text, empty by default.
        public init(title: String = "", body: String = "", tags: [String] = [], isPinned: Bool = false) {
            self.title = title
            self.body = body
            self.tags = NoteTags.sorted(tags)
            self.isPinned = isPinned
        }
    }

    /// The sync status of a note.
    public enum Status: Sendable, Hashable {
        /// The note has changes that the server has not acknowledged.
        case onThisDevice
        /// The server has acknowledged all changes.
        case onServer
        /// The server rejected a change. The text remains on this device, and no change of this note is sent until the
        /// note is edited or the user decides with ``NotesStore/keepAsNew(_:)`` or ``NotesStore/discard(_:)``.
        case needsAttention(Problem)
    }

    /// The reason for the server's rejection of a change.
    public struct Problem: Sendable, Hashable {
        /// The last part of the problem type, such as `note-gone` or `limit-exceeded`.
        public let type: String
        /// The server's explanation for users.
        public let detail: String

        /// Creates a problem.
        public init(type: String, detail: String) {
            self.type = type
            self.detail = detail
        }
    }
}

extension StoredNote.Text: Hashable {
    /// Compares bytes instead of canonical equivalence.
    public static func == (left: Self, right: Self) -> Bool {
        left.hasSameTitleAndBody(as: right) && left.isPinned == right.isPinned
            && NoteTags.areIdentical(left.tags, right.tags)
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in title.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in body.utf8 { hasher.combine(byte) }
        for tag in tags {
            hasher.combine(0 as UInt8)
            for byte in tag.utf8 { hasher.combine(byte) }
        }
        hasher.combine(isPinned)
    }
}

extension StoredNote.Text {
    /// True if no part contains U+0000, which the server rejects.
    var isStorable: Bool { ([title, body] + tags).allSatisfy { !$0.utf8.contains(0) } }

    /// True if the titles and bodies are equal. A change of only the tags or the pin does not restore a deleted note.
    func hasSameTitleAndBody(as other: Self) -> Bool {
        title.isIdentical(to: other.title) && body.isIdentical(to: other.body)
    }

    /// Returns the three-way merge of two texts.
    static func merged(base: Self, theirs: Self, mine: Self) -> Self {
        Self(
            title: merged(base.title, theirs.title, mine.title), body: merged(base.body, theirs.body, mine.body),
            tags: NoteTags.merged(base: base.tags, theirs: theirs.tags, mine: mine.tags),
            isPinned: mine.isPinned == base.isPinned ? theirs.isPinned : mine.isPinned)
    }

    private static func merged(_ base: String, _ theirs: String, _ mine: String) -> String {
        if base.isIdentical(to: mine) { return theirs }
        if base.isIdentical(to: theirs) { return mine }
        return ThreeWay.merge(base: base, theirs: theirs, mine: mine).text
    }
}

extension String {
    /// Returns true if both texts have the same bytes. Unlike this function, `==` tests canonical equivalence.
    func isIdentical(to other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }
}
