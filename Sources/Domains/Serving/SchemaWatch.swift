public import AlmanacEnvironments
internal import AlmanacMigrations
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import Synchronization

/// Watches whether an environment's schema is as new as this release needs. A restored backup may bring back an older
/// one.
public final class SchemaWatch: Sendable {
    private let environment: String
    private let pool: Pool
    private let clock: ServerClock
    private let state: Mutex<State>

    private struct State {
        /// Why requests fail; nil when the schema is new enough.
        var failure: String?
        var checkedAt: ContinuousClock.Instant
    }

    /// The least time between two questions to the database, however often `check` is called.
    private static let interval = Duration.seconds(1)

    /// Refuses a schema that is too old to begin with.
    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) throws {
        self.environment = environment.text
        self.pool = pool
        self.clock = clock
        try pool.withConnection { try Schema.check($0) }
        state = Mutex(State(failure: nil, checkedAt: clock.now()))
    }

    /// Why requests fail, and what to do about it; nil when they needn't.
    public var failure: String? { state.withLock(\.failure) }

    /// Checks again, when the last time is long enough ago.
    public func check() {
        let isDue = state.withLock { state in
            let now = clock.now()
            guard now - state.checkedAt >= Self.interval else { return false }
            state.checkedAt = now
            return true
        }
        guard isDue else { return }
        do {
            try pool.withConnection { try Schema.check($0) }
            record(nil)
        } catch let failure as MigrationFailure {
            record("\(failure)")
        } catch {
            // A database that is away says nothing about its schema, and is reported elsewhere.
        }
    }

    private func record(_ failure: String?) {
        let before = state.withLock { state in
            defer { state.failure = failure }
            return state.failure
        }
        guard before != failure else { return }
        if let failure {
            Log.error("schema too old", ("environment", environment), ("reason", failure))
        } else {
            Log.info("schema new enough again", ("environment", environment))
        }
    }
}
