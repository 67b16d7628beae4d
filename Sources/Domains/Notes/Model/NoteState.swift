internal import AlmanacRevisions

/// The stored state that an action is planned on: its note and the note's surroundings.
struct NoteState: Sendable {
    let account: Account
    /// The action's note, possibly a tombstone; nil if it never existed.
    let note: Note?
    /// The effect of an earlier copy of the action; nil if the action is new.
    let earlier: AppliedAction?

    // Only some actions need these parts; storage reads them if `need(of:)` says so.

    /// The note of the earlier copy, if that was about another note.
    var earlierNote: Note?
    /// The texts at the action's base revision.
    var historicalText = HistoricalText.none
    /// The metadata at the action's base revision; nil if it was thinned out.
    var historicalMetadata: NoteMetadata?
    /// The positions around the action's target place; nil if the place names a note that doesn't exist.
    var neighbours: ListPosition.Neighbours?

    init(account: Account, note: Note?, earlier: AppliedAction?) {
        self.account = account
        self.note = note
        self.earlier = earlier
    }

    /// A part of the state that an action's plan needs besides the note itself.
    enum Need: Equatable {
        case earlierNote(String)
        /// The texts of the action's note at a revision.
        case historicalText(revision: Int64)
        /// The positions around a place, without the action's own note.
        case neighbours(Action.Place)
    }

    /// Returns the part to read before an action is planned; nil if there is none.
    func need(of action: Action) -> Need? {
        if let earlier { return earlier.noteID == action.noteID ? nil : .earlierNote(earlier.noteID) }
        switch action.change {
        case .create(_, let place): return note == nil ? .neighbours(place) : nil
        case .put(_, _, .base(let base)): return needOfText(at: base)
        case .put: return note == nil ? .neighbours(.last) : nil
        case .update(let base?, _, _): return needOfText(at: base)
        case .move(let place): return note == nil ? nil : .neighbours(place)
        case .restore(let revision?): return needOfText(at: .revision(revision))
        case .update(nil, _, _), .delete, .restore(nil), .purge: return nil
        }
    }

    /// Returns the revision at which the note's metadata must be read; nil if the action doesn't need it.
    func metadataNeed(of action: Action) -> Int64? {
        guard earlier == nil, let note, case .whole = action.metadata.tags,
            case .put(_, _, .base(.revision(let base))) = action.change, base.revision < note.revision
        else { return nil }
        return base.revision
    }

    private func needOfText(at base: Action.Base) -> Need? {
        guard let note, case .revision(let cursor) = base, cursor.revision < note.textRevision else { return nil }
        return .historicalText(revision: cursor.revision)
    }
}
