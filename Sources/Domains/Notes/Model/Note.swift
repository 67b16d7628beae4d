internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// A note: a row of `notes`.
struct Note: Sendable {
    let id: String
    let text: NoteText
    var metadata = NoteMetadata()
    /// The sort key in the account's list, compared byte by byte.
    let position: String
    let createdAt: Timestamp
    /// The time of the note's last change on this server.
    let updatedAt: Timestamp
    /// The time of the last edit of title or body, which may be before an import.
    let editedAt: Timestamp
    /// The account's revision at the last change of the note.
    let revision: Int64
    /// The account's revision at the last change of title or body.
    let textRevision: Int64
    let deletedAt: Timestamp?
    let isPurged: Bool

    /// The note may have changed twice within the second; the stored time doesn't tell.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: nil) }

    /// The length of texts and tags in UTF-8, in bytes.
    var bytes: Int { text.bytes + metadata.tags.bytes }

    /// True if the note is in the trash.
    var isDeleted: Bool { deletedAt != nil && !isPurged }

    /// Returns the texts at a revision.
    ///
    /// - Parameter historical: the history's texts at the revision; only used if it is below `textRevision`.
    func text(at revision: Cursor, in account: Account, historical: HistoricalText) throws(NotesRefusal) -> NoteText {
        try account.check(revision)
        if revision.revision >= textRevision { return text }
        switch historical {
        case .available(let text): return text
        case .thinned: throw .textThinned(id, revision: revision.revision)
        case .none: throw .revisionBeforeNote(id, revision: revision.revision)
        }
    }
}

/// The title and body of a note, stored and compared byte for byte without normalisation.
struct NoteText: Sendable, Equatable {
    var title: String
    var body: String

    enum Member: String, Sendable {
        case title, body
    }

    /// The length of title and body in UTF-8, in bytes.
    var bytes: Int { title.utf8.count + body.utf8.count }

    static func == (left: NoteText, right: NoteText) -> Bool {
        left.title.hasSameBytes(as: right.title) && left.body.hasSameBytes(as: right.body)
    }
}

/// The difference between the attachments that two bodies of a note name.
struct ReferenceChange: Sendable, Equatable {
    var added: [String] = []
    var removed: [String] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// The texts of a note at a revision, as far as the history has them.
enum HistoricalText: Sendable {
    case available(NoteText)
    /// The texts were thinned out.
    case thinned
    /// The note had no texts yet.
    case none
}

/// An action in a note's history: a row of `note_revisions`.
struct NoteRevision: Sendable {
    let revision: Int64
    let action: String
    let actionID: String?
    let recordedAt: Timestamp
    /// Nil if the action left the text unchanged, or if it was thinned out.
    let title: String?
    let body: String?
    /// True if texts or tags that the action wrote were thinned out.
    let isThinned: Bool
    /// The note's metadata after the action; nil if it was thinned out.
    let metadata: NoteMetadata?
}

/// The id of an action: ASCII, chosen by the client, unique in its account.
enum ActionID {
    /// The description of a valid id, for messages.
    static let form = "1 to 128 printable ASCII characters without spaces"

    static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }
}
