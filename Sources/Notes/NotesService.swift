public import Environments
public import PostgreSQL

/// The notes of one environment in one worker. Nothing of them is kept in memory.
public final class NotesService: Sendable {
    /// The channel on which an account's new revision is announced after its commit, with the account's id as scope.
    public static let channel = "almanac_notes"

    let settings: EnvironmentSettings
    let pool: Pool
    private let notifier: Notifier

    public init(settings: EnvironmentSettings, pool: Pool, notifier: Notifier) {
        self.settings = settings
        self.pool = pool
        self.notifier = notifier
    }

    var limits: Limits { settings.limits }

    /// Applies actions in their order, each in a transaction of its own, and tells everyone.
    ///
    /// A rejected action changes nothing and does not keep those after it from being applied.
    ///
    /// - Returns: the account as it is then, nil when there is none, and a result per action.
    func perform(_ actions: [ActionRequest], for user: VerifiedUser) throws -> (account: Account?, results: [ActionResult]) {
        try pool.withConnection { connection in
            let writer = ActionWriter(connection, user, limits)
            var results: [ActionResult] = []
            // What was committed is announced also when a later action meets a database that has gone away.
            defer { if let newest = writer.newest { announce(newest) } }
            for action in actions { results.append(try writer.perform(action)) }
            return (try AccountStatements.find(user, on: connection), results)
        }
    }

    /// Tells everyone of what has been committed.
    func announce(_ account: AccountRevision) {
        notifier.announce(channel: Self.channel, scope: "\(account.id)", revision: account.revision)
    }
}
