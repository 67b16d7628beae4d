internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacPOSIX
internal import AlmanacRevisions
internal import AlmanacTimestamps
internal import TextMerge

/// The effect of one action, decided without I/O: the rows to write, and the result to send.
struct ActionPlan: Sendable {
    let write: Write
    /// The note's new metadata; nil if it stays unchanged.
    private(set) var metadata: NoteMetadata?
    /// The change of the attachments that the note's body names.
    private(set) var references = ReferenceChange()
    private(set) var status = ActionResult.Status.applied
    /// True if the action took the note out of the trash or prevented its deletion.
    private(set) var isRestored = false
    /// The changes that the client's own texts lack.
    private(set) var missingTitle: Delta?
    private(set) var missingBody: Delta?

    enum Write: Sendable {
        /// Writes nothing, because the action took effect before. The note is in its current state.
        case duplicate(AppliedAction, Note?)
        /// Records only the action's id, because the note already has the requested state.
        case unchanged(Note)
        case create(NoteText, position: String)
        /// Changes texts, and takes the note out of the trash. A nil text stays unchanged. If both are nil, only the
        /// metadata changes, and the note stays where it is.
        case changeText(title: String?, body: String?, growth: Int, as: Action.Kind)
        /// Moves the note, or puts it into or takes it out of the trash. A nil position stays unchanged.
        case changePlace(position: String?, isDeleted: Bool, as: Action.Kind)
        /// Replaces a note of this size with a tombstone.
        case purge(bytes: Int)
    }

    /// True if the write makes the note's position too long, so that the whole list is renumbered.
    var renumbersList: Bool {
        switch write {
        case .create(_, let position), .changePlace(let position?, _, _): ListPosition.isTooLong(position)
        default: false
        }
    }

    /// - Parameter state: contains everything that the action needs (`NoteState.need(of:)`).
    init(_ action: Action, on state: NoteState, limits: Limits) throws(NotesRefusal) {
        if let earlier = state.earlier {
            let note = earlier.noteID == action.noteID ? state.note : state.earlierNote
            self.init(.duplicate(earlier, note), .duplicate)
        } else {
            self = try Decision(action: action, state: state, limits: limits).plan()
        }
    }

    fileprivate init(_ write: Write, _ status: ActionResult.Status = .applied, isRestored: Bool = false) {
        self.write = write
        self.status = status
        self.isRestored = isRestored
    }

    /// Returns the plan with new metadata.
    fileprivate func settingMetadata(_ metadata: NoteMetadata?) -> ActionPlan {
        var plan = self
        plan.metadata = metadata
        return plan
    }

    /// Returns the plan with a change of the attachments that the body names.
    fileprivate func changing(_ references: ReferenceChange) -> ActionPlan {
        var plan = self
        plan.references = references
        return plan
    }

    /// Returns the plan with the outcome of a merge.
    fileprivate func merged(_ title: MergedText?, _ body: MergedText?, _ status: ActionResult.Status) -> ActionPlan {
        var plan = self
        plan.status = status
        plan.missingTitle = title?.missing
        plan.missingBody = body?.missing
        return plan
    }

    /// Returns the client's result of the written plan.
    ///
    /// - Parameter note: the note after the write.
    func result(of action: Action, note: Note?) -> ActionResult {
        switch write {
        case .duplicate(let earlier, _):
            return ActionResult(
                status: status, actionID: action.id, noteID: earlier.noteID, note: note?.isPurged == true ? nil : note,
                originalEffect: earlier.originalEffect)
        case .purge: return ActionResult(status: status, actionID: action.id, noteID: action.noteID, tombstone: note)
        case .unchanged, .create, .changeText, .changePlace:
            var result = ActionResult(
                status: status, actionID: action.id, noteID: action.noteID, note: note, isRestored: isRestored,
                missingTitle: missingTitle, missingBody: missingBody)
            if case .create = write { result.isCreated = true }
            return result
        }
    }
}

/// The inputs of a plan for an action that is no retry: the action, the stored state and the limits.
private struct Decision {
    let action: Action
    let state: NoteState
    let limits: Limits

