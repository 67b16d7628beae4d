public import AlmanacEnvironments
internal import AlmanacMigrations
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import Synchronization

/// A monitor of an environment's schema, which a restored backup may replace by an older one than this release needs.
public final class SchemaWatch: Sendable {
    private let environment: String
    private let pool: Pool
    private let clock: ServerClock
    private let state: Mutex<State>

    private struct State {
        /// The reason why requests fail; nil if the schema is new enough.
        var failure: String?
        var checkedAt: ContinuousClock.Instant
    }

    /// The minimum time between two queries, however often `check` is called.
    private static let interval = Duration.seconds(1)

    /// Refuses a schema that is already too old.
    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) throws {
        self.environment = environment.text
        self.pool = pool
        self.clock = clock
        try pool.withConnection { try Schema.check($0) }
        state = Mutex(State(failure: nil, checkedAt: clock.now()))
    }

    /// The reason why requests fail, with a remedy; nil if the schema is new enough.
    public var failure: String? { state.withLock(\.failure) }

    /// Checks the schema, if the last check is old enough.
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
            // An unreachable database says nothing about its schema, and is reported elsewhere.
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
