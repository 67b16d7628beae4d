internal import AlmanacEnvironments
internal import AlmanacServing
internal import Synchronization

/// Whether an environment's database can be used, logged when that changes.
final class DatabaseHealth: Sendable {
    private let environment: String
    private let away = Mutex(false)

    init(_ environment: EnvironmentName) {
        self.environment = environment.text
    }

    var isAway: Bool { away.withLock { $0 } }

    /// - Parameter failure: nil when the database has just answered.
    func note(_ failure: (any Error)?) {
        let hasChanged = away.withLock { away in
            defer { away = failure != nil }
            return away != (failure != nil)
        }
        guard hasChanged else { return }
        if let failure {
            Log.error("database away", ("environment", environment), ("reason", "\(failure)"))
        } else {
            Log.info("database back", ("environment", environment))
        }
    }
}
