public import AlmanacEnvironments
internal import AlmanacMigrations
public import AlmanacPOSIX
public import AlmanacPostgreSQL
internal import Synchronization

/// A monitor of an environment's schema, which a restored backup may replace by an older one than this release needs,
/// and a migration by a newer one.
public final class SchemaWatch: Sendable {
    private let environment: String
    private let pool: Pool
    private let clock: ServerClock
    private let state: Mutex<State>

    private struct State {
        /// The reason why requests fail; nil if this release works with the schema.
        var failure: String?
        /// The difference to a newer schema; nil if there is none.
        var warning: String?
        var checkedAt: ContinuousClock.Instant
    }

    /// The minimum time between two queries, however often `check` is called.
    private static let interval = Duration.seconds(1)

    /// Refuses a schema that this release does not work with.
    public init(_ environment: EnvironmentName, pool: Pool, clock: ServerClock = .system) throws {
        self.environment = environment.text
        self.pool = pool
        self.clock = clock
        state = Mutex(State(checkedAt: clock.now()))
        record(nil, warning: try pool.withConnection { try Schema.check($0) }.warning)
    }

    /// The reason why requests fail, with a remedy; nil if this release works with the schema.
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
            record(nil, warning: try pool.withConnection { try Schema.check($0) }.warning)
        } catch let failure as MigrationFailure {
            record("\(failure)", warning: nil)
        } catch {
            // An unreachable database says nothing about its schema, and is reported elsewhere.
        }
    }

    /// Logs a change of the failure or of the warning.
    private func record(_ failure: String?, warning: String?) {
        let before = state.withLock { state in
            defer { (state.failure, state.warning) = (failure, warning) }
            return state
        }
        if let warning, warning != before.warning {
            Log.info("newer schema", ("environment", environment), ("reason", warning))
        }
        guard before.failure != failure else { return }
        if let failure {
            Log.error("unusable schema", ("environment", environment), ("reason", failure))
        } else {
            Log.info("usable schema again", ("environment", environment))
        }
    }
}
