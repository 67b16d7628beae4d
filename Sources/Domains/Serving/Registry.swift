public import AlmanacEnvironments
internal import Synchronization

/// The environments that this process serves.
public final class Registry<Service: EnvironmentService>: Sendable {
    /// Starts an environment; is also given a way to find the others of this process.
    public typealias Start =
        @Sendable (EnvironmentSettings, _ find: @escaping @Sendable (EnvironmentName) -> Service?) throws -> Service

    private let file: String
    private let start: Start
    /// Invariant: holds exactly the environments of the last file that was accepted, each running.
    private let served = Mutex<[EnvironmentName: Service]>([:])
    /// Raised after every change of `served`.
    private let generation = Atomic(0)

    /// Loads the file and starts every environment in it.
    public init(file: String, start: @escaping Start) throws {
        self.file = file
        self.start = start
        try reload()
    }

    public var names: [String] { served.withLock { $0.keys.map(\.text).sorted() } }

    public var all: [Service] { served.withLock { Array($0.values) } }

    /// What one thread knows of the environments, so that it needs the lock only after a change.
    struct View {
        fileprivate var generation = -1
        fileprivate var served: [EnvironmentName: Service] = [:]
    }

    /// The environment of that name, found without a lock unless the environments have changed.
    func environment(_ name: EnvironmentName, _ view: inout View) -> Service? {
        let newest = generation.load(ordering: .acquiring)
        if view.generation != newest {
            view.served = served.withLock { $0 }
            view.generation = newest
        }
        return view.served[name]
    }

    subscript(_ name: EnvironmentName) -> Service? { served.withLock { $0[name] } }

    /// Reads the file again: starts what is new or changed, and lets go of what is gone once its requests are done.
    ///
    /// When anything in it cannot be had, nothing changes.
    public func reload() throws {
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let running = served.withLock { $0 }
        var next: [EnvironmentName: Service] = [:]
        do {
            for settings in wanted {
                if let kept = running[settings.name], kept.settings == settings {
                    next[settings.name] = kept
                } else {
                    next[settings.name] = try start(settings) { [weak self] name in self?[name] }
                }
            }
        } catch {
            for service in next.values where running[service.settings.name] !== service { service.close() }
            throw error
        }
        served.withLock { [next] in $0 = next }
        generation.add(1, ordering: .releasing)
        for service in running.values where next[service.settings.name] !== service { service.close() }
    }

    /// Ends all environments, after writing down what they have only in memory.
    public func close() {
        for service in all { service.close() }
    }
}
