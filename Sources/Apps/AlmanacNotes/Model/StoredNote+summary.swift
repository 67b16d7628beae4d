#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StoredNote {
    /// A note without its body, as a list shows it.
    public struct Summary: Sendable, Identifiable, Hashable {
        /// The same on every device.
        public let id: String
        /// One line, as it was typed.
        public let title: String
        /// The beginning of the body, up to 200 characters with the line breaks among them.
        public let excerpt: String
        /// What it is filed under, sorted by the bytes.
        public let tags: [String]
        /// Whether it stands before all that are not pinned.
        public let isPinned: Bool
        /// When it was made, on whatever device.
        public let createdAt: Date
        /// When it was last changed, here or elsewhere.
        public let updatedAt: Date
        /// Whether it lies in the trash and not in the list.
        public let isInTrash: Bool
        /// Where its newest state is.
        public let status: Status

        /// Compares the texts byte by byte.
        public static func == (left: Self, right: Self) -> Bool {
            left.id == right.id && left.title.isIdentical(to: right.title)
                && left.excerpt.isIdentical(to: right.excerpt) && NoteTags.areIdentical(left.tags, right.tags)
                && left.isPinned == right.isPinned && left.createdAt == right.createdAt
                && left.updatedAt == right.updatedAt && left.isInTrash == right.isInTrash
                && left.status == right.status
        }
    }
}

extension String {
    /// The beginning of a text for a list, cut between characters.
    var excerpt: String {
        // Characters have no longest length, so they alone bound nothing.
        let room = unicodeScalars.index(
            unicodeScalars.startIndex, offsetBy: 200, limitedBy: unicodeScalars.endIndex)
        guard let room, room < endIndex else { return self }
        let beginning = self[..<room]
        // The last one may go on behind the cut; a single one is cut all the same.
        return String(beginning.count > 1 ? beginning.dropLast() : beginning)
    }
}
