internal import AlmanacConfigDomain
public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTargeting
internal import AlmanacTimestamps
internal import Synchronization

/// When the flags of one environment were last evaluated: counted in memory by each worker, written down for all now
/// and then.
///
/// Each evaluation counts. What is not written down yet when a worker is killed is lost, which is less than a minute's.
public final class FlagUses: Sendable {
    private let name: EnvironmentName
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: `tables` holds every table whose counts may not be written down yet; `unwritten` holds counts that
    /// were taken out of tables and could not be written, and nothing more is taken out until they are.
    private struct State {
        var tables: [FlagUseTable] = []
        var unwritten: [FlagUseTable.Use] = []
        var recordedAt: ContinuousClock.Instant?
        /// Since the last time that what is gone was forgotten, there were other flags.
        var hasNewFlags = false
        var evaluations: Int64 = 0
        var counts: (flags: Int64, unused: Int64)?
    }
    private let state = Mutex(State())
    /// One thread writes at a time.
    private let writing = Mutex(())

    /// The shortest time between two writings.
    static let interval = Duration.seconds(20)
    /// A flag that nobody has evaluated for so long is reported as unused.
    static let unusedAfter: Int64 = 30 * 86_400_000

    /// - Parameter clock: tells when flags are evaluated, and when to write that down.
    public init(_ name: EnvironmentName, pool: Pool, clock: ServerClock = .system) {
        self.name = name
        self.pool = pool
        self.clock = clock
    }

    /// How many tables may have something to write down.
    var tableCount: Int { state.withLock { $0.tables.count } }

    /// A table for the evaluations of a compiled set.
    func table(for set: FlagSet) -> FlagUseTable {
        let table = FlagUseTable(set)
        state.withLock { state in
            state.tables.append(table)
            state.hasNewFlags = true
        }
        return table
    }

    /// Writes down what was counted, if the last time was a while ago.
    public func record() throws {
        let now = clock.now()
        let isDue = state.withLock { $0.recordedAt.map { now - $0 >= Self.interval } ?? true }
        if isDue { try recordNow() }
    }

    /// Writes down what was counted.
    public func recordNow() throws {
        try writing.withLock { _ in
            let (uses, hasNewFlags) = take()
            guard !uses.isEmpty || hasNewFlags else { return }
            let unusedSince = Timestamp(milliseconds: clock.milliseconds() - Self.unusedAfter)
            do {
                let counts = try pool.withConnection { connection in
                    if !uses.isEmpty { _ = try connection.run(FlagUseStatements.record(uses)) }
                    if hasNewFlags { _ = try connection.run(FlagUseStatements.removeGone) }
                    let row = try connection.run(FlagUseStatements.counts(unusedSince: unusedSince)).single("counts")
                    return (flags: try row.bigint("flags"), unused: try row.bigint("unused"))
                }
                state.withLock { $0.counts = counts }
            } catch {
                state.withLock { state in
                    state.unwritten = uses
                    if hasNewFlags { state.hasNewFlags = true }
                }
                throw error
            }
        }
    }

    private func take() -> (uses: [FlagUseTable.Use], hasNewFlags: Bool) {
        state.withLock { state in
            state.recordedAt = clock.now()
            defer { state.hasNewFlags = false }
            if !state.unwritten.isEmpty {
                defer { state.unwritten = [] }
                return (state.unwritten, state.hasNewFlags)
            }
            var uses: [FlagUseTable.Use] = []
            for index in state.tables.indices.reversed() {
                // Where nobody else has it any more, nothing more will be counted in it.
                let isLast = isKnownUniquelyReferenced(&state.tables[index])
                uses += state.tables[index].take()
                if isLast { state.tables.remove(at: index) }
            }
            state.evaluations += uses.reduce(0) { $0 + $1.count }
            return (uses, state.hasNewFlags)
        }
    }

    /// Forgets flags and variants that are not there any more.
    public func removeGone() throws {
        _ = try pool.withConnection { try $0.run(FlagUseStatements.removeGone) }
    }

    /// When a variant was last given, and about how often.
    struct Stored: Sendable {
        let lastAt: Timestamp
        let count: Int64
    }

    /// What all workers have written down, by key and variant.
    func all() throws -> [String: [String: Stored]] {
        try pool.withConnection { connection in
            var all: [String: [String: Stored]] = [:]
            for row in try connection.run(FlagUseStatements.all) {
                all[try row.text("key"), default: [:]][try row.text("variant")] = Stored(
                    lastAt: try row.timestamp("last_evaluated_at"), count: try row.bigint("evaluations"))
            }
            return all
        }
    }

    /// Adds how many flags there are, how many nobody asks for, and how many evaluations there were here.
    public func write(to exposition: inout Exposition) {
        let (evaluations, counts) = state.withLock { ($0.evaluations, $0.counts) }
        exposition.add(.flagEvaluations, [name.text], Double(evaluations))
        guard let counts else { return }
        exposition.add(.flags, [name.text], Double(counts.flags))
        exposition.add(.flagsUnused, [name.text], Double(counts.unused))
    }
}

/// About flags.
extension Metric {
    static let flagEvaluations = Metric(
        .counter, "almanac_flag_evaluations_total", by: ["environment"],
        "Evaluations of flags; those of the last seconds are not in it yet.")
    static let flags = Metric(.gauge, "almanac_flags", by: ["environment"], "Flags that there are.")
    static let flagsUnused = Metric(
        .gauge, "almanac_flags_unused", by: ["environment"],
        "Flags that nobody has evaluated or changed for 30 days.")

    public static let ofFlags: [Metric] = [flagEvaluations, flags, flagsUnused]
}
