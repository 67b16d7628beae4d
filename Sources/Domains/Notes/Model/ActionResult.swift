internal import AlmanacTimestamps
internal import TextMerge

/// The result of one action.
struct ActionResult: Sendable {
    let status: Status
    let actionID: String?
    /// The note that it was about; nil when that could not be read.
    let noteID: String?
    /// The note as it is now; nil when it is gone, or the action was rejected.
    var note: Note?
    var isCreated = false
    /// The note was in the trash, or was to be deleted, and is there again.
    var isRestored = false
    /// The changes of others that the client's own texts are missing.
    var missingTitle: Delta?
    var missingBody: Delta?
    /// The effect that the same action had when it came for the first time.
    var first: First?
    /// The tombstone of a note that was removed for good.
    var tombstone: Note?
    /// Why it was rejected.
    var refusal: NotesRefusal?

    enum Status: String, CaseIterable, Sendable {
        /// It took effect, and the client has the text that the server has.
        case applied
        /// It took effect together with what others had done, which the client doesn't have yet.
        case merged
        /// It had taken effect before.
        case duplicate
        /// It changed nothing.
        case rejected
    }

    struct First: Sendable {
        let status: String
        let revision: Int64
        let isRestored: Bool
    }

    /// Whether the client cannot know the note's text without being sent all of it.
    var needsWholeNote: Bool { status == .duplicate || status == .merged && missingTitle == nil && missingBody == nil }

    /// The bytes of the texts that the client can't make of what it has.
    var textBytes: Int {
        let deltas = [missingTitle, missingBody].compactMap(\.self).reduce(0) { $0 + $1.insertedBytes }
        return deltas + (needsWholeNote ? note?.text.bytes ?? 0 : 0)
    }

    /// An action that was not tried.
    static func postponed(_ request: ActionRequest) -> ActionResult {
        switch request {
        case .valid(let action): rejected(.postponed, actionID: action.id, noteID: action.noteID)
        case .refused(_, let actionID, let noteID): rejected(.postponed, actionID: actionID, noteID: noteID)
        }
    }

    static func rejected(_ refusal: NotesRefusal, actionID: String?, noteID: String?) -> ActionResult {
        ActionResult(status: .rejected, actionID: actionID, noteID: noteID, refusal: refusal)
    }
}

/// The effect that an action had.
struct EarlierAction: Sendable {
    let noteID: String
    let first: ActionResult.First
}

/// An action as it is remembered: a row of `note_actions`.
struct RecordedAction: Sendable {
    let id: String
    let effect: EarlierAction
    let recordedAt: Timestamp
}

extension Delta {
    /// The bytes of what it inserts.
    fileprivate var insertedBytes: Int {
        operations.reduce(0) { bytes, operation in
            if case .insert(let text) = operation { bytes + text.utf8.count } else { bytes }
        }
    }
}
