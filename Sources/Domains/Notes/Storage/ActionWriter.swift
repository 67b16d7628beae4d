internal import AlmanacEnvironments
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// Applies a user's actions, each in its own transaction.
///
/// The transaction first locks the account. Therefore revisions have no gaps and commit in order, and no two copies of
/// an action run at once.
final class ActionWriter {
    private let connection: Connection
    private let user: VerifiedUser
    private let limits: Limits
    /// The account after the last committed change.
    private(set) var newest: AccountState?
    /// The account after the last action; nil if the action was rejected, because then its state is unknown.
    private(set) var current: AccountState?

    init(_ connection: Connection, _ user: VerifiedUser, _ limits: Limits) {
        self.connection = connection
        self.user = user
        self.limits = limits
    }

    /// Applies one action.
    ///
    /// - Throws: only errors unrelated to the action, such as a lost database connection.
    func perform(_ request: ActionRequest) throws -> ActionResult {
        current = nil
        return switch request {
        case .valid(let action): try perform(action)
        case .refused(let refusal, let actionID, let noteID): .rejected(refusal, actionID: actionID, noteID: noteID)
        }
    }

    private func perform(_ action: Action) throws -> ActionResult {
        do {
            let (account, result) = try apply(action)
            if let note = result.note ?? result.tombstone, note.revision > account.revision {
                newest = AccountState(account, after: note)
                current = newest
            } else {
                current = AccountState(account)
            }
            return result
        } catch let refusal as NotesRefusal {
            return .rejected(refusal, actionID: action.id, noteID: action.noteID)
        } catch let failure as PostgresFailure where failure.state == .programLimitExceeded {
            return .rejected(.tooManyWords, actionID: action.id, noteID: action.noteID)
        }
    }

    /// - Returns: the account before the action, and the action's result.
    private func apply(_ action: Action) throws -> (Account, ActionResult) {
        let find = NoteStatements.state(of: user, noteID: action.noteID, actionID: action.id)
        return try connection.change(opening: [AccountStatements.lock(user), find]) { connection, rows in
            let account: Account
            let found: Rows
            if let row = rows[0].first {
                (account, found) = (try Account(row), rows[1])
            } else {
                account = try AccountStatements.lockOrMake(user, on: connection)
                found = try connection.run(find)
            }
            var state = try NoteState(try found.single("accounts"), in: account)
            try read(state.need(of: action), for: action, into: &state)
            if let revision = state.metadataNeed(of: action) {
                state.historicalMetadata = try NoteStatements.metadata(
                    of: action.noteID, at: revision, in: account, on: connection)
            }
            let plan = try ActionPlan(action, on: state, limits: limits)
            try makeRoom(for: plan, of: action, in: account)
            return (account, plan.result(of: action, note: try write(plan, of: action, in: account)))
        }
    }

    /// Thins out the history if the plan's texts would make it too large.
    ///
    /// Only a restored text is refused for lack of room, because it is never thinned out; an edit's text can be.
    private func makeRoom(for plan: ActionPlan, of action: Action, in account: Account) throws {
        guard let growth = HistoryBudget.growth(of: plan) else { return }
        var account = account
        if account.historyBytes == nil {
            let row = try connection.run(WriteStatements.countHistory(of: account)).single("accounts")
            account.historyBytes = try row.bigint("history_bytes")
        }
        let limit = HistoryBudget.limit(of: account, after: growth, limits)
        let excess = HistoryBudget.excess(of: account, after: growth, limit: limit)
        if excess > 0 {
            let maxRows = action.source == nil ? HistoryBudget.maxRowsForEdit : HistoryBudget.maxRowsForRestore
            let wanted = excess + min(HistoryBudget.extraFreedBytes, limit / 16)
            let row = try connection.run(WriteStatements.thinHistory(of: account, by: wanted, maxRows: maxRows)).single(
                "accounts")
            if action.source != nil, try row.bigint("freed") < excess {
                throw NotesRefusal.historyTooLarge(limit: limit)
            }
        }
        if let source = action.source {
            try connection.run(WriteStatements.supersede(source: source, of: action.noteID, in: account))
        }
    }

    private func read(_ need: NoteState.Need?, for action: Action, into state: inout NoteState) throws {
        switch need {
        case nil: break
        case .earlierNote(let id):
            state.earlierNote = try connection.run(NoteStatements.find(id, in: state.account)).first.map {
                try Note($0)
            }
        case .historicalText(let revision):
            state.historicalText = try NoteStatements.text(
                of: action.noteID, at: revision, in: state.account, on: connection)
        case .neighbours(let place):
            state.neighbours = try NoteStatements.neighbours(
                at: place, excluding: action.noteID, in: state.account, on: connection)
        }
    }

    /// - Returns: the action's note after the write.
    private func write(_ plan: ActionPlan, of action: Action, in account: Account) throws -> Note? {
        let change: Call
        switch plan.write {
        case .duplicate(_, let note): return note
        case .unchanged(let note):
            if let id = action.id {
                _ = try connection.runAndCommit(
                    WriteStatements.record(actionID: id, of: note, status: plan.status, in: account))
            }
            return note
        case .create(let text, let position):
            change = WriteStatements.create(text, plan.metadata, position: position, by: action, in: account)
        case .changeText(let title, let body, let growth, let kind):
            change = WriteStatements.changeText(
                title: title, body: body, plan.metadata, growth: growth, as: kind, status: plan.status,
                isRestored: plan.isRestored, from: action.source, by: action, in: account)
        case .changePlace(let position, let isDeleted, let kind):
            change = WriteStatements.changePlace(
                position: position, isDeleted: isDeleted, as: kind, status: plan.status, isRestored: plan.isRestored,
                by: action, in: account)
        case .purge(let bytes):
            try connection.run(WriteStatements.deleteHistory(of: action.noteID, in: account))
            change = WriteStatements.purge(bytes: bytes, by: action, in: account)
        }
        let references = plan.references
        let first =
            references.isEmpty
            ? [] : [WriteStatements.nameAttachments(references, of: action.noteID, in: account)]
        guard plan.renumbersList else {
            return try Note(try connection.runAndCommit(change, after: first).single("notes"))
        }
        for call in first + [change] { try connection.run(call) }
        try WriteStatements.renumberList(of: account, on: connection)
        return try Note(try connection.runAndCommit(NoteStatements.find(action.noteID, in: account)).single("notes"))
    }
}
