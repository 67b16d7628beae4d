internal import AlmanacRevisions

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StoredNote {
    /// What one action did to a note, as the server keeps it.
    public struct PastRevision: Sendable, Hashable, Identifiable {
        /// What was done.
        public enum Action: Sendable, Hashable {
            /// The actions of a user; a deletion that gave way to a later edit is a restoring.
            case created, edited, moved, deleted, restored
            /// Something that this version of the library does not know.
            case other(String)
        }

        /// The revision of the account that the action made.
        public let revision: Int64
        /// What was done.
        public let action: Action
        /// When it was done, by the server's clock.
        public let date: Date
        /// The title that was written; nil where none was.
        public let title: String?
        /// The body that was written; nil where none was.
        public let body: String?
        /// What the note was filed under then; nil where the server is older than tags.
        public let tags: [String]?
        /// Whether the note was pinned then; nil where the server is older than pins.
        public let isPinned: Bool?
        let cursor: Cursor

        /// The revision, which no two have in common.
        public var id: Int64 { revision }
    }

    /// Some of a note's past, the latest first.
    public struct History: Sendable, Hashable {
        /// What was done, the latest first.
        public let revisions: [PastRevision]
        /// Where the older ones begin; nil when these are the oldest.
        let next: Int64?

        /// Whether there are older ones, for ``NotesStore/history(of:after:limit:)``.
        public var hasOlder: Bool { next != nil }
    }
}
