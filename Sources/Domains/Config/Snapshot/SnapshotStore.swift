internal import AlmanacEnvironments
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import AlmanacRevisions
internal import Synchronization

/// Holds the newest snapshot of an environment and brings it up to date.
final class SnapshotStore: Sendable {
    private let pool: Pool

    /// Invariants: `snapshot` only ever moves forward within one lineage; `isStale` says that the database could not be
    /// asked when it was last tried; while `isReading` exactly one thread talks to the database, without holding the
    /// lock, and then says what became of it.
    private struct State {
        var snapshot: Snapshot
        var isStale: Bool
        var isReading = false
        /// When the last reading that succeeded began, by `clock`.
        var lastBegan: Int?
        /// When the last reading that failed ended, and why.
        var lastFailure: (endedAt: Int, error: any Error)?
    }
    private let state: Monitor<State>

    /// When the reading began that last found `snapshot` to be what the database has, by `clock`.
    private let confirmedAt: Atomic<Int>
    /// Nanoseconds since some moment; never goes back.
    private let clock: @Sendable () -> Int

    /// How often the database's history was another one than that of the newest snapshot.
    private let replacements = Atomic(0)
    private let onReplacement: @Sendable (_ before: String, _ after: String) -> Void

    /// The longest that a thread waits for another one's reading.
    static let longestWait = Duration.seconds(5)

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
    ///   - limit: how long to wait for another thread's reading.
    func refresh(
        atLeast revision: Int64? = nil, in lineage: String? = nil, upTo limit: Duration = SnapshotStore.longestWait
    ) throws {
        let asked = clock()
        let place = revision.map { Cursor(revision: $0, lineage: lineage) }
        let turn = state.wait(upTo: limit, wakesOthers: false) { state -> Turn? in
            if let place, !state.isStale, state.snapshot.head.hasReached(place) { return .known }
            if let began = state.lastBegan, began > asked, !state.isStale { return .known }
            // What one thread has waited for in vain the others need not try one after the other.
            if let failure = state.lastFailure, failure.endedAt > asked { return .failed(failure.error) }
            guard !state.isReading else { return nil }
            state.isReading = true
            return .read(after: state.snapshot)
        }
        switch turn {
        case .known: return
        case .read(let known): try read(after: known)
        case .failed(let error): throw error
        case nil: throw PostgresFailure.busy
        }
    }

    private enum Turn {
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
                state.lastBegan = began
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

    /// Waits for a revision that another worker may just have made, up to a second after the request came.
    ///
    /// One of another lineage is looked for, but never waited for: where it is not there, it will not come.
    ///
    /// - Parameter arrival: when the request came, by `clock`.
    func reach(_ cursor: Cursor, arrival: Int) throws {
        guard !current.snapshot.head.hasReached(cursor) else { return }
        let deadline = arrival + 1_000_000_000
        func remaining() -> Duration { .nanoseconds(max(0, deadline - clock())) }
        // A request that has waited for its turn as long as that has waited long enough.
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
    /// - Returns: whether it does before the time is over.
    func wait(for revision: Int64, timeout: Duration) -> Bool {
        state.wait(upTo: timeout, wakesOthers: false) { $0.snapshot.head.revision >= revision ? true : nil } ?? false
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
            return Snapshot(
                head: head, entries: try rows.map { try Entry($0) }, majors: majors, keeping: known?.flags)
        }
    }
}
