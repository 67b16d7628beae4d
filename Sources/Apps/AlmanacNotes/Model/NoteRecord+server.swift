internal import AlmanacRevisions

// The responses of the server.
extension NoteRecord {
    /// The outcome of an action.
    enum ActionOutcome: Sendable {
        case accepted(ServerState)
        case rejected(StoredNote.Problem)
    }

    /// The state of the note on the server after an action of ours.
    struct ServerState: Sendable {
        let cursor: Cursor
        /// Nil where it is what was sent.
        var text: StoredNote.Text?
        var isInTrash = false
        /// It was removed for good since.
        var isPurged = false
    }

    /// Whether the record is kept.
    enum Disposition: Sendable, Equatable {
        case keep
        /// Nothing of it is worth keeping any more.
        case remove
    }

    /// Receives the outcome of an action; that of another action than the pending one is an old copy, and ignored.
    mutating func receive(_ outcome: ActionOutcome, ofAction id: String) -> Disposition {
        guard let action = pendingAction, action.id == id else { return .keep }
        pendingAction = nil
        switch outcome {
        case .accepted where action.kind == .purge: return .remove
        case .accepted(let state) where state.isPurged:
            return reject(StoredNote.Problem(type: Self.goneType, detail: "the note was removed for good"), action)
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
                // An edit that the deleter had not seen has brought it back.
                isInTrash = false
                if state.text != nil { adopt(state, sent: action.text) }
            }
        case .restore:
            // The text comes with the next change.
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
            // The place is gone; the note stays where the server has it.
            if pendingMove?.number == action.moveNumber { pendingMove = nil }
        case .delete where isGone:
            if isInTrash { return .remove }
            self.problem = problem
        case .create where problem.type == Self.existsType && waitingChange?.text != nil:
            // The result of an earlier copy got lost, and others have the note already.
            if let change = waitingChange, let text = change.text {
                waitingChange = nil
                adopt(text, change.cursor, isInTrash: false, mergingFrom: action.text, position: change.position)
            }
        case .update where Self.baseProblems.contains(problem.type):
            spellsBase = true
        case .purge:
            // Its user sees it again, and may try once more.
            place = .trash
        case .create, .update, .spelledUpdate, .restore, .delete:
            if isGone, isInTrash { return .remove }
            if place != .removed { self.problem = problem }
        }
        applyWaitingChange()
        return .keep
    }

    /// The type of the problem that the server has such a note already.
    private static let existsType = "note-exists"

    /// The server does not know, or not any more, the revision that an update was based on.
    private static let baseProblems: Set = ["resync", "revision-not-kept", "delta-mismatch"]

    /// Receives what others have changed; while an action is pending, that waits.
    mutating func receive(_ change: RemoteChange) {
        let revision = change.cursor.revision
        guard revision >= lastReceived else { return }
        if pendingAction != nil {
            if revision >= waitingChange?.cursor.revision ?? 0 { waitingChange = change }
        } else {
            apply(change)
        }
    }

    private mutating func applyWaitingChange() {
        guard let change = waitingChange else { return }
        waitingChange = nil
        apply(change)
    }

    private mutating func apply(_ change: RemoteChange) {
        let revision = change.cursor.revision
        if revision == lastReceived, shadow?.cursor.lineage == change.cursor.lineage || change.text == nil {
            // The state that this device knows as the outcome of an action, now with its place in the list.
            settle(change.position, at: revision)
            return
        }
        guard revision > lastReceived else { return }
        if let text = change.text {
            // A note of the same name whose creation the server never answered: nothing is known to be common.
            let base = shadow?.text ?? (text == self.text ? text : StoredNote.Text())
            adopt(text, change.cursor, isInTrash: false, mergingFrom: base, position: change.position)
            problem = nil
        } else {
            lastReceived = revision
            takeServersTrash()
        }
    }

    private mutating func adopt(_ state: ServerState, sent: StoredNote.Text) {
        adopt(state.text ?? sent, state.cursor, isInTrash: state.isInTrash, mergingFrom: sent, position: nil)
    }

    /// Takes a text of the server's, and puts what was written here on top of it.
    ///
    /// - Parameter base: what the server's text and the one here were both made from.
    private mutating func adopt(
        _ server: StoredNote.Text, _ cursor: Cursor, isInTrash isTrash: Bool, mergingFrom base: StoredNote.Text,
        position: String?
    ) {
        let merged = StoredNote.Text.merged(base: base, theirs: server, mine: text)
        let bringsBack = !merged.hasSameWords(as: text) || isInServersTrash
        text = merged
        shadow = Shadow(text: server, cursor: cursor)
        lastReceived = max(lastReceived, cursor.revision)
        if isTrash {
            takeServersTrash()
        } else {
            isInServersTrash = false
            // An edit that the deleter had not seen wins.
            if bringsBack { isInTrash = false }
        }
        settle(position, at: cursor.revision)
    }

    /// The server has the note in its trash; where that is known, whoever has taken it out since means it.
    private mutating func takeServersTrash() {
        let isNews = !isInServersTrash
        isInServersTrash = true
        if isNews, !hasUnsentWords { moveToTrash() }
    }

    private mutating func settle(_ position: String?, at revision: Int64) {
        guard let position else { return }
        self.position = position
        if let acknowledged = pendingMove?.acknowledged, acknowledged <= revision { pendingMove = nil }
    }
}

// When the histories of this device and the server have parted.
extension NoteRecord {
    /// Whether a server that does not list it any more may take it out of the list here.
    var mayLeaveList: Bool { shadow != nil && isClean && pendingAction == nil && !isInTrash && problem == nil }

    /// Forgets which revisions were received, so that the server's state is taken whatever its revision.
    ///
    /// - Parameter lineage: of a history that the text may be known of already; an older state of that is no news.
    mutating func forgetHistory(before lineage: String? = nil) {
        let known = shadow?.cursor
        lastReceived = lineage != nil && known?.lineage == lineage ? known?.revision ?? 0 : 0
        waitingChange = nil
        if pendingMove?.acknowledged != nil { pendingMove = nil }
    }

    /// The server does not list it any more, and neither does its user.
    mutating func leaveList() {
        moveToTrash()
        isInServersTrash = true
    }

    /// The server does not list it any more, and its user wants it there.
    mutating func stayInList() {
        shadow = nil
        isInServersTrash = false
        position = nil
        forgetHistory()
    }
}
