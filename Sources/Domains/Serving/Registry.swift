public import AlmanacEnvironments
public import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL
internal import Synchronization

/// The environments that this process serves.
public final class Registry<Service: EnvironmentService>: Sendable {
    /// Starts an environment; is also given a way to find the others of this process.
    public typealias Start =
        @Sendable (EnvironmentSettings, _ find: @escaping @Sendable (EnvironmentName) -> Service?) throws -> Service

    private let file: String
    private let start: Start
    /// Invariant: each environment of the last file that was accepted is either in `running`, and runs, or in `awaited`
    /// while a thread of its own tries to start it; no other is in either.
    fileprivate struct State {
        var running: [EnvironmentName: Service] = [:]
        var awaited: [EnvironmentName: AwaitedEnvironment] = [:]
    }
    private let state = Mutex(State())
    /// Raised after every change of `state`.
    private let generation = Atomic(0)

    /// Loads the file and starts every environment in it.
    ///
    /// Returns without those whose database is away, as long as there is another; they are taken up when it is there.
    public init(file: String, start: @escaping Start) throws {
        self.file = file
        self.start = start
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let awaited = try wanted.map { try AwaitedEnvironment($0) }
        state.withLock { $0.awaited = Dictionary(uniqueKeysWithValues: awaited.map { ($0.settings.name, $0) }) }
        for environment in awaited { take(up: environment) }
        do { try AwaitedEnvironment.waitForFirstStart(of: awaited) } catch {
            close()
            throw error
        }
    }

    /// Those that run.
    public var names: [String] { state.withLock { $0.running.keys.map(\.text).sorted() } }

    /// Those that run.
    public var all: [Service] { state.withLock { Array($0.running.values) } }

    /// Those that could not be started yet, and why, for everyone on the host.
    var awaited: [(name: String, reason: String)] {
        state.withLock { $0.awaited.values.map { ($0.settings.name.text, $0.reason) } }
    }

    /// The environments as one thread knows them, so that it needs the lock only after a change.
    struct View {
        fileprivate var generation = -1
        fileprivate var state = State()
    }

    /// The environment of that name, found without a lock unless the environments have changed.
    func environment(_ name: EnvironmentName, _ view: inout View) -> Service? {
        renew(&view)
        return view.state.running[name]
    }

    /// Whether the environment of that name could not be started yet.
    func isAwaited(_ name: EnvironmentName, _ view: inout View) -> Bool {
        renew(&view)
        return view.state.awaited[name] != nil
    }

    private func renew(_ view: inout View) {
        let newest = generation.load(ordering: .acquiring)
        guard view.generation != newest else { return }
        view.state = state.withLock { $0 }
        view.generation = newest
    }

    subscript(_ name: EnvironmentName) -> Service? { state.withLock { $0.running[name] } }

    /// Reads the file again: starts what is new or changed, and lets go of what is gone once its requests are done.
    ///
    /// When anything in it cannot be had, nothing changes; only what was awaited before is awaited further.
    public func reload() throws {
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let before = state.withLock { $0 }
        var started: [EnvironmentName: Service] = [:]
        var kept: Set<EnvironmentName> = []
        do {
            for settings in wanted {
                let known = before.running[settings.name]?.settings ?? before.awaited[settings.name]?.settings
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
                state.awaited = state.awaited.filter { kept.contains($0.key) }
            }
            return (
                services: state.running.filter { !kept.contains($0.key) }.values,
                awaited: state.awaited.filter { !kept.contains($0.key) }.values
            )
        }
        generation.add(1, ordering: .releasing)
        for environment in gone.awaited { environment.stop() }
        for service in gone.services { service.close() }
    }

    /// Ends all environments, after writing down what they have only in memory.
    public func close() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        generation.add(1, ordering: .releasing)
        for environment in ended.awaited.values { environment.stop() }
        for service in ended.running.values { service.close() }
    }

    private func service(_ settings: EnvironmentSettings) throws -> Service {
        try start(settings) { [weak self] name in self?[name] }
    }

    /// Tries to start an environment until it runs, on a thread of its own.
    private func take(up environment: AwaitedEnvironment) {
        _ = Thread(name: "start-\(environment.settings.name)") {
            environment.attempt { settings in
                let service = try self.service(settings)
                let isWanted = self.state.withLock { state in
                    guard state.awaited[settings.name] === environment else { return false }
                    state.awaited[settings.name] = nil
                    state.running[settings.name] = service
                    return true
                }
                self.generation.add(1, ordering: .releasing)
                if !isWanted { service.close() }
            }
        }
    }
}

/// One environment at work in a server program, from the reading of its settings until it is let go.
///
/// On the page of metrics its numbers have the environment's name as a label.
public protocol EnvironmentService: AnyObject, MetricSource {
    var settings: EnvironmentSettings { get }

    /// The revision of the config that is known here, and whether it may be out of date.
    var state: (revision: Int64, isStale: Bool) { get }

    /// Why requests fail for the schema, though the database answers, and what to do about it; nil when they needn't.
    var schemaFailure: String? { get }

    /// Lets go of the environment; requests in flight finish.
    func close()
}
