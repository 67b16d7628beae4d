internal import AlmanacRevisions

// Responses of the server.
extension NoteRecord {
    /// The server's result of an action.
    enum ActionOutcome: Sendable {
        case accepted(ServerState)
        case rejected(StoredNote.Problem)
    }

    /// The note's state on the server after this device's action.
    struct ServerState: Sendable {
        let cursor: Cursor
        /// The server's text; nil if it equals the sent text.
        var text: StoredNote.Text?
        var isInTrash = false
        /// True if the note was removed permanently since.
        var isPurged = false
    }

    /// The decision to keep or remove a record.
    enum Disposition: Sendable, Equatable {
        case keep
        /// The record holds nothing of value any more.
        case remove
    }

    /// Applies the result of the pending action. A result of another action is a duplicate and is ignored.
    mutating func receive(_ outcome: ActionOutcome, ofAction id: String) -> Disposition {
        guard let action = pendingAction, action.id == id else { return .keep }
        pendingAction = nil
        switch outcome {
        case .accepted where action.kind == .purge: return .remove
        case .accepted(let state) where state.isPurged:
            return reject(StoredNote.Problem(type: Self.goneType, detail: "the note was removed permanently"), action)
        case .accepted(let state): accept(state, action)
        case .rejected(let problem): return reject(problem, action)
        }
        return .keep
    }

    private mutating func accept(_ state: ServerState, _ action: PendingAction) {
        switch action.kind {
        case .purge: break
        case .create, .update, .spelledUpdate:
            spellsBase = false
            adopt(state, sent: action.text)
        case .delete:
            if state.isInTrash {
                isInServersTrash = true
                lastReceived = max(lastReceived, state.cursor.revision)
            } else {
                // Another device's edit, which the deleting device had not seen, has restored the note.
                isInTrash = false
                if state.text != nil { adopt(state, sent: action.text) }
            }
        case .restore:
            // The text arrives with the next change.
            isInServersTrash = state.isInTrash
            if state.isInTrash { moveToTrash() }
        case .move:
            guard pendingMove?.number == action.moveNumber else { break }
            if state.cursor.revision > lastReceived {
                pendingMove?.acknowledged = state.cursor.revision
            } else {
                pendingMove = nil
            }
        }
        applyWaitingChange()
    }

    private mutating func reject(_ problem: StoredNote.Problem, _ action: PendingAction) -> Disposition {
        let isGone = problem.type == Self.goneType
        if place == .removed, isGone || shadow == nil && problem.type != Self.existsType { return .remove }
        switch action.kind {
        case .move:
            // The target note is gone, so the note stays at the server's position.
            if pendingMove?.number == action.moveNumber { pendingMove = nil }
        case .delete where isGone:
            if isInTrash { return .remove }
            self.problem = problem
        case .create where problem.type == Self.existsType && deferredChange?.text != nil:
            // An earlier copy of this action created the note, but its response was lost; or another device created the
            // note of the same derived id, whose text has no common base with this one.
            if let change = deferredChange, let text = change.text {
                deferredChange = nil
                let base = hasDerivedID && text != action.text ? StoredNote.Text() : action.text
                adopt(text, change.cursor, isInTrash: false, mergingFrom: base, position: change.position)
            }
        case .update where Self.baseProblems.contains(problem.type): spellsBase = true
        case .purge:
            // Show the note in the trash again, so that the user can retry.
            place = .trash
        case .create, .update, .spelledUpdate, .restore, .delete:
            if isGone, isInTrash { return .remove }
            if place != .removed { self.problem = problem }
        }
        applyWaitingChange()
        return .keep
    }

