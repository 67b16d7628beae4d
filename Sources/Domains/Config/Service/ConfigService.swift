public import AlmanacEnvironments
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The config of one environment in one worker: the snapshot in memory, and the writer of changes.
public final class ConfigService: Sendable {
    /// The channel that announces a new revision after its commit.
    public static let channel = "almanac_config"

    public let settings: EnvironmentSettings
    let pool: Pool
    let store: SnapshotStore
    private let notifier: Notifier
    /// The times at which clients last used each pinned major.
    private let majorUses = LastUses<Int, Timestamp>()
    /// The time of day in milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// The budget of one request (0.1 to 0.2 s), in bytes read, compared and returned. The next continues the search.
    public static let searchBudgetBytes = 64 << 20
    let searchBudgetBytes: Int

    /// - Parameter onReplacement: Called with both lineages if the database's history was replaced.
    public init(
        settings: EnvironmentSettings, pool: Pool, notifier: Notifier,
        now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds },
        onReplacement: @escaping @Sendable (_ before: String, _ after: String) -> Void = { _, _ in },
        searchBudgetBytes: Int = ConfigService.searchBudgetBytes
    ) throws {
        self.searchBudgetBytes = searchBudgetBytes
        self.settings = settings
        self.pool = pool
        self.notifier = notifier
        self.now = now
        store = try SnapshotStore(pool: pool, onReplacement: onReplacement)
    }

    /// The revision in memory, which is stale if the database could not be read.
    public var state: (revision: Int64, isStale: Bool) {
        let current = store.current
        return (current.snapshot.head.revision, current.isStale)
    }

    /// Reads changes from the database, unless the given revision is already in memory.
    public func refresh(atLeast revision: Int64? = nil, in lineage: String? = nil) throws {
        try store.refresh(atLeast: revision, in: lineage)
    }

    /// Marks the snapshot as stale, because the database is unreachable.
    public func markStale() { store.markStale() }

    /// Stores the times at which clients last used each pinned major.
    public func recordMajorUses() throws {
        try majorUses.record { times in
            try pool.withConnection { _ = try $0.run(MajorStatements.recordUses(times)) }
        }
    }

    /// Records that a client used a major.
    func recordUse(ofMajor major: Int) { majorUses.note(major, at: Timestamp(milliseconds: now())) }

    /// Returns the author of each revision that the history still has.
    public func authors(of revisions: [Int64]) throws -> [Int64: ReleaseAuthor] {
        try pool.withConnection { connection in
            let rows = try connection.run(HistoryStatements.authors(of: revisions))
            return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.bigint("revision"), try ReleaseAuthor($0)) })
        }
    }

    var writer: ReleaseWriter { ReleaseWriter(pool: pool, limits: settings.limits) }

    /// Announces a committed release and refreshes this worker's snapshot.
    func publish(_ head: Head) {
        notifier.announce(channel: Self.channel, revision: head.revision)
        // The release is committed, so a failed refresh only marks the snapshot as stale.
        try? store.refresh(atLeast: head.revision, in: head.lineage)
    }
}
