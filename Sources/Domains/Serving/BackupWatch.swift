public import AlmanacEnvironments
public import AlmanacMetrics
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import AlmanacTimestamps
internal import Synchronization

extension Metric {
    static let backupAge = Metric(
        .gauge, "almanac_backup_age_seconds", by: ["environment"],
        "Age of the newest backup; without a backup, the age of the environment.")
}

/// A monitor of the age of an environment's newest backup, which `almanac backup` records in the database.
public final class BackupWatch: Sendable {
    private let environment: EnvironmentName
    private let pool: Pool
    private let clock: ServerClock
    private let state: Mutex<State>

    private struct State {
        /// The time from which the age counts; nil if unknown, so that nothing is shown.
        var since: Timestamp?
        var checkedAt: ContinuousClock.Instant?
    }

    /// The minimum time between two queries, however often `check` is called.
    private static let interval = Duration.seconds(15)

    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) {
        self.environment = environment
        self.pool = pool
        self.clock = clock
        state = Mutex(State())
    }

    /// Reads the time of the newest backup, if the last check is old enough.
    public func check() {
        let isDue = state.withLock { state in
            let now = clock.now()
            if let checkedAt = state.checkedAt, now - checkedAt < Self.interval { return false }
            state.checkedAt = now
            return true
        }
        // An unreachable database still has its backup, and is reported elsewhere.
        guard isDue, let since = try? pool.withConnection({ try $0.newestBackup() }) else { return }
        state.withLock { $0.since = since }
    }

    public func write(to exposition: inout Exposition) {
        guard let since = state.withLock(\.since) else { return }
        let age = Double(clock.milliseconds() - since.milliseconds) / 1000
        exposition.add(.backupAge, [environment.text], max(0, age))
    }
}
