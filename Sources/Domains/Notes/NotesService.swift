public import AlmanacEnvironments
internal import AlmanacIdentity
public import AlmanacMetrics
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The notes of one environment in one worker. Nothing of them is kept in memory.
public final class NotesService: Sendable {
    /// The channel on which an account's new revision is announced after its commit, with the account's id as scope.
    public static let channel = "almanac_notes"

    private let settings: EnvironmentSettings
    let pool: Pool
    private let notifier: Notifier
    private let outcomes: [ActionResult.Status: Counter]
    private let batchTime: BatchTime

    /// - Parameters:
    ///   - actions: counts actions by what becomes of them.
    ///   - batchTime: how long a batch may take before the actions that are left are put off.
    public init(
        settings: EnvironmentSettings, pool: Pool, notifier: Notifier,
        actions: Family<Counter> = Family(.notesActions), batchTime: BatchTime = BatchTime()
    ) {
        self.batchTime = batchTime
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

    /// Applies actions in their order, each in a transaction of its own, and announces the account's new revision.
    ///
    /// A rejected action changes nothing and does not keep those after it from being applied. When the time of a batch
    /// is over, those that are left are not tried.
    ///
    /// - Parameters:
    ///   - isAbandoned: whether nobody waits for the results any more; asked between two actions.
    ///   - body: is given each action's result.
    /// - Returns: how far the account is then, nil when there is none.
    func perform(
        _ actions: [ActionRequest], for user: VerifiedUser, isAbandoned: () -> Bool = { false },
        _ body: (ActionResult) -> Void
    ) throws -> AccountState? {
        try pool.withConnection { connection in
            let writer = ActionWriter(connection, user, limits)
            let isOver = batchTime.start()
            // Committed changes are announced also when a later action meets a database that has gone away.
            defer { if let newest = writer.newest { announce(newest.id, revision: newest.cursor.revision) } }
            for (index, action) in actions.enumerated() {
                if index > 0, isOver() || isAbandoned() {
                    for action in actions[index...] { body(.postponed(action)) }
                    break
                }
                let result = try writer.perform(action)
                outcomes[result.status]?.add()
                body(result)
            }
            if let current = writer.current { return current }
            let row = try connection.run(AccountStatements.find(user)).first
            return try row.map { AccountState(try Account($0)) }
        }
    }

    /// The same, for few actions: their results as a whole.
    func perform(
        _ actions: [ActionRequest], for user: VerifiedUser
    ) throws -> (account: AccountState?, results: [ActionResult]) {
        var results: [ActionResult] = []
        let account = try perform(actions, for: user) { results.append($0) }
        return (account, results)
    }

    /// Reads one state of a user's notes.
    ///
    /// - Parameter body: is given nil for a user who has never changed anything, with the cursor of that state.
    func read<Result>(for user: VerifiedUser, _ body: (NotesReader?, Cursor) throws -> Result) throws -> Result {
        try pool.withConnection { connection in
            try connection.view(opening: [AccountStatements.find(user)]) { connection, rows in
                guard let account = try rows[0].first.map(Account.init) else {
                    return try body(nil, try AccountStatements.emptyCursor(on: connection))
                }
                return try body(NotesReader(account, on: connection), account.cursor)
            }
        }
    }

    /// Gathers the words of the notes that have changed since the last search, a megabyte of them after the other.
    func gatherWords(of user: VerifiedUser) throws {
        try pool.withConnection { connection in
            for _ in 0..<10 where try connection.run(ReadStatements.gatherWords(of: user)).isEmpty { return }
            throw NotesRefusal.wordsNotReady
        }
    }

    /// Erases everything that is kept of a user.
    func erase(_ user: VerifiedUser) throws {
        let erased = try pool.withConnection { connection in
            try connection.change(opening: [AccountStatements.lock(user)]) { connection, rows in
                let account = try rows[0].first.map(Account.init)
                try connection.run(SessionErasure.call(for: user))
                if let account {
                    try AccountStatements.erase(account, on: connection)
                    // By the word that cursors have: the name goes with the account.
                    try connection.run(
                        AuditStatements.record(.accountErase, by: Author(account.word, .user), subject: account.word))
                }
                return account
            }
        }
        if let erased { announce(erased.id, revision: erased.revision + 1) }
    }

    private func announce(_ accountID: Int64, revision: Int64) {
        notifier.announce(channel: Self.channel, scope: "\(accountID)", revision: revision)
    }
}

/// How long the actions of one batch may take together.
public struct BatchTime: Sendable {
    /// By the clock.
    private let elapsed: Duration
    /// Of a processor, in the worker, so that merges of large texts hold no thread for seconds.
    private let computing: Duration

    public init(elapsed: Duration = .seconds(5), computing: Duration = .milliseconds(150)) {
        (self.elapsed, self.computing) = (elapsed, computing)
    }

    /// Begins to measure on the calling thread.
    ///
    /// - Returns: whether the time is over, when called on the same thread.
    func start() -> () -> Bool {
        let end = ContinuousClock.now + elapsed
        let lastNanosecond = ThreadClock.nanoseconds + Int(computing / .nanoseconds(1))
        return { .now >= end || ThreadClock.nanoseconds >= lastNanosecond }
    }
}
