public import AlmanacEnvironments
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

/// The config of one environment in one worker: the snapshot in memory, and the writer of changes.
public final class ConfigService: Sendable {
    /// The channel that announces a new revision after its commit.
    public static let channel = "almanac_config"
    /// The channel that announces the number and the version of a changed proposal after its commit.
    public static let proposalsChannel = "almanac_proposals"

    public let settings: EnvironmentSettings
    let pool: Pool
    let store: SnapshotStore
    private let notifier: Notifier
    /// The times at which clients last used each pinned major.
    private let majorUses = LastUses<Int, Timestamp>()
    /// The number of releases by a bypass that nobody acknowledged, at the last pass over due proposals.
    let unreviewedReleases = Atomic<Int64>(0)
    /// The newest revision whose conflicts with open proposals were told.
    private let toldRevision = Atomic<Int64>(0)
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

    var writer: ReleaseWriter { ReleaseWriter(pool: pool, limits: settings.limits, policy: settings.approvals) }

    /// Applies the proposals whose time has come, and tells of those that releases have put in conflict. Throws the
    /// first error after all of them had their turn.
    public func applyDueProposals() throws {
        let schedule = ProposalSchedule(writer: writer)
        let pass = try schedule.applyDue()
        unreviewedReleases.store(pass.unreviewed, ordering: .relaxed)
        if let head = pass.head { publish(head) }
        pass.changed.forEach(announce)
        let told = toldRevision.load(ordering: .relaxed)
        if pass.revision != told {
            try schedule.tellConflicts(after: min(told, pass.revision)).forEach(announce)
            toldRevision.store(pass.revision, ordering: .relaxed)
        }
        if let first = pass.errors.first { throw ProposalsNotApplied(number: first.number, cause: first.error) }
    }

    /// Announces a committed change of a proposal.
    func announce(_ proposal: Proposal) {
        notifier.announce(
            channel: Self.proposalsChannel, scope: "\(proposal.number)", revision: proposal.version)
    }

    /// Announces a committed release and refreshes this worker's snapshot.
    func publish(_ head: Head) {
        notifier.announce(channel: Self.channel, revision: head.revision)
        // The release is committed, so a failed refresh only marks the snapshot as stale.
        try? store.refresh(atLeast: head.revision, in: head.lineage)
    }
}

/// The error of a due proposal that was neither applied nor refused.
struct ProposalsNotApplied: Error, CustomStringConvertible {
    let number: Int64
    let cause: any Error

    var description: String { "proposal \(number): \(cause)" }
}
