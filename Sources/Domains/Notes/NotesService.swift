public import AlmanacEnvironments
internal import AlmanacIdentity
public import AlmanacMetrics
public import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The notes of one environment in one worker. Nothing of them is kept in memory.
public final class NotesService: Sendable {
    /// The channel on which an account's new revision is announced after its commit, with the account's id as scope.
    public static let channel = "almanac_notes"

    let settings: EnvironmentSettings
    let pool: Pool
    private let notifier: Notifier
    private let outcomes: [ActionResult.Status: Counter]

    /// - Parameter actions: counts what becomes of actions.
    public init(
        settings: EnvironmentSettings, pool: Pool, notifier: Notifier, actions: Family<Counter> = Family(.notesActions)
    ) {
        self.settings = settings
        self.pool = pool
        self.notifier = notifier
        // All of them from the start: a counter that begins at its first event hides that event from a rate.
        outcomes = Dictionary(
            uniqueKeysWithValues: ActionResult.Status.allCases.map { status in
                (status, actions.member(settings.name.text, status.rawValue))
            })
    }

    var limits: Limits { settings.limits }

    /// Applies actions in their order, each in a transaction of its own, and tells everyone.
    ///
    /// A rejected action changes nothing and does not keep those after it from being applied.
    ///
    /// - Returns: how far the account is then, nil when there is none, and a result per action.
    func perform(
        _ actions: [ActionRequest], for user: VerifiedUser
    ) throws -> (account: AccountState?, results: [ActionResult]) {
        try pool.withConnection { connection in
            let writer = ActionWriter(connection, user, limits)
            var results: [ActionResult] = []
            // What was committed is announced also when a later action meets a database that has gone away.
            defer { if let newest = writer.newest { announce(newest.id, revision: newest.cursor.revision) } }
            for action in actions {
                let result = try writer.perform(action)
                outcomes[result.status]?.add()
                results.append(result)
            }
            if let current = writer.current { return (current, results) }
            let row = try connection.run(AccountStatements.find(user)).first
            return (try row.map { AccountState(try Account($0)) }, results)
        }
    }

    /// Tells everyone of what has been committed.
    func announce(_ accountID: Int64, revision: Int64) {
        notifier.announce(channel: Self.channel, scope: "\(accountID)", revision: revision)
    }
}