    func plan() throws(NotesRefusal) -> ActionPlan {
        switch action.change {
        case .create(let text, let place): try create(text, at: place)
        case .update(let base, let title, let body): try update(try existing(), base: base, title: title, body: body)
        case .put(let title, let body, let condition): try put(title: title, body: body, condition)
        case .move(let place): try move(try existing(), to: place)
        case .delete(let base): try delete(try existing(), base: base)
        case .restore(let revision): try restore(try existing(), to: revision)
        case .purge: ActionPlan(.purge(bytes: try existing().bytes))
        }
    }

    /// Returns the action's note, from the list or the trash.
    private func existing() throws(NotesRefusal) -> Note {
        guard let note = state.note, !note.isPurged else { throw .noteGone(action.noteID) }
        if let date = action.unmodifiedSince, note.lastModified.isAfter(date) { throw .changedSince(note.id) }
        return note
    }

    private func create(_ text: NoteText, at place: Action.Place) throws(NotesRefusal) -> ActionPlan {
        if let note = state.note {
            throw note.isPurged ? NotesRefusal.noteGone(note.id) : .noteExists(note.id, isInTrash: note.isDeleted)
        }
        let metadata = try metadata(of: nil, since: nil)
        try check(text, growth: text.bytes + (metadata?.tags.bytes ?? 0), isNew: true)
        return ActionPlan(.create(text, position: try neighbours(at: place).middle)).settingMetadata(metadata)
            .changing(try references(from: "", to: text.body))
    }

    private func put(title: String?, body: String?, _ condition: Action.PutCondition) throws(NotesRefusal) -> ActionPlan
    {
        if state.note == nil {
            if case .base = condition { throw .noteGone(action.noteID) }
            return try create(NoteText(title: title ?? "", body: body ?? ""), at: .last)
        }
        let note = try existing()
        switch condition {
        case .unknown: throw .preconditionRequired(note.id)
        case .isNew: throw .preconditionFailed(note.id)
        case .base(let base):
            return try update(note, base: base, title: title.map(TextEdit.whole), body: body.map(TextEdit.whole))
        }
    }

    /// Merges a client's edits with the changes made since their base.
    private func update(
        _ note: Note, base: Action.Base?, title: TextEdit?, body: TextEdit?
    ) throws(NotesRefusal) -> ActionPlan {
        let baseText: NoteText? =
            switch base {
            case .revision(let revision): try text(of: note, at: revision)
            case .current: note.text
            case nil: nil
            }
        let mergedTitle = try merge(title, base: baseText?.title, current: note.text.title, .title)
        let mergedBody = try merge(body, base: baseText?.body, current: note.text.body, .body)
        let text = NoteText(title: mergedTitle?.text ?? note.text.title, body: mergedBody?.text ?? note.text.body)
        let isMerged = mergedTitle?.missing != nil || mergedBody?.missing != nil
        return try change(note, to: text, metadata: try metadata(of: note, since: base), as: .updateNote)
            .merged(mergedTitle, mergedBody, isMerged ? .merged : .applied)
    }

    /// Returns the note's metadata after the action; nil if it stays unchanged.
    ///
    /// - Parameter base: the state that the client had seen; nil is the newest.
    private func metadata(of note: Note?, since base: Action.Base?) throws(NotesRefusal) -> NoteMetadata? {
        guard !action.metadata.isEmpty else { return nil }
        let present = note?.metadata ?? NoteMetadata()
        var seen: Int64?
        var known: NoteMetadata? = present
        if let note, case .revision(let cursor) = base {
            try state.account.check(cursor)
            seen = cursor.revision
            if cursor.revision < note.revision { known = state.historicalMetadata }
        }
        let metadata = try action.metadata.applied(
            to: present, base: seen, known: known, at: state.account.revision + 1)
        return metadata == present ? nil : metadata
    }

    /// Merges one text of a note with an edit; nil if there is no edit and no base to compare with.
    private func merge(
        _ edit: TextEdit?, base: String?, current: String, _ member: NoteText.Member
    ) throws(NotesRefusal) -> MergedText? {
        guard let edit else {
            return base.map { MergedText(base: $0, current: current, mine: $0) }
        }
        guard let base = base ?? edit.base else { throw .baseMissing(member) }
        return MergedText(base: base, current: current, mine: try edit.applied(to: base, member))
    }

    private func restore(_ note: Note, to revision: Cursor?) throws(NotesRefusal) -> ActionPlan {
        if let revision {
            let text = try text(of: note, at: revision)
            if text != note.text { return try change(note, to: text, metadata: nil, as: .restoreNote) }
        }
        guard note.isDeleted else { return ActionPlan(.unchanged(note)) }
        return ActionPlan(.changePlace(position: nil, isDeleted: false, as: .restoreNote), isRestored: true)
    }

