#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StoredNote {
    /// A note without its body, for a list.
    public struct Summary: Sendable, Identifiable, Hashable {
        /// The note's id, the same on every device.
        public let id: String
        /// The title, one line.
        public let title: String
        /// The start of the body, up to 200 Unicode scalars including line breaks.
        public let excerpt: String
        /// The tags, sorted by bytes.
        public let tags: [String]
        /// True if the note is listed before the unpinned notes.
        public let isPinned: Bool
        /// The time of creation, on any device.
        public let createdAt: Date
        /// The time of the last edit of title or body, on any device.
        public let editedAt: Date
        /// True if the note is in the trash.
        public let isInTrash: Bool
        /// The sync status of the note.
        public let status: Status
        /// The time of the last edit.
        @available(*, deprecated, renamed: "editedAt") public var updatedAt: Date { editedAt }

        /// Compares texts byte by byte.
        public static func == (left: Self, right: Self) -> Bool {
            left.id == right.id && left.title.isIdentical(to: right.title)
                && left.excerpt.isIdentical(to: right.excerpt) && NoteTags.areIdentical(left.tags, right.tags)
                && left.isPinned == right.isPinned && left.createdAt == right.createdAt
                && left.editedAt == right.editedAt && left.isInTrash == right.isInTrash && left.status == right.status
        }
    }
}

extension String {
    /// The start of a text for a list, cut between characters.
    var excerpt: String {
        // The limit counts Unicode scalars, because a character may be arbitrarily long.
        let room = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: 200, limitedBy: unicodeScalars.endIndex)
        guard let room, room < endIndex else { return self }
        let beginning = self[..<room]
        // The last character may continue after the cut, so drop it unless it is the only one.
        return String(beginning.count > 1 ? beginning.dropLast() : beginning)
    }
}
