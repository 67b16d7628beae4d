internal import AlmanacAttachments
public import AlmanacEnvironments
internal import AlmanacIdentity
public import AlmanacMetrics
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacRevisions

/// The notes of one environment in one worker, without a cache.
public final class NotesService: Sendable {
    /// The channel that announces an account's new revision after its commit; the scope is the account's id.
    public static let channel = "almanac_notes"

    private let settings: EnvironmentSettings
    let pool: Pool
    let stores: BlobStores
    public let attachmentMetrics: AttachmentMetrics
    private let notifier: Notifier
    private let outcomes: [ActionResult.Status: Counter]
    private let batchTime: BatchTime

    /// - Parameters:
    ///   - actions: counts actions by their status.
    ///   - batchTime: the time budget of a batch; the actions left after it are postponed.
    public init(
        settings: EnvironmentSettings, pool: Pool, notifier: Notifier,
        actions: Family<Counter> = Family(.notesActions), batchTime: BatchTime = BatchTime()
    ) {
        self.batchTime = batchTime
        self.settings = settings
        self.pool = pool
        self.notifier = notifier
        attachmentMetrics = AttachmentMetrics(settings.name)
        stores = BlobStores(settings)
        // Creates every counter from the start, because a rate misses the first event of a new counter.
        outcomes = Dictionary(
            uniqueKeysWithValues: ActionResult.Status.allCases.map { status in
                (status, actions.member(settings.name.text, status.rawValue))
            })
    }

    var limits: Limits { settings.limits }

    /// Applies actions in their order, each in its own transaction, and announces the account's new revision.
    ///
    /// A rejected action changes nothing, and later actions are still applied. When the batch's time is used up, the
    /// remaining actions are postponed.
    ///
    /// - Parameters:
    ///   - isAbandoned: returns true if the client has disconnected; called between two actions.
    ///   - body: receives each action's result.
    /// - Returns: the account's state afterwards; nil if there is no account.
    func perform(
        _ actions: [ActionRequest], for user: VerifiedUser, isAbandoned: () -> Bool = { false },
        _ body: (ActionResult) -> Void
    ) throws -> AccountState? {
        try pool.withConnection { connection in
            let writer = ActionWriter(connection, user, limits)
            let isOver = batchTime.start()
            // Committed changes are announced even if a later action fails because the database is gone.
            defer { if let newest = writer.newest { announce(newest.id, revision: newest.cursor.revision) } }
            for (index, action) in actions.enumerated() {
                if index > 0, isOver(action.comparesTexts) || isAbandoned() {
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

    /// Applies a few actions and returns their results together.
    func perform(
        _ actions: [ActionRequest], for user: VerifiedUser
    ) throws -> (account: AccountState?, results: [ActionResult]) {
        var results: [ActionResult] = []
        let account = try perform(actions, for: user) { results.append($0) }
        return (account, results)
    }

    /// Reads one snapshot of a user's notes.
    ///
    /// - Parameter body: receives a reader, nil for a user who has never changed anything, and the snapshot's cursor.
    func read<Result>(for user: VerifiedUser, _ body: (NotesReader?, Cursor) throws -> Result) throws -> Result {
        try pool.withConnection { try $0.read(for: user, body) }
    }

    /// Indexes the words of the notes that changed since the last search, a megabyte at a time.
    func indexWords(of user: VerifiedUser) throws {
        try pool.withConnection { connection in
            for _ in 0..<10 where try connection.run(ReadStatements.indexWords(of: user)).isEmpty { return }
            throw NotesRefusal.wordsNotReady
        }
    }

    /// Erases the user's stored data.
    func erase(_ user: VerifiedUser) throws {
        let erased = try pool.withConnection { try $0.erase(user, by: nil) }
        if let erased { announce(erased.id, revision: erased.revision + 1) }
    }

    func announce(_ accountID: Int64, revision: Int64) {
        notifier.announce(channel: Self.channel, scope: "\(accountID)", revision: revision)
    }
}

/// The time budget of one batch.
public struct BatchTime: Sendable {
    /// The wall-clock time.
    private let elapsed: Duration
    /// The CPU time in the worker.
    private let computing: Duration
    /// The CPU time after which no action starts that compares texts, because one such action takes up to 200 ms.
    private let comparing: Duration

    public init(
        elapsed: Duration = .seconds(5), computing: Duration = .milliseconds(150),
        comparing: Duration = .milliseconds(50)
    ) {
        (self.elapsed, self.computing, self.comparing) = (elapsed, computing, min(comparing, computing))
    }

    /// Starts the measurement on the calling thread.
    ///
    /// - Returns: a function that returns true if no budget is left for an action, given whether the action compares
    ///   texts; call it on the same thread.
    func start() -> (_ comparesTexts: Bool) -> Bool {
        let end = ContinuousClock.now + elapsed
        let began = ThreadClock.nanoseconds
        return { comparesTexts in
            let budget = comparesTexts ? comparing : computing
            return .now >= end || ThreadClock.nanoseconds - began >= Int(budget / .nanoseconds(1))
        }
    }
}
