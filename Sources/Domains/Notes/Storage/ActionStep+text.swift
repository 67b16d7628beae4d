internal import AlmanacHTTP
internal import AlmanacPostgreSQL
internal import AlmanacRevisions

extension ActionStep {
    func create(_ text: NoteText, _ place: Action.Place) throws -> ActionResult {
        if let note = situation.note {
            guard !note.isPurged else { throw Problem.noteGone(note.id) }
            throw Problem(.noteExists, "there is a note '\(note.id)' already\(note.isDeleted ? ", in the trash" : "")")
        }
        try check(text, growth: text.bytes, isNew: true)
        let position = try position(at: place)
        let row = try connection.run(
            WriteStatements.create, .bigint(account.id), .text(action.noteID), .text(text.title), .text(text.body),
            .text(position), .text(action.id)
        ).single("notes")
        var result = result(try afterRenumbering(try Note(row)))
        result.isCreated = true
        return result
    }

    func put(title: String?, body: String?, _ condition: Action.PutCondition) throws -> ActionResult {
        guard let note = situation.note else {
            if case .base = condition { throw Problem.noteGone(action.noteID) }
            return try create(NoteText(title: title ?? "", body: body ?? ""), .last)
        }
        guard !note.isPurged else { throw Problem.noteGone(note.id) }
        switch condition {
        case .unknown:
            throw Problem(
                .preconditionRequired,
                "there is a note '\(note.id)' already; send the ETag of the text that you changed as If-Match")
        case .isNew:
            throw Problem(.preconditionFailed, "there is a note '\(note.id)' already")
        case .base(let base):
            return try update(note, base: base, title: title.map(TextEdit.whole), body: body.map(TextEdit.whole))
        }
    }

    /// Puts a client's edits together with what others did since its base.
    func update(_ note: Note, base: Action.Base?, title: TextEdit?, body: TextEdit?) throws -> ActionResult {
        let baseText: NoteText? =
            switch base {
            case .revision(let revision): try text(of: note, at: revision)
            case .current: note.text
            case nil: nil
            }
        let mergedTitle = try merged(title, base: baseText?.title, current: note.text.title, member: "title")
        let mergedBody = try merged(body, base: baseText?.body, current: note.text.body, member: "body")
        let text = NoteText(title: mergedTitle?.text ?? note.text.title, body: mergedBody?.text ?? note.text.body)
        let isMerged = mergedTitle?.missing != nil || mergedBody?.missing != nil
        var result = try write(text, to: note, as: .updateNote, status: isMerged ? .merged : .applied)
        result.missingTitle = mergedTitle?.missing
        result.missingBody = mergedBody?.missing
        return result
    }

    private func merged(
        _ edit: TextEdit?, base: String?, current: String, member: String
    ) throws(Problem) -> MergedText? {
        guard let edit else {
            return base.map { MergedText(base: $0, current: current, mine: $0) }
        }
        guard let base = base ?? edit.base else {
            throw Problem(
                .invalidValue, "'\(member)' needs a 'base', the revision of the text that was edited, or a diff list")
        }
        return MergedText(base: base, current: current, mine: try edit.mine(from: base, member: member))
    }

    func restore(_ revision: Cursor?) throws -> ActionResult {
        let note = try existing()
        if let revision {
            let past = try text(of: note, at: revision)
            let isSame = past.title.isIdentical(to: note.text.title) && past.body.isIdentical(to: note.text.body)
            if !isSame { return try write(past, to: note, as: .restoreNote, status: .applied) }
        }
        guard note.isDeleted else {
            try recordUnchanged(note)
            return result(note)
        }
        return try setPlace(of: note, deleted: false, as: .restoreNote, restored: true)
    }

    func purge() throws -> ActionResult {
        let note = try existing()
        try connection.run(WriteStatements.deleteHistory, .bigint(account.id), .text(note.id))
        let change = Call(
            WriteStatements.purge, .bigint(account.id), .text(note.id), .bigint(Int64(note.text.bytes)),
            .text(action.id))
        var result = ActionResult(status: .applied, actionID: action.id, noteID: note.id)
        result.tombstone = try Note(try connection.runLast(change).single("notes"))
        return result
    }

    /// Writes new texts, as far as they are new, and takes the note out of the trash if they are.
    private func write(
        _ text: NoteText, to note: Note, as kind: Action.Kind, status: ActionResult.Status
    ) throws -> ActionResult {
        let title = text.title.isIdentical(to: note.text.title) ? nil : text.title
        let body = text.body.isIdentical(to: note.text.body) ? nil : text.body
        guard title != nil || body != nil else {
            try recordUnchanged(note, status: status)
            return result(note, status: status)
        }
        let growth = text.bytes - note.text.bytes
        try check(text, growth: growth)
        let change = Call(
            WriteStatements.changeText, .bigint(account.id), .text(note.id), .text(title), .text(body),
            .bigint(Int64(growth)), .text(kind.rawValue), .text(action.id), .text(status.rawValue),
            .boolean(note.isDeleted))
        var result = result(try Note(try connection.runLast(change).single("notes")), status: status)
        result.isRestored = note.isDeleted
        return result
    }
}
