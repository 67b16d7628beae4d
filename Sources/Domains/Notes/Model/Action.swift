internal import AlmanacRevisions
internal import AlmanacTimestamps

/// One change to one note, as a client asks for it.
struct Action: Sendable {
    /// Names the action, so that it takes effect once however often it arrives; nil where the client gave none.
    let id: String?
    let noteID: String
    let change: Change
    /// What becomes of tags and pin; only where the action creates, updates or puts its note.
    var filing = FilingEdit()
    /// When a note that comes from elsewhere was made and last changed there; only where the action creates it.
    var written: (createdAt: Timestamp?, updatedAt: Timestamp?) = (nil, nil)
    /// A time since which the note has not changed; nil for any.
    var unmodifiedSince: Timestamp?

    enum Change: Sendable {
        case create(NoteText, Place)
        /// - base: nil where the edits spell out their base texts.
        case update(base: Base?, title: TextEdit?, body: TextEdit?)
        /// Creates the note or replaces its texts; a text that is nil stays as it is, or is empty in a new note.
        case put(title: String?, body: String?, PutCondition)
        case move(Place)
        /// - base: what the deleter had seen; nil deletes whatever is there.
        case delete(base: Cursor?)
        /// - revision: of the texts to go back to; nil only takes the note out of the trash.
        case restore(revision: Cursor?)
        case purge
    }

    /// The revision whose texts a person goes back to.
    var source: Int64? {
        if case .restore(let cursor?) = change { cursor.revision } else { nil }
    }

    /// The text that an edit was made from.
    enum Base: Sendable {
        /// The note's text at a revision.
        case revision(Cursor)
        /// The note's newest text.
        case current
    }

    /// The state that a client that puts a whole note expects on the server.
    enum PutCondition: Sendable {
        case unknown
        /// There is to be none.
        case isNew
        /// It was made from this.
        case base(Base)
    }

    /// A place in the account's list.
    enum Place: Sendable, Equatable {
        case first
        case last
        case after(String)
    }

    /// The names under which clients send actions and the history shows them.
    enum Kind: String, CaseIterable, Sendable {
        case createNote, updateNote, moveNote, deleteNote, restoreNote, purgeNote
    }
}

/// One element of a batch: an action, or why what was sent in its place is none.
enum ActionRequest: Sendable {
    case valid(Action)
    /// The ids as far as they could be read.
    case refused(NotesRefusal, actionID: String?, noteID: String?)
}