    private func text(of note: Note, at revision: Cursor) throws(NotesRefusal) -> NoteText {
        try note.text(at: revision, in: state.account, historical: state.historicalText)
    }

    /// Plans the write of texts that differ from the note's. New texts take the note out of the trash.
    ///
    /// - Parameter metadata: nil if it stays unchanged.
    private func change(
        _ note: Note, to text: NoteText, metadata: NoteMetadata?, as kind: Action.Kind
    ) throws(NotesRefusal) -> ActionPlan {
        let title = text.title.hasSameBytes(as: note.text.title) ? nil : text.title
        let body = text.body.hasSameBytes(as: note.text.body) ? nil : text.body
        let isTextNew = title != nil || body != nil
        guard isTextNew || metadata != nil else { return ActionPlan(.unchanged(note)) }
        let growth = text.bytes + (metadata ?? note.metadata).tags.bytes - note.bytes
        try check(text, growth: growth)
        let write = ActionPlan.Write.changeText(title: title, body: body, growth: growth, as: kind)
        return ActionPlan(write, isRestored: note.isDeleted && isTextNew).settingMetadata(metadata)
            .changing(try references(from: body == nil ? "" : note.text.body, to: body ?? ""))
    }

    /// Compares the attachments that two bodies name. Throws if the new body names too many.
    private func references(from old: String, to new: String) throws(NotesRefusal) -> ReferenceChange {
        let (old, new) = (AttachmentReferences.ids(in: old), AttachmentReferences.ids(in: new))
        if old == new { return ReferenceChange() }
        let change = ReferenceChange(
            added: Set(new).subtracting(old).sorted(), removed: Set(old).subtracting(new).sorted())
        guard change.added.isEmpty || new.count <= AttachmentReferences.maxPerNote else {
            throw .tooManyAttachments(new.count)
        }
        return change
    }

    /// Throws if a text is too long or doesn't fit the account.
    private func check(_ text: NoteText, growth: Int, isNew: Bool = false) throws(NotesRefusal) {
        try check(text.title, .title, limit: limits.noteTitleBytes)
        try check(text.body, .body, limit: limits.noteBodyBytes)
        let account = state.account
        if isNew, account.notes >= limits.notes { throw .tooManyNotes(account.notes, limit: limits.notes) }
        let bytes = account.bytes + Int64(growth)
        if growth > 0, bytes > limits.accountBytes {
            throw .accountTooLarge(bytes: bytes, limit: limits.accountBytes)
        }
    }

    private func check(_ text: String, _ member: NoteText.Member, limit: Int) throws(NotesRefusal) {
        guard text.utf8.count <= limit else { throw .textTooLong(member, bytes: text.utf8.count, limit: limit) }
        guard !text.hasNUL else { throw .nulCharacter(member) }
    }

    private func move(_ note: Note, to place: Action.Place) throws(NotesRefusal) -> ActionPlan {
        let neighbours = try neighbours(at: place)
        if neighbours.enclose(note.position) { return ActionPlan(.unchanged(note)) }
        return ActionPlan(.changePlace(position: neighbours.middle, isDeleted: note.isDeleted, as: .moveNote))
    }

    /// Moves the note to the trash, unless its text was edited after the client's base.
    private func delete(_ note: Note, base: Cursor?) throws(NotesRefusal) -> ActionPlan {
        if let base { try state.account.check(base) }
        if note.isDeleted { return ActionPlan(.unchanged(note)) }
        if let base, note.textRevision > base.revision {
            // The new revision makes every device that has removed the note fetch it again.
            return ActionPlan(
                .changePlace(position: nil, isDeleted: false, as: .restoreNote), .merged, isRestored: true)
        }
        return ActionPlan(.changePlace(position: nil, isDeleted: true, as: .deleteNote))
    }

    private func neighbours(at place: Action.Place) throws(NotesRefusal) -> ListPosition.Neighbours {
        guard case .after(let id) = place else { return state.neighbours ?? ListPosition.Neighbours() }
        guard id != action.noteID else { throw .afterItself }
        guard let neighbours = state.neighbours else { throw .noteGone(id) }
        return neighbours
    }
}