    /// True if each device derives the id alike: a UUID of version 8. Random ids have version 4.
    private var hasDerivedID: Bool { id.prefixMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8/) != nil }

    /// The problem type for a note that already exists on the server.
    private static let existsType = "note-exists"

    /// The problem types for a base revision that the server does not have.
    private static let baseProblems: Set = ["resync", "revision-not-kept", "delta-mismatch"]

    /// Receives a change by another device. The change waits while an action is pending.
    mutating func receive(_ change: RemoteChange) {
        let revision = change.cursor.revision
        guard revision >= lastReceived else { return }
        if pendingAction != nil {
            if revision >= deferredChange?.cursor.revision ?? 0 { deferredChange = change }
        } else {
            apply(change)
        }
    }

    private mutating func applyWaitingChange() {
        guard let change = deferredChange else { return }
        deferredChange = nil
        apply(change)
    }

    private mutating func apply(_ change: RemoteChange) {
        let revision = change.cursor.revision
        if revision == lastReceived, shadow?.cursor.lineage == change.cursor.lineage || change.text == nil {
            // This revision is the result of an own action, so the change only adds the note's position.
            applyPosition(change.position, at: revision)
            return
        }
        guard revision > lastReceived else { return }
        if let text = change.text {
            // The creation of this note was never acknowledged, so the two texts have no known common base.
            let base = shadow?.text ?? (text == self.text ? text : StoredNote.Text())
            adopt(text, change.cursor, isInTrash: false, mergingFrom: base, position: change.position)
            problem = nil
        } else {
            lastReceived = revision
            applyServerTrash()
        }
    }

    private mutating func adopt(_ state: ServerState, sent: StoredNote.Text) {
        adopt(state.text ?? sent, state.cursor, isInTrash: state.isInTrash, mergingFrom: sent, position: nil)
    }

    /// Replaces the shadow with the server's text and merges the local changes into it.
    ///
    /// - Parameter base: the common base of the server's text and the local text.
    private mutating func adopt(
        _ server: StoredNote.Text, _ cursor: Cursor, isInTrash isTrash: Bool, mergingFrom base: StoredNote.Text,
        position: String?
    ) {
        let merged = StoredNote.Text.merged(base: base, theirs: server, mine: text)
        let bringsBack = !merged.hasSameTitleAndBody(as: text) || isInServersTrash
        text = merged
        shadow = Shadow(text: server, cursor: cursor)
        lastReceived = max(lastReceived, cursor.revision)
        if isTrash {
            applyServerTrash()
        } else {
            isInServersTrash = false
            // An edit wins over a deletion by a device that had not seen the edit.
            if bringsBack { isInTrash = false }
        }
        applyPosition(position, at: cursor.revision)
    }

    /// Records that the note is in the server's trash. On the first such change, a note without an unsent title or body
    /// is moved to the trash here too. Later changes leave a note that the user has restored in the list.
    private mutating func applyServerTrash() {
        let isNews = !isInServersTrash
        isInServersTrash = true
        if isNews, !hasUnsentText { moveToTrash() }
    }

    private mutating func applyPosition(_ position: String?, at revision: Int64) {
        guard let position else { return }
        self.position = position
        if let acknowledged = pendingMove?.acknowledged, acknowledged <= revision { pendingMove = nil }
    }
}

// Recovery after the server's history was lost or replaced.
extension NoteRecord {
    /// True if the note may be removed from the list when the server no longer lists it.
    var mayLeaveList: Bool { shadow != nil && isClean && pendingAction == nil && !isInTrash && problem == nil }

    /// Resets the received revision, so that the server's next state is accepted whatever its revision is.
    ///
    /// - Parameter lineage: the next states' lineage. If it is also the shadow's, older states are still ignored.
    mutating func forgetHistory(before lineage: String? = nil) {
        let known = shadow?.cursor
        lastReceived = lineage != nil && known?.lineage == lineage ? known?.revision ?? 0 : 0
        deferredChange = nil
        if pendingMove?.acknowledged != nil { pendingMove = nil }
    }

    /// Moves a note that the server no longer lists to the trash.
    mutating func leaveList() {
        moveToTrash()
        isInServersTrash = true
    }

    /// Keeps a note that the server no longer lists, so that it is sent again.
    mutating func stayInList() {
        shadow = nil
        isInServersTrash = false
        position = nil
        forgetHistory()
    }
}
