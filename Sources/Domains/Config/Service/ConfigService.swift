public import AlmanacEnvironments
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps

/// The config of one environment in one worker: its snapshot in memory, and the way to change it.
public final class ConfigService: Sendable {
    /// The channel on which a new revision is announced after its commit.
    public static let channel = "almanac_config"

    public let settings: EnvironmentSettings
    let pool: Pool
    let store: SnapshotStore
    private let notifier: Notifier
    /// When clients last asked for each pinned major.
    private let majorUses = LastUses<Int, Timestamp>()
    /// The time of day in milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// How much one search does, in bytes looked at, compared and answered: a tenth of a second or two. What is behind
    /// that is for the next.
    public static let searchSteps = 64 << 20
    let searchSteps: Int

    /// Loads the config.
    ///
    /// - Parameters:
    ///   - now: the time of day in milliseconds since 1970.
    ///   - onReplacement: called with both lineages when the database has another history than before.
    public init(
        settings: EnvironmentSettings, pool: Pool, notifier: Notifier,
        now: @escaping @Sendable () -> Int64 = { WallClock.milliseconds },
        onReplacement: @escaping @Sendable (_ before: String, _ after: String) -> Void = { _, _ in },
        searchSteps: Int = ConfigService.searchSteps
    ) throws {
        self.searchSteps = searchSteps
        self.settings = settings
        self.pool = pool
        self.notifier = notifier
        self.now = now
        store = try SnapshotStore(pool: pool, onReplacement: onReplacement)
    }

    /// The revision that reads are answered from, and whether the database could not be asked for a newer one.
    public var state: (revision: Int64, isStale: Bool) {
        let current = store.current
        return (current.snapshot.head.revision, current.isStale)
    }

    /// Reads what has changed; does nothing when a revision is known already.
    public func refresh(atLeast revision: Int64? = nil, in lineage: String? = nil) throws {
        try store.refresh(atLeast: revision, in: lineage)
    }

    /// Says that the database is away, so answers may be out of date.
    public func markStale() {
        store.markStale()
    }

    /// Writes down when clients last asked for each pinned major.
    public func recordMajorUses() throws {
        try majorUses.record { times in
            try pool.withConnection { _ = try $0.run(MajorStatements.recordUses(times)) }
        }
    }

    /// Notes that a client asked for a major.
    func noteUse(ofMajor major: Int) {
        majorUses.note(major, at: Timestamp(milliseconds: now()))
    }

    var writer: ReleaseWriter { ReleaseWriter(pool: pool, limits: settings.limits) }

    /// Announces a release that has been committed, and brings this worker's own snapshot up to it.
    func publish(_ head: Head) {
        notifier.announce(channel: Self.channel, revision: head.revision)
        // The release stands even if the database goes away right now; the snapshot says so by being stale.
        try? store.refresh(atLeast: head.revision, in: head.lineage)
    }
}
