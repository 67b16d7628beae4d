internal import AlmanacEnvironments
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import Synchronization

/// Holds the newest snapshot of an environment and brings it up to date.
final class SnapshotStore: Sendable {
    private let pool: Pool

    /// Invariant: `snapshot` only ever moves forward within one lineage; `isStale` says that the database could not be
    /// asked when it was last tried.
    private struct State: Sendable {
        var snapshot: Snapshot
        var isStale: Bool
    }
    private let state: Monitor<State>
    /// Held while a refresh talks to the database, so that refreshes follow one another; readers never take it. Holds
    /// when the last refresh that succeeded began, by `clock`.
    private let refreshing = Mutex<Int?>(nil)
    /// How many threads wait for a revision.
    private let waitingThreads = Atomic(0)

    /// When the reading began that last found `snapshot` to be what the database has, by `clock`.
    private let confirmedAt: Atomic<Int>
    /// Nanoseconds since some moment; never goes back.
    private let clock: @Sendable () -> Int

    /// How often the database's history was another one than that of the newest snapshot.
    private let replacements = Atomic(0)
    private let onReplacement: @Sendable (_ before: String, _ after: String) -> Void

    /// The most threads that may wait for a revision at the same time, so that asking for one that never comes does not
    /// keep others from being answered.
    private static let waitingThreadsLimit = 8

    /// Loads the first snapshot.
    ///
    /// - Parameter onReplacement: called with both lineages when the database has another history than before.
    init(
        pool: Pool, clock: @escaping @Sendable () -> Int = { MonotonicClock.nanoseconds },
        onReplacement: @escaping @Sendable (_ before: String, _ after: String) -> Void = { _, _ in }
    ) throws {
        self.pool = pool
        self.onReplacement = onReplacement
        self.clock = clock
        confirmedAt = Atomic(clock())
        let snapshot = try pool.withConnection { try Self.load(after: nil, on: $0) }
        state = Monitor(State(snapshot: snapshot, isStale: false))
    }

    /// The newest snapshot, and whether it may be out of date.
    var current: (snapshot: Snapshot, isStale: Bool) {
        state.read { ($0.snapshot, $0.isStale) }
    }

    /// How long ago the newest snapshot was seen to be what the database has, in nanoseconds.
    var age: Int { clock() - confirmedAt.load(ordering: .relaxed) }

    /// How often the history was replaced so far.
    var replacementCount: Int { replacements.load(ordering: .relaxed) }

    /// Says that the database could not be reached, until the next refresh succeeds.
    func markStale() {
        state.update { $0.isStale = true }
    }

    /// Reads what has changed since the newest snapshot.
    ///
    /// Threads that ask at the same time share one reading that began after the last of them asked.
    ///
    /// - Parameters:
    ///   - revision: nothing is read when the newest snapshot has this revision already.
    ///   - lineage: that of the revision; nil where it is the newest snapshot's.
    func refresh(atLeast revision: Int64? = nil, in lineage: String? = nil) throws {
        let asked = clock()
        try refreshing.withLock { lastBegan in
            let known = current
            let place = revision.map { Cursor(revision: $0, lineage: lineage) }
            if let place, !known.isStale, known.snapshot.head.hasReached(place) { return }
            if let lastBegan, lastBegan > asked, !known.isStale { return }
            let began = clock()
            do {
                let snapshot = try pool.withConnection { try Self.load(after: known.snapshot, on: $0) }
                if snapshot !== known.snapshot || known.isStale {
                    state.update { $0 = State(snapshot: snapshot, isStale: false) }
                }
                let (before, after) = (known.snapshot.head.lineage, snapshot.head.lineage)
                if before != after {
                    replacements.add(1, ordering: .relaxed)
                    onReplacement(before, after)
                }
                lastBegan = began
                confirmedAt.store(began, ordering: .relaxed)
            } catch {
                markStale()
                throw error
            }
        }
    }

    /// Blocks until the newest snapshot has a revision; not at all while many others wait.
    ///
    /// - Returns: whether it does before the time is over.
    func wait(for revision: Int64, timeout: Duration) -> Bool {
        let others = waitingThreads.add(1, ordering: .relaxed).oldValue
        defer { waitingThreads.subtract(1, ordering: .relaxed) }
        let timeout = others < Self.waitingThreadsLimit ? timeout : .zero
        return state.wait(upTo: timeout) { $0.snapshot.head.revision >= revision ? true : nil } ?? false
    }

    /// Waits up to a second for a revision that another worker may just have made.
    ///
    /// One of another lineage is looked for, but never waited for: where it is not there, it will not come.
    func reach(_ cursor: Cursor) throws {
        if !current.snapshot.head.isOfSameHistory(as: cursor) { try? refresh() }
        guard current.snapshot.head.isBehind(cursor) else { return }
        try refresh(atLeast: cursor.revision)
        guard current.snapshot.head.isBehind(cursor) else { return }
        if wait(for: cursor.revision, timeout: .seconds(1)) { return }
        try refresh(atLeast: cursor.revision)
        let head = current.snapshot.head
        if head.isBehind(cursor) { throw ConfigRefusal.revisionNotReached(cursor.revision, newest: head) }
    }

    /// Reads the state of the database, as far as it is not known, in one consistent view of it.
    private static func load(after known: Snapshot?, on connection: Connection) throws -> Snapshot {
        try connection.view { connection in
            let head = try Head(try connection.run(HeadStatements.read).single("config_head"))
            if let known, known.head == head { return known }
            var majors: [Int: Major] = [:]
            for row in try connection.run(MajorStatements.all) {
                let major = try Major(row)
                majors[major.newest.major] = major
            }
            if let known, known.head.lineage == head.lineage,
                (head.rewrittenRevision...head.revision).contains(known.head.revision)
            {
                let rows = try connection.run(EntryStatements.changed(after: known.head.updatedAt))
                return known.applying(try rows.map { try Entry($0) }, head: head, majors: majors)
            }
            let rows = try connection.run(EntryStatements.all)
            return Snapshot(head: head, entries: try rows.map { try Entry($0) }, majors: majors)
        }
    }
}
