internal import Environments
internal import HTTP
internal import PostgreSQL

/// Applies a user's actions: one transaction each, which first locks the account, so that revisions have no gaps and
/// commit in order, and an action id is never looked up while another copy of the action is at work.
final class ActionWriter {
    private let connection: Connection
    private let user: VerifiedUser
    private let limits: Limits
    /// The last revision that was committed here.
    private(set) var newest: AccountRevision?

    init(_ connection: Connection, _ user: VerifiedUser, _ limits: Limits) {
        self.connection = connection
        self.user = user
        self.limits = limits
    }

    /// Applies one action.
    ///
    /// - Throws: only what says nothing about the action itself, such as a database that is away.
    func perform(_ request: ActionRequest) throws -> ActionResult {
        switch request {
        case .valid(let action): try perform(action)
        case .refused(let problem, let actionID, let noteID): .rejected(problem, actionID: actionID, noteID: noteID)
        }
    }

    private func perform(_ action: Action) throws -> ActionResult {
        do {
            let (account, result) = try connection.transaction { connection in
                let account = try AccountStatements.lockOrMake(user, on: connection)
                let step = ActionStep(action: action, account: account, limits: limits, connection: connection)
                return (account, try step.repeated() ?? step.apply())
            }
            if let revision = result.note?.revision ?? result.purgedRevision, revision > account.revision {
                newest = AccountRevision(id: account.id, revision: revision)
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
