internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

/// One action at work, inside a transaction that holds its account's lock.
///
/// What cannot be done is thrown as a `Problem`, which undoes the transaction.
struct ActionStep {
    let action: Action
    let account: Account
    let situation: Situation
    let limits: Limits
    let connection: Connection

    func apply() throws -> ActionResult {
        switch action.change {
        case .create(let text, let place): try create(text, place)
        case .update(let base, let title, let body): try update(try existing(), base: base, title: title, body: body)
        case .put(let title, let body, let condition): try put(title: title, body: body, condition)
        case .move(let place): try move(to: place)
        case .delete(let base): try delete(base: base)
        case .restore(let revision): try restore(revision)
        case .purge: try purge()
        }
    }

    /// What the action did when it came before, and the note as it is now; nil when it is new.
    func repeated() throws -> ActionResult? {
        guard let earlier = situation.earlier else { return nil }
        let note = earlier.noteID.isIdentical(to: action.noteID) ? situation.note : try find(earlier.noteID)
        return ActionResult(
            status: .duplicate, actionID: action.id, noteID: earlier.noteID, note: note?.isPurged == true ? nil : note,
            first: earlier.first)
    }

    /// The row of a note as it is now, which may be a tombstone.
    func find(_ id: String) throws -> Note? {
        guard let row = try connection.run(NoteStatements.find, .bigint(account.id), .text(id)).first else {
            return nil
        }
        return try Note(row)
    }

    /// The note that the action is about, in the list or in the trash.
    func existing() throws(Problem) -> Note {
        guard let note = situation.note, !note.isPurged else { throw Problem.noteGone(action.noteID) }
        return note
    }

    /// The texts of a note as they were at a revision.
    func text(of note: Note, at revision: Cursor) throws -> NoteText {
        try PastText.of(note, at: revision, in: account, on: connection)
    }

    /// Refuses a text that is too long, and one that would not fit the account.
    func check(_ text: NoteText, growth: Int, isNew: Bool = false) throws(Problem) {
        for (member, text, limit) in [
            ("title", text.title, limits.noteTitleBytes), ("body", text.body, limits.noteBodyBytes),
        ] {
            guard text.utf8.count <= limit else {
                throw Problem(
                    .limitExceeded, "the \(member) would have \(text.utf8.count) bytes; at most \(limit) are taken")
            }
            guard !text.utf8.contains(0) else { throw Problem(.invalidValue, "the \(member) would hold U+0000") }
        }
        if isNew, account.notes >= limits.notes {
            throw Problem(
                .limitExceeded,
                "there are \(account.notes) notes already, with those in the trash; at most "
                    + "\(limits.notes) are taken")
        }
        if growth > 0, account.bytes + Int64(growth) > limits.accountBytes {
            throw Problem(
                .limitExceeded,
                "all notes together would have \(account.bytes + Int64(growth)) bytes; at most "
                    + "\(limits.accountBytes) are taken")
        }
    }

    /// The result of an action that took effect.
    func result(_ note: Note, status: ActionResult.Status = .applied) -> ActionResult {
        ActionResult(status: status, actionID: action.id, noteID: note.id, note: note)
    }

    /// Remembers an action that found everything as it wanted it.
    func recordUnchanged(_ note: Note, status: ActionResult.Status = .applied) throws {
        guard let id = action.id else { return }
        try connection.run(
            WriteStatements.recordAction, .bigint(account.id), .text(id), .text(note.id), .text(status.rawValue),
            .bigint(note.revision))
    }
}

extension Problem {
    /// A note that never existed, was removed for good, or is somebody else's: nobody can tell which.
    static func noteGone(_ id: String) -> Problem {
        Problem(.noteGone, "there is no note '\(id)'; keep your text and create a note with another id")
    }
}
