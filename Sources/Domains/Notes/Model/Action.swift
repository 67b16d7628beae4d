internal import AlmanacRevisions
internal import AlmanacTimestamps

/// A change to one note, as a client requests it.
struct Action: Sendable {
    /// The client's id of the action, which makes retries idempotent; nil if the client sent none.
    let id: String?
    let noteID: String
    let change: Change
    /// The change of tags and pin; only if the action creates, updates or puts its note.
    var metadata = NoteMetadataEdit()
    /// The times at which an imported note was created and last changed elsewhere; only if the action creates it.
    var written: (createdAt: Timestamp?, updatedAt: Timestamp?) = (nil, nil)
    /// The time since which the note must not have changed; nil for no condition.
    var unmodifiedSince: Timestamp?

    enum Change: Sendable {
        case create(NoteText, Place)
        /// - base: nil if the edits contain their base texts.
        case update(base: Base?, title: TextEdit?, body: TextEdit?)
        /// Creates the note or replaces its texts. A nil text stays unchanged, or is empty in a new note.
        case put(title: String?, body: String?, PutCondition)
        case move(Place)
        /// - base: the revision that the client had seen; nil deletes the note in any state.
        case delete(base: Cursor?)
        /// - revision: the revision to restore; nil only takes the note out of the trash.
        case restore(revision: Cursor?)
        case purge
    }

    /// The revision whose texts the action restores.
    var source: Int64? { if case .restore(let cursor?) = change { cursor.revision } else { nil } }

    /// The text that an edit was made from.
    enum Base: Sendable {
        /// The note's text at a revision.
        case revision(Cursor)
        /// The note's newest text.
        case current
    }

    /// The state of the note on the server that a client's PUT expects.
    enum PutCondition: Sendable {
        case unknown
        /// The note must not exist.
        case isNew
        /// The client's text was made from this base.
        case base(Base)
    }

    /// A place in the account's list.
    enum Place: Sendable, Equatable {
        case first
        case last
        case after(String)
    }

    /// The names of actions in requests and in the history.
    enum Kind: String, CaseIterable, Sendable {
        case createNote, updateNote, moveNote, deleteNote, restoreNote, purgeNote
    }
}

/// An element of a batch: an action, or the reason why the element is no action.
enum ActionRequest: Sendable {
    case valid(Action)
    /// The ids are nil if they could not be read.
    case refused(NotesRefusal, actionID: String?, noteID: String?)

    /// True for an action that compares or merges texts, which takes up to 200 ms of CPU time.
    var comparesTexts: Bool {
        guard case .valid(let action) = self else { return false }
        return switch action.change {
        case .update, .put, .restore: true
        case .create, .move, .delete, .purge: false
        }
    }
}
