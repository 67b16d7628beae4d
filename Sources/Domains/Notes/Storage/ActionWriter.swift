internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacPostgreSQL

/// Applies a user's actions: one transaction each, which first locks the account, so that revisions have no gaps and
/// commit in order, and an action id is never looked up while another copy of the action is at work.
final class ActionWriter {
    private let connection: Connection
    private let user: VerifiedUser
    private let limits: Limits
    /// The account after the last change that was committed here.
    private(set) var newest: AccountState?
    /// The account after the last action; nil when that was rejected, so that nothing is known of it.
    private(set) var current: AccountState?

    init(_ connection: Connection, _ user: VerifiedUser, _ limits: Limits) {
        self.connection = connection
        self.user = user
        self.limits = limits
    }

    /// Applies one action.
    ///
    /// - Throws: only what says nothing about the action itself, such as a database that is away.
    func perform(_ request: ActionRequest) throws -> ActionResult {
        current = nil
        return switch request {
        case .valid(let action): try perform(action)
        case .refused(let problem, let actionID, let noteID): .rejected(problem, actionID: actionID, noteID: noteID)
        }
    }

    private func perform(_ action: Action) throws -> ActionResult {
        do {
            let situation = Call(
                NoteStatements.situation, .text(user.issuer), .text(user.subject), .text(action.noteID),
                .text(action.id))
            let (account, result) = try connection.transaction(opening: [AccountStatements.lock(user), situation]) {
                connection, rows in
                let account: Account
                let found: Row
                if let row = rows[0].first {
                    (account, found) = (try Account(row), try rows[1].single("accounts"))
                } else {
                    account = try AccountStatements.lockOrMake(user, on: connection)
                    found = try connection.run(situation).single("accounts")
                }
                let step = ActionStep(
                    action: action, account: account, situation: try Situation(found), limits: limits,
                    connection: connection)
                return (account, try step.repeated() ?? step.apply())
            }
            if let note = result.note ?? result.tombstone, note.revision > account.revision {
                newest = AccountState(account, after: note)
                current = newest
            } else {
                current = AccountState(account)
            }
            return result
        } catch let problem as Problem {
            return .rejected(problem, actionID: action.id, noteID: action.noteID)
        } catch let failure as PostgresFailure where failure.state == .programLimitExceeded {
            let problem = Problem(.limitExceeded, "the text has too many different words for the full-text search")
            return .rejected(problem, actionID: action.id, noteID: action.noteID)
        }
    }
}
