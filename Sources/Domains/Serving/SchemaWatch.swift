public import AlmanacEnvironments
internal import AlmanacMigrations
public import AlmanacPostgreSQL
internal import Synchronization

/// Whether an environment's schema is as new as this release needs. A restored backup may bring back an older one.
public final class SchemaWatch: Sendable {
    private let environment: String
    private let pool: Pool
    private let state: Mutex<State>

    private struct State {
        /// Nil when the schema is new enough.
        var reason: String?
        var lookedAt: ContinuousClock.Instant
    }

    /// However often it is called upon, it asks the database no more often.
    private static let interval = Duration.seconds(1)

    /// Refuses a schema that is too old to begin with.
    public init(_ environment: EnvironmentName, pool: Pool) throws {
        self.environment = environment.text
        self.pool = pool
        try pool.withConnection { try Schema.check($0) }
        state = Mutex(State(reason: nil, lookedAt: .now))
    }

    /// Why requests fail, and what to do about it; nil when they needn't.
    public var reason: String? { state.withLock(\.reason) }

    /// Looks again, when the last time is long enough ago.
    public func look() {
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.lookedAt >= Self.interval else { return false }
            state.lookedAt = now
            return true
        }
        guard isDue else { return }
        do {
            try pool.withConnection { try Schema.check($0) }
            note(nil)
        } catch let failure as MigrationFailure {
            note("\(failure)")
        } catch {
            // A database that is away tells nothing of its schema, and others tell that it is.
        }
    }

    private func note(_ reason: String?) {
        let before = state.withLock { state in
            defer { state.reason = reason }
            return state.reason
        }
        guard before != reason else { return }
        if let reason {
            Log.error("schema too old", ("environment", environment), ("reason", reason))
        } else {
            Log.info("schema new enough again", ("environment", environment))
        }
    }
}
