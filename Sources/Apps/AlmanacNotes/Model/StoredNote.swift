internal import TextMerge

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A note as it is on this device.
public struct StoredNote: Sendable, Identifiable, Hashable {
    /// The same on every device.
    public let id: String
    /// Title, body, tags and pin.
    public let text: Text
    /// When it was made, on whatever device.
    public let createdAt: Date
    /// When it was last changed, here or elsewhere.
    public let updatedAt: Date
    /// Whether it lies in the trash and not in the list.
    public let isInTrash: Bool
    /// The server's revision of the text that this one was made from; nil before the server knows the note.
    public let revision: Int64?
    /// Its place in the server's list, which sorts byte by byte; nil before the server has given it one.
    public let position: String?
    /// Where its newest state is.
    public let status: Status

    /// The first part of its text.
    public var title: String { text.title }
    /// The second part of its text.
    public var body: String { text.body }
    /// What it is filed under, sorted by the bytes.
    public var tags: [String] { text.tags }
    /// Whether it stands before all that are not pinned.
    public var isPinned: Bool { text.isPinned }
}

extension StoredNote {
    /// What is written of a note, compared byte by byte.
    public struct Text: Sendable {
        /// One line; the server takes up to 1 KiB.
        public var title: String
        /// Any number of lines; the server takes up to 1 MiB.
        public var body: String
        /// What the note is filed under: sorted by the bytes, each once.
        ///
        /// The server takes up to 32 of up to 64 characters.
        public var tags: [String] {
            didSet { tags = NoteTags.sorted(tags) }
        }
        /// Whether the note stands before all that are not pinned.
        public var isPinned: Bool

        /// By default an empty text.
        public init(title: String = "", body: String = "", tags: [String] = [], isPinned: Bool = false) {
            self.title = title
            self.body = body
            self.tags = NoteTags.sorted(tags)
            self.isPinned = isPinned
        }
    }

    /// Where the newest state of a note is.
    public enum Status: Sendable, Hashable {
        /// Something of it has not reached the server yet, as far as is known.
        case onThisDevice
        /// The server has acknowledged everything.
        case onServer
        /// The server refused a change. The text is kept here, and nothing more of this note is sent until it is edited
        /// again, or its user decides: ``NotesStore/keepAsNew(_:)`` or ``NotesStore/discard(_:)``.
        case needsAttention(Problem)
    }

    /// Why the server refused a change.
    public struct Problem: Sendable, Hashable {
        /// The last part of the problem's type, such as `note-gone` or `limit-exceeded`.
        public let type: String
        /// The server's explanation, for people.
        public let detail: String

        /// A problem as a server reports it.
        public init(type: String, detail: String) {
            self.type = type
            self.detail = detail
        }
    }
}

extension StoredNote.Text: Hashable {
    /// Compares bytes, where Swift compares what looks the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.hasSameWords(as: right) && left.isPinned == right.isPinned
            && NoteTags.areIdentical(left.tags, right.tags)
    }

    /// Feeds the bytes that `==` compares.
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
    /// Whether a server may have it: there is none with U+0000.
    var canBeKept: Bool { ([title, body] + tags).allSatisfy { !$0.utf8.contains(0) } }

    /// Whether the titles and the bodies are the same.
    ///
    /// A change of tags or of the pin alone brings no note back from the trash.
    func hasSameWords(as other: Self) -> Bool {
        title.isIdentical(to: other.title) && body.isIdentical(to: other.body)
    }

    /// Two texts made from a third, with the changes of both.
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
    /// Whether two texts have the same bytes; `==` is canonical equivalence.
    func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
