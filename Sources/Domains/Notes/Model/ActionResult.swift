internal import AlmanacTimestamps
internal import TextMerge

struct ActionResult: Sendable {
    let status: Status
    let actionID: String?
    /// The action's note; nil if its id could not be read.
    let noteID: String?
    /// The note after the action; nil if it is gone or the action was rejected.
    var note: Note?
    var isCreated = false
    /// True if the action took the note out of the trash or prevented its deletion.
    var isRestored = false
    /// The changes that the client's own texts lack.
    var missingTitle: Delta?
    var missingBody: Delta?
    /// The effect of the first copy of a repeated action.
    var originalEffect: OriginalEffect?
    /// The tombstone of a note that was removed for good.
    var tombstone: Note?
    /// The reason for a rejection.
    var refusal: NotesRefusal?

    enum Status: String, CaseIterable, Sendable {
        /// The action took effect, and the client has the server's text.
        case applied
        /// The action took effect on a text with changes that the client lacks.
        case merged
        /// The action had taken effect before.
        case duplicate
        /// The action changed nothing.
        case rejected
    }

    struct OriginalEffect: Sendable {
        let status: String
        let revision: Int64
        let isRestored: Bool
    }

    /// True if the client can't derive the note's text from its own, so the result must contain all of it.
    var needsWholeNote: Bool { status == .duplicate || status == .merged && missingTitle == nil && missingBody == nil }

    /// The bytes of the texts that the client can't derive from its own.
    var textBytes: Int {
        let deltas = [missingTitle, missingBody].compactMap(\.self).reduce(0) { $0 + $1.insertedBytes }
        return deltas + (needsWholeNote ? note?.text.bytes ?? 0 : 0)
    }

    /// Returns the result of an action that was not tried.
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

/// The effect of an action that was applied before.
struct AppliedAction: Sendable {
    let noteID: String
    let originalEffect: ActionResult.OriginalEffect
}

/// An action whose id is stored: a row of `note_actions`.
struct RecordedAction: Sendable {
    let id: String
    let effect: AppliedAction
    let recordedAt: Timestamp
}

extension Delta {
    /// The bytes of the text that the delta inserts.
    fileprivate var insertedBytes: Int {
        operations.reduce(0) { bytes, operation in
            if case .insert(let text) = operation { bytes + text.utf8.count } else { bytes }
        }
    }
}
