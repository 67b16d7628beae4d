internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

extension ActionStep {
    /// Puts the note into the trash, unless it holds an edit that the deleter had not seen.
    func delete(base: Cursor?) throws -> ActionResult {
        let note = try existing()
        if let base { try PastText.check(base, in: account) }
        if note.isDeleted {
            try recordUnchanged(note)
            return result(note)
        }
        if let base, note.textRevision > base.revision {
            // A new revision, so that every device that has let go of the note is told of it again.
            return try setPlace(of: note, deleted: false, as: .restoreNote, status: .merged, restored: true)
        }
        return try setPlace(of: note, deleted: true, as: .deleteNote)
    }

    func move(to place: Action.Place) throws -> ActionResult {
        let note = try existing()
        let (lower, upper) = try neighbours(at: place)
        // Nothing to do where it stands between them already.
        if lower.map({ $0 < note.position }) ?? true, upper.map({ note.position < $0 }) ?? true {
            try recordUnchanged(note)
            return result(note)
        }
        let position = ListPosition.between(lower, upper)
        let result = try setPlace(of: note, position: position, deleted: note.isDeleted, as: .moveNote)
        return self.result(try afterRenumbering(result.note ?? note))
    }

    func setPlace(
        of note: Note, position: String? = nil, deleted: Bool, as kind: Action.Kind,
        status: ActionResult.Status = .applied, restored: Bool = false
    ) throws -> ActionResult {
        let change = Call(
            WriteStatements.changePlace, .bigint(account.id), .text(note.id), .text(position), .boolean(deleted),
            .text(kind.rawValue), .text(action.id), .text(status.rawValue), .boolean(restored))
        // A new position may have to be followed by a new numbering.
        let rows = try position == nil ? connection.runLast(change) : connection.run(change)
        var result = result(try Note(try rows.single("notes")), status: status)
        result.isRestored = restored
        return result
    }

    /// A position for the action's note at a place in the list.
    func position(at place: Action.Place) throws -> String {
        let (lower, upper) = try neighbours(at: place)
        return ListPosition.between(lower, upper)
    }

    /// The positions around a place, the action's own note left out; nil at an end of the list.
    private func neighbours(at place: Action.Place) throws -> (lower: String?, upper: String?) {
        switch place {
        case .first: return (nil, try position(NoteStatements.firstPosition, action.noteID))
        case .last: return (try position(NoteStatements.lastPosition, action.noteID), nil)
        case .after(let id):
            guard !id.isIdentical(to: action.noteID) else {
                throw Problem(.invalidValue, "'after' must name another note, or be null for the first place")
            }
            guard let lower = try position(NoteStatements.position, id) else { throw Problem.noteGone(id) }
            let next = try connection.run(
                NoteStatements.positionAfter, .bigint(account.id), .text(action.noteID), .text(lower))
            return (lower, try next.first?.text("position"))
        }
    }

    private func position(_ statement: Statement, _ noteID: String) throws -> String? {
        try connection.run(statement, .bigint(account.id), .text(noteID)).first?.text("position")
    }

    /// The note just placed, after the whole list was numbered anew if its position had become too long.
    func afterRenumbering(_ note: Note) throws -> Note {
        guard note.position.utf8.count > ListPosition.longest else { return note }
        let ids = try connection.run(NoteStatements.order, .bigint(account.id)).map { try $0.text("id") }
        try connection.run(
            WriteStatements.renumber, .bigint(account.id), .textArray(ids),
            .textArray(ListPosition.numbering(ids.count)))
        return try find(note.id) ?? note
    }
}
