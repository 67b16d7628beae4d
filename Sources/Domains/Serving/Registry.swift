public import AlmanacEnvironments
public import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import Synchronization

/// The environments that this process serves.
public final class Registry<Service: EnvironmentService>: Sendable {
    /// A function that starts an environment. `find` returns the other environments of this process.
    public typealias Start =
        @Sendable (EnvironmentSettings, _ find: @escaping @Sendable (EnvironmentName) -> Service?) throws -> Service

    private let file: String
    private let start: Start
    /// Invariant: each environment of the last accepted file is either running and in `running`, or in `pending` while
    /// a separate thread tries to start it. No other environment is in either.
    fileprivate struct State {
        var running: [EnvironmentName: Service] = [:]
        var pending: [EnvironmentName: PendingEnvironment] = [:]
    }
    private let state = Mutex(State())
    /// A counter that is raised after every change of `state`.
    private let generation = Atomic(0)

    /// Loads the file and starts every environment in it.
    ///
    /// Environments with an unreachable database are started later, as long as another environment has started.
    public init(file: String, start: @escaping Start) throws {
        self.file = file
        self.start = start
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let pending = try wanted.map { try PendingEnvironment($0) }
        state.withLock { $0.pending = Dictionary(uniqueKeysWithValues: pending.map { ($0.settings.name, $0) }) }
        for environment in pending { startInBackground(environment) }
        do { try PendingEnvironment.waitForFirstStart(of: pending) } catch {
            close()
            throw error
        }
    }

    /// The names of the running environments.
    public var names: [String] { state.withLock { $0.running.keys.map(\.text).sorted() } }

    /// The running environments.
    public var all: [Service] { state.withLock { Array($0.running.values) } }

    /// The environments that could not be started yet, with a reason for everyone on the host.
    var pending: [(name: String, reason: String)] {
        state.withLock { $0.pending.values.map { ($0.settings.name.text, $0.reason) } }
    }

    /// A thread's copy of the environments, so that the thread needs the lock only after a change.
    struct View {
        fileprivate var generation = -1
        fileprivate var state = State()
        /// The environment that was found last, which is often wanted next.
        fileprivate var last: (name: String, service: Service)?
    }

    /// Returns the environment of a name, without a lock unless the environments have changed.
    func environment(_ name: String, _ view: inout View) -> Service? {
        refresh(&view)
        if let last = view.last, last.name.hasSameBytes(as: name) { return last.service }
        guard let service = EnvironmentName(name).flatMap({ view.state.running[$0] }) else { return nil }
        view.last = (name, service)
        return service
    }

    /// Returns true if the environment of a name could not be started yet.
    func isPending(_ name: EnvironmentName, _ view: inout View) -> Bool {
        refresh(&view)
        return view.state.pending[name] != nil
    }

    private func refresh(_ view: inout View) {
        let newest = generation.load(ordering: .acquiring)
        guard view.generation != newest else { return }
        view.state = state.withLock { $0 }
        view.last = nil
        view.generation = newest
    }

    subscript(_ name: EnvironmentName) -> Service? { state.withLock { $0.running[name] } }

    /// Reloads the file: starts new and changed environments, and closes removed ones after their requests.
    ///
    /// If any environment fails to start, nothing changes. Unchanged environments that are pending remain pending.
    public func reload() throws {
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let before = state.withLock { $0 }
        var started: [EnvironmentName: Service] = [:]
        var kept: Set<EnvironmentName> = []
        do {
            for settings in wanted {
                let known = before.running[settings.name]?.settings ?? before.pending[settings.name]?.settings
                if known == settings {
                    kept.insert(settings.name)
                } else {
                    started[settings.name] = try service(settings)
                }
            }
        } catch {
            for service in started.values { service.close() }
            throw error
        }
        let gone = state.withLock { [started, kept] state in
            defer {
                state.running = state.running.filter { kept.contains($0.key) }.merging(started) { $1 }
                state.pending = state.pending.filter { kept.contains($0.key) }
            }
            return (
                services: state.running.filter { !kept.contains($0.key) }.values,
                pending: state.pending.filter { !kept.contains($0.key) }.values
            )
        }
        generation.add(1, ordering: .releasing)
        for environment in gone.pending { environment.stop() }
        for service in gone.services { service.close() }
    }

    /// Closes all environments, which first store the data that is only in memory.
    public func close() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        generation.add(1, ordering: .releasing)
        for environment in ended.pending.values { environment.stop() }
        for service in ended.running.values { service.close() }
    }

    private func service(_ settings: EnvironmentSettings) throws -> Service {
        try start(settings) { [weak self] name in self?[name] }
    }

    /// Starts an environment on a separate thread, with retries until it runs.
    private func startInBackground(_ environment: PendingEnvironment) {
        _ = Thread(name: "start-\(environment.settings.name)") {
            environment.startWithRetries { settings in
                let service = try self.service(settings)
                let isWanted = self.state.withLock { state in
                    guard state.pending[settings.name] === environment else { return false }
                    state.pending[settings.name] = nil
                    state.running[settings.name] = service
                    return true
                }
                self.generation.add(1, ordering: .releasing)
                if !isWanted { service.close() }
            }
        }
    }
}

/// A running environment of a server program.
///
/// The environment's metrics have the environment's name as a label.
public protocol EnvironmentService: AnyObject, MetricSource {
    var settings: EnvironmentSettings { get }

    /// The known revision of the config, which may be stale.
    var state: (revision: Int64, isStale: Bool) { get }

    /// The reason why requests fail because of the schema, with a remedy; nil if this release works with it.
    var schemaFailure: String? { get }

    /// Closes the environment after the requests in flight.
    func close()
}
