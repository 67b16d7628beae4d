internal import AlmanacRevisions

/// An action's note as it is stored, and its surroundings, when the action's turn has come.
struct NoteState: Sendable {
    let account: Account
    /// The note that the action names, which may be a tombstone; nil when there never was one.
    let note: Note?
    /// The effect that the same action had when it came before; nil when it is new.
    let earlier: EarlierAction?

    // The parts that only some actions need; storage reads them when `need(of:)` says so.

    /// The note of the earlier action, where that was about another one.
    var earlierNote: Note?
    /// The texts at the revision that the action names.
    var historicalText = HistoricalText.none
    /// The filing at that revision; nil where it was thinned out.
    var historicalFiling: Filing?
    /// The positions around the place that the action names; nil where no note in the list or the trash is there.
    var neighbours: ListPosition.Neighbours?

    init(account: Account, note: Note?, earlier: EarlierAction?) {
        self.account = account
        self.note = note
        self.earlier = earlier
    }

    /// Something that an action's plan takes beyond the note itself.
    enum Need: Equatable {
        case earlierNote(String)
        /// The texts of the action's note at a revision.
        case historicalText(revision: Int64)
        /// The positions around a place, the action's own note left out.
        case neighbours(Action.Place)
    }

    /// The reading that has to be done before an action is planned; nil when there is none.
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

    /// The revision at which the action's note has to be known to be filed; nil when there is none.
    func filingNeed(of action: Action) -> Int64? {
        guard earlier == nil, let note, case .whole = action.filing.tags,
            case .put(_, _, .base(.revision(let base))) = action.change, base.revision < note.revision
        else { return nil }
        return base.revision
    }

    private func needOfText(at base: Action.Base) -> Need? {
        guard let note, case .revision(let cursor) = base, cursor.revision < note.textRevision else { return nil }
        return .historicalText(revision: cursor.revision)
    }
}
