internal import Environments
internal import Synchronization

/// The environments that this worker serves.
final class Registry: Sendable {
    private let file: String
    private let connections: Int
    /// Invariant: holds exactly the environments of the last file that was accepted, each running.
    private let served = Mutex<[EnvironmentName: ServedEnvironment]>([:])
    /// Raised after every change of `served`.
    private let generation = Atomic(0)

    /// Loads the file and starts every environment in it.
    init(file: String, connections: Int) throws {
        self.file = file
        self.connections = connections
        try reload()
    }

    var names: [String] { served.withLock { $0.keys.map(\.text).sorted() } }

    var all: [ServedEnvironment] { served.withLock { Array($0.values) } }

    /// What one thread knows of the environments, so that it needs the lock only after a change.
    struct View {
        fileprivate var generation = -1
        fileprivate var served: [EnvironmentName: ServedEnvironment] = [:]
    }

    /// The environment of that name, found without a lock unless the environments have changed.
    func environment(_ name: EnvironmentName, _ view: inout View) -> ServedEnvironment? {
        let newest = generation.load(ordering: .acquiring)
        if view.generation != newest {
            view.served = served.withLock { $0 }
            view.generation = newest
        }
        return view.served[name]
    }

    subscript(_ name: EnvironmentName) -> ServedEnvironment? { served.withLock { $0[name] } }

    /// Reads the file again: starts what is new or changed, and lets go of what is gone once its requests are done.
    ///
    /// When anything in it cannot be had, nothing changes.
    func reload() throws {
        let wanted = try EnvironmentsFile.load(file, for: .worker)
        let running = served.withLock { $0 }
        var next: [EnvironmentName: ServedEnvironment] = [:]
        do {
            for settings in wanted {
                if let kept = running[settings.name], kept.settings == settings {
                    next[settings.name] = kept
                } else {
                    next[settings.name] = try ServedEnvironment(settings, connections: connections) { [weak self] name in
                        self?[name]
                    }
                }
            }
        } catch {
            for environment in next.values where running[environment.settings.name] !== environment {
                environment.close()
            }
            throw error
        }
        served.withLock { [next] in $0 = next }
        generation.add(1, ordering: .releasing)
        for environment in running.values where next[environment.settings.name] !== environment { environment.close() }
    }

    /// Ends all environments, after writing down what they have only in memory.
    func close() {
        for environment in all { environment.close() }
    }
}
