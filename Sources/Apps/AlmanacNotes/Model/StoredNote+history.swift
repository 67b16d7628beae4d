internal import AlmanacRevisions

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StoredNote {
    /// A past action on a note, as recorded by the server.
    public struct PastRevision: Sendable, Hashable, Identifiable {
        /// The kind of action.
        public enum Action: Sendable, Hashable {
            /// The actions of a user. A deletion that yielded to a later edit counts as restored.
            case created, edited, moved, deleted, restored
            /// An action that this version of the library does not know.
            case other(String)
        }

        /// The revision of the account that the action created.
        public let revision: Int64
        /// The kind of the action.
        public let action: Action
        /// The time of the action by the server's clock.
        public let date: Date
        /// The title that was written; nil if the action wrote none.
        public let title: String?
        /// The body that was written; nil if the action wrote none.
        public let body: String?
        /// The tags after the action; nil if the server does not support tags.
        public let tags: [String]?
        /// True if the note was pinned after the action; nil if the server does not support pins.
        public let isPinned: Bool?
        let cursor: Cursor

        /// The revision, which is unique.
        public var id: Int64 { revision }
    }

    /// A page of a note's history, newest first.
    public struct History: Sendable, Hashable {
        /// The actions, newest first.
        public let revisions: [PastRevision]
        /// The start of the next page; nil if this is the last page.
        let next: Int64?

        /// True if ``NotesStore/history(of:after:limit:)`` can fetch an older page.
        public var hasOlder: Bool { next != nil }
    }
}
