internal import AlmanacConfigDomain
public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTargeting
internal import AlmanacTimestamps
internal import Synchronization

/// The last uses of one environment's flags, counted in memory by each worker and regularly stored for all workers.
///
/// Every evaluation counts. A killed worker loses the counts since the last write, which are less than a minute old.
public final class FlagUses: Sendable {
    private let name: EnvironmentName
    private let pool: Pool
    private let clock: ServerClock

    /// Invariant: `tables` contains every table that may have counts to store. `unwritten` contains counts whose write
    /// failed; no further counts are taken from tables until those are stored.
    private struct State {
        var tables: [FlagUseTable] = []
        var unwritten: [FlagUseTable.Use] = []
        var recordedAt: ContinuousClock.Instant?
        /// True if flags were added since uses of removed flags were last deleted.
        var hasNewFlags = false
        var evaluations: Int64 = 0
        var counts: (flags: Int64, unused: Int64)?
    }
    private let state = Mutex(State())
    /// The lock that serializes writes.
    private let writeLock = Mutex(())

    /// The minimum time between two writes.
    static let writeInterval = Duration.seconds(20)
    private static let dayMilliseconds: Int64 = 86_400_000
    /// The number of full days for which evaluations are kept by hour, and of those for which they are kept by day.
    private static let keptDaysOfHours: Int64 = 7
    private static let keptDays: Int64 = 365

    public init(_ name: EnvironmentName, pool: Pool, clock: ServerClock = .system) {
        self.name = name
        self.pool = pool
        self.clock = clock
    }

    /// The number of tables that may have counts to store.
    var tableCount: Int { state.withLock { $0.tables.count } }

    /// Returns a new table for the evaluations of a compiled set.
    func table(for set: FlagSet) -> FlagUseTable {
        let table = FlagUseTable(set)
        state.withLock { state in
            state.tables.append(table)
            state.hasNewFlags = true
        }
        return table
    }

    /// Stores the counts if the last write is old enough.
    public func record() throws {
        let now = clock.now()
        let isDue = state.withLock { $0.recordedAt.map { now - $0 >= Self.writeInterval } ?? true }
        if isDue { try recordNow() }
    }

    /// Stores the counts.
    public func recordNow() throws {
        try writeLock.withLock { _ in
            let (uses, hasNewFlags) = drain()
            guard !uses.isEmpty || hasNewFlags else { return }
            let unusedSince = FlagLife.recentStart(clock.milliseconds())
            do {
                let counts = try pool.withConnection { connection in
                    if !uses.isEmpty { _ = try connection.run(FlagUseStatements.record(uses)) }
                    if hasNewFlags { _ = try connection.run(FlagUseStatements.deleteOrphans) }
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

    private func drain() -> (uses: [FlagUseTable.Use], hasNewFlags: Bool) {
        state.withLock { state in
            state.recordedAt = clock.now()
            defer { state.hasNewFlags = false }
            if !state.unwritten.isEmpty {
                defer { state.unwritten = [] }
                return (state.unwritten, state.hasNewFlags)
            }
            var uses: [FlagUseTable.Use] = []
            for index in state.tables.indices.reversed() {
                // Without another reference, the table will get no further counts.
                let isLast = isKnownUniquelyReferenced(&state.tables[index])
                uses += state.tables[index].drain()
                if isLast { state.tables.remove(at: index) }
            }
            state.evaluations += uses.reduce(0) { $0 + $1.count }
            return (uses, state.hasNewFlags)
        }
    }

    /// Deletes the uses of flags and variants that no longer exist.
    public func deleteOrphans() throws { _ = try pool.withConnection { try $0.run(FlagUseStatements.deleteOrphans) } }

    /// Adds old hours to their days, and deletes old days.
    ///
    /// - Returns: True if there may be more to do.
    public func rollUp() throws -> Bool {
        let today = clock.milliseconds() / Self.dayMilliseconds * Self.dayMilliseconds
        let hour = Timestamp(milliseconds: today - Self.keptDaysOfHours * Self.dayMilliseconds)
        let day = Timestamp(milliseconds: today - Self.keptDays * Self.dayMilliseconds)
        return try pool.withConnection { connection in
            let call = FlagUseStatements.rollUp(hoursBefore: hour, daysBefore: day)
            return try connection.run(call).single("flag uses").bigint("hours") > 0
        }
    }

    /// The evaluations of one variant in an hour or in a day.
    struct Period: Sendable {
        /// The start in UTC.
        let start: Timestamp
        /// The name of the variant; empty for no variant.
        let variant: String
        let evaluations: Int64
    }

    /// Returns a flag's evaluations by hour and by day, the oldest first, without periods that have none.
    func periods(of key: String) throws -> (hours: [Period], days: [Period]) {
        try pool.withConnection { connection in
            var periods: (hours: [Period], days: [Period]) = ([], [])
            for row in try connection.run(FlagUseStatements.periods(of: key)) {
                let period = Period(
                    start: try row.timestamp("started_at"), variant: try row.text("variant"),
                    evaluations: try row.bigint("evaluations"))
                let isHour = try row.text("period") == "hour"
                if isHour { periods.hours.append(period) } else { periods.days.append(period) }
            }
            return periods
        }
    }

    /// The last use of a variant, and the approximate number of uses.
    struct Stored: Sendable {
        let lastAt: Timestamp
        let count: Int64
    }

    /// Returns the stored uses of all workers, by key and variant.
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

    /// Writes the numbers of flags, of unused flags, and of evaluations in this process.
    public func write(to exposition: inout Exposition) {
        let (evaluations, counts) = state.withLock { ($0.evaluations, $0.counts) }
        exposition.add(.flagEvaluations, [name.text], Double(evaluations))
        guard let counts else { return }
        exposition.add(.flags, [name.text], Double(counts.flags))
        exposition.add(.flagsUnused, [name.text], Double(counts.unused))
    }
}

extension Metric {
    static let flagEvaluations = Metric(
        .counter, "almanac_flag_evaluations_total", by: ["environment"],
        "Evaluations of flags, without the last few seconds.")
    static let flags = Metric(.gauge, "almanac_flags", by: ["environment"], "Number of flags.")
    static let flagsUnused = Metric(
        .gauge, "almanac_flags_unused", by: ["environment"], "Flags that nobody has evaluated or changed for 30 days.")

    public static let ofFlags: [Metric] = [flagEvaluations, flags, flagsUnused]
}
