public import AlmanacEnvironments
internal import AlmanacMigrations
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// An environment whose start is retried until it succeeds.
final class PendingEnvironment: Sendable {
    let settings: EnvironmentSettings
    private let stopping: Event
    private let state = Monitor(State())

    private struct State {
        var progress = Progress.connecting
        /// True once failures are logged instead of ending the program.
        var isReporting = false
        /// The last failure in the log.
        var reported: String?
    }

    private enum Progress {
        case connecting
        /// The database responds, and the environment's data is being read.
        case loading
        case started
        case failed(StartFailure)
    }

    /// The maximum time that the other environments wait for a database that does not respond.
    private static let timeout = Duration.milliseconds(600)
    /// The maximum pause between two attempts.
    private static let maxPause = Duration.seconds(1)

    /// Refuses an invalid connection string.
    init(_ settings: EnvironmentSettings) throws {
        do { try settings.database.check() } catch { throw StartFailure(settings, error) }
        self.settings = settings
        stopping = try Event()
    }

    /// The reason why the environment is not running, in a form for everyone on the host.
    var reason: String { failure?.publicReason ?? StartFailure.publicReason }

    private var failure: StartFailure? {
        state.read { if case .failed(let failure) = $0.progress { failure } else { nil } }
    }

    private var isStarted: Bool { state.read { if case .started = $0.progress { true } else { false } } }

    func stop() { stopping.set() }

    /// Starts the environment, with retries until it succeeds or is stopped.
    func startWithRetries(_ start: (EnvironmentSettings) throws -> Void) {
        var pause = Duration.milliseconds(100)
        while !stopping.isSet {
            do {
                // A separate connection distinguishes an unresponsive database from a slow load.
                _ = try Connection(settings.database)
                state.update { $0.progress = .loading }
                try start(settings)
                state.update { $0.progress = .started }
                if state.read({ $0.reported != nil }) {
                    Log.info("environment started", ("environment", settings.name.text))
                }
                return
            } catch {
                let failure = error as? StartFailure ?? StartFailure(settings, error)
                state.update { $0.progress = .failed(failure) }
                report()
            }
            _ = stopping.wait(upTo: pause)
            pause = min(pause * 2, Self.maxPause)
        }
    }

    /// Logs the failure, unless it is already the last in the log.
    private func report() {
        let reason = state.update { state -> String? in
            guard state.isReporting, case .failed(let failure) = state.progress, failure.description != state.reported
            else { return nil }
            state.reported = failure.description
            return failure.description
        }
        guard let reason else { return }
        Log.error("environment not started yet", ("environment", settings.name.text), ("reason", reason))
    }

    /// Blocks until every environment has been tried, or briefly for an unresponsive database if another has started.
    ///
    /// - Throws: The first failure if no environment has started, or a failure that retries cannot repair.
    static func waitForFirstStart(of environments: [PendingEnvironment]) throws {
        let end = ContinuousClock.now + timeout
        for environment in environments {
            environment.wait(upTo: max(.zero, end - .now)) { if case .connecting = $0 { false } else { true } }
        }
        for environment in environments { environment.wait { if case .loading = $0 { false } else { true } } }
        if !environments.contains(where: \.isStarted) {
            for environment in environments {
                environment.wait { if case .started = $0 { true } else if case .failed = $0 { true } else { false } }
            }
        }
        let hasStarted = environments.contains(where: \.isStarted)
        for environment in environments {
            if let failure = environment.failure, !hasStarted || !failure.isRetryable { throw failure }
        }
        for environment in environments {
            environment.state.update { $0.isReporting = true }
            environment.report()
        }
    }

    private func wait(upTo limit: Duration? = nil, until isOver: (Progress) -> Bool) {
        _ = state.wait(upTo: limit) { isOver($0.progress) ? true : nil }
    }
}

/// A failed start of an environment.
public struct StartFailure: Error, CustomStringConvertible {
    public let description: String
    /// True if a later attempt may succeed after a change of the database alone.
    let isRetryable: Bool
    /// The reason without facts that not everyone on the host may see.
    let publicReason: String

    static let publicReason = "the database is unreachable or cannot be read; see the log"

    public init(_ settings: EnvironmentSettings, _ cause: any Error) {
        description = "environment '\(settings.name)', \(settings.database.place): \(cause)"
        isRetryable = (cause as? PostgresFailure).map { $0.isUnavailable || $0.state?.isTransient == true } ?? false
        publicReason = (cause as? MigrationFailure).map { "\($0)" } ?? Self.publicReason
    }
}
