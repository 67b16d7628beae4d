internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// One note: a row of `notes`.
struct Note: Sendable {
    let id: String
    let text: NoteText
    var filing = Filing()
    /// Sorts the account's list, byte by byte.
    let position: String
    let createdAt: Timestamp
    /// When anything here last changed on this server.
    let updatedAt: Timestamp
    /// When it was last changed elsewhere, if nothing has changed since it came here.
    var writtenAt: Timestamp?
    /// That of the account at the last change of anything here.
    let revision: Int64
    /// That of the account at the last change of title or body.
    let textRevision: Int64
    let deletedAt: Timestamp?
    let isPurged: Bool

    /// Nobody knows whether it changed twice in one second.
    var lastModified: LastModified { LastModified(updatedAt, hasOwnSecond: nil) }

    /// The length of its texts and tags in UTF-8.
    var bytes: Int { text.bytes + filing.tags.bytes }

    /// Whether it lies in the trash.
    var isDeleted: Bool { deletedAt != nil && !isPurged }

    /// The texts at a revision.
    ///
    /// - Parameter historical: what the history holds for the revision; it isn't needed where the revision isn't below
    ///   `textRevision`.
    func text(at revision: Cursor, in account: Account, historical: HistoricalText) throws(NotesRefusal) -> NoteText {
        try account.check(revision)
        if revision.revision >= textRevision { return text }
        switch historical {
        case .kept(let text): return text
        case .thinned: throw .textNotKept(id, revision: revision.revision)
        case .none: throw .noteNotThereYet(id, revision: revision.revision)
        }
    }
}

/// The title and body of a note. Kept and compared byte for byte, never normalised.
struct NoteText: Sendable, Equatable {
    var title: String
    var body: String

    enum Member: String, Sendable {
        case title, body
    }

    /// The length of both in UTF-8.
    var bytes: Int { title.utf8.count + body.utf8.count }

    static func == (left: NoteText, right: NoteText) -> Bool {
        left.title.hasSameBytes(as: right.title) && left.body.hasSameBytes(as: right.body)
    }
}

/// What the history holds of a note's texts at a revision.
enum HistoricalText: Sendable {
    case kept(NoteText)
    /// There were texts, and they were thinned out.
    case thinned
    /// The note had no texts yet.
    case none
}

/// One action in a note's history: a row of `note_revisions`.
struct NoteRevision: Sendable {
    let revision: Int64
    let action: String
    let actionID: String?
    let recordedAt: Timestamp
    /// Nil where the action left it as it was, and where it was thinned out.
    let title: String?
    let body: String?
    /// Whether texts or tags that the action wrote were thinned out.
    let isThinned: Bool
    /// How the note was filed then; nil where that was thinned out.
    let filing: Filing?
}

/// The name of an action, chosen by the client and unique in its account. ASCII too.
enum ActionID {
    /// The form of an id, for messages.
    static let form = "1 to 128 printable ASCII characters without spaces"

    static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }
}
