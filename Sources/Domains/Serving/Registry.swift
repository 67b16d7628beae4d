public import AlmanacEnvironments
public import AlmanacMetrics
internal import AlmanacPostgreSQL
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

    /// The environments as one thread knows them, so that it needs the lock only after a change.
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

/// Why an environment could not be started.
public struct StartFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ settings: EnvironmentSettings, _ cause: any Error) {
        description = "environment '\(settings.name)', \(settings.database.place): \(cause)"
    }
}
