internal import AlmanacEnvironments
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import Synchronization

/// A store of an environment's newest snapshot, refreshed from the database.
final class SnapshotStore: Sendable {
    private let pool: Pool

    /// Invariants: Within one lineage, `snapshot` only moves forward. `isStale` means that the last attempt to read the
    /// database failed. While `isReading` is set, exactly one thread reads the database, without holding the lock.
    private struct State {
        var snapshot: Snapshot
        var isStale: Bool
        var isReading = false
        /// The start time of the last successful read, by `clock`.
        var lastReadStart: Int?
        /// The end time and the error of the last failed read.
        var lastFailure: (endedAt: Int, error: any Error)?
    }
    private let state: Monitor<State>

    /// The start time of the last read that confirmed `snapshot` as current, by `clock`.
    private let confirmedAt: Atomic<Int>
    /// A monotonic clock, in nanoseconds.
    private let clock: @Sendable () -> Int

    /// The number of times that the database's history was replaced.
    private let replacements = Atomic(0)
    private let onReplacement: @Sendable (_ before: String, _ after: String) -> Void

    /// The maximum time that a thread waits for another thread's read.
    static let maxReadWait = Duration.seconds(5)

    /// Loads the first snapshot.
    ///
    /// - Parameter onReplacement: Called with both lineages if the database's history was replaced.
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

    /// The newest snapshot, which may be stale.
    var current: (snapshot: Snapshot, isStale: Bool) { state.read { ($0.snapshot, $0.isStale) } }

    /// The time since the database last confirmed the newest snapshot, in nanoseconds.
    var age: Int { clock() - confirmedAt.load(ordering: .relaxed) }

    var replacementCount: Int { replacements.load(ordering: .relaxed) }

    /// Marks the snapshot as stale until the next refresh succeeds.
    func markStale() { state.update { $0.isStale = true } }

    /// Reads the changes since the newest snapshot. Concurrent callers share one read that began after the last call.
    ///
    /// - Parameters:
    ///   - revision: The read is skipped if the newest snapshot has this revision and is not stale.
    ///   - lineage: The lineage of the revision; nil for the newest snapshot's lineage.
    ///   - limit: The maximum time to wait for another thread's read.
    /// - Throws: `PostgresFailure.busy` after that time.
    func refresh(
        atLeast revision: Int64? = nil, in lineage: String? = nil, upTo limit: Duration = SnapshotStore.maxReadWait
    ) throws {
        let requestedAt = clock()
        let cursor = revision.map { Cursor(revision: $0, lineage: lineage) }
        let step = state.wait(upTo: limit, wakesOthers: false) { state -> RefreshStep? in
            if let cursor, !state.isStale, state.snapshot.head.hasReached(cursor) { return .known }
            if let began = state.lastReadStart, began > requestedAt, !state.isStale { return .known }
            // Threads that waited for a failed read share its error, so that they do not retry one after the other.
            if let failure = state.lastFailure, failure.endedAt > requestedAt { return .failed(failure.error) }
            guard !state.isReading else { return nil }
            state.isReading = true
            return .read(after: state.snapshot)
        }
        switch step {
        case .known: return
        case .read(let known): try read(after: known)
        case .failed(let error): throw error
        case nil: throw PostgresFailure.busy
        }
    }

    private enum RefreshStep {
        case known
        case read(after: Snapshot)
        case failed(any Error)
    }

    private func read(after known: Snapshot) throws {
        let began = clock()
        do {
            let snapshot = try pool.withConnection { try Self.load(after: known, on: $0) }
            confirmedAt.store(began, ordering: .relaxed)
            state.update { state in
                state.snapshot = snapshot
                state.isStale = false
                state.lastReadStart = began
                state.isReading = false
            }
            let (before, after) = (known.head.lineage, snapshot.head.lineage)
            if before != after {
                replacements.add(1, ordering: .relaxed)
                onReplacement(before, after)
            }
        } catch {
            state.update { state in
                state.isStale = true
                state.lastFailure = (clock(), error)
                state.isReading = false
            }
            throw error
        }
    }

    /// Waits for a revision that another worker may have just made, up to one second after the request's arrival.
    ///
    /// A revision of another lineage causes a refresh but no wait, because it would not arrive later.
    ///
    /// - Parameter arrival: The arrival time of the request, by `clock`.
    func waitUntilReached(_ cursor: Cursor, arrival: Int) throws {
        guard !current.snapshot.head.hasReached(cursor) else { return }
        let deadline = arrival + 1_000_000_000
        func remaining() -> Duration { .nanoseconds(max(0, deadline - clock())) }
        // A request that was queued beyond the deadline does not wait again.
        if clock() < deadline {
            if !current.snapshot.head.isOfSameHistory(as: cursor) {
                try? refresh(upTo: remaining())
            } else {
                try refresh(atLeast: cursor.revision, upTo: remaining())
            }
            if current.snapshot.head.isBehind(cursor), !wait(for: cursor.revision, timeout: remaining()) {
                try refresh(atLeast: cursor.revision)
            }
        }
        let head = current.snapshot.head
        if head.isBehind(cursor) { throw ConfigRefusal.revisionNotReached(cursor.revision, newest: head) }
    }

    /// Blocks until the newest snapshot has a revision.
    ///
    /// - Returns: `false` after a timeout.
    func wait(for revision: Int64, timeout: Duration) -> Bool {
        state.wait(upTo: timeout, wakesOthers: false) { $0.snapshot.head.revision >= revision ? true : nil } ?? false
    }

    /// Reads the changes since a known snapshot, or the whole config, in one read transaction.
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
            return Snapshot(head: head, entries: try rows.map { try Entry($0) }, majors: majors, keeping: known?.flags)
        }
    }
}
