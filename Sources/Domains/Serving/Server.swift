public import AlmanacFastCGI
internal import AlmanacPOSIX

/// A server process: loads the environments, answers requests on its threads, and ends when it is told to.
public struct Server<Service: EnvironmentService>: Sendable {
    private let settings: ServerSettings
    private let registry: Registry<Service>
    private let listener: Listener
    private let stop: Event

    /// The longest that requests in flight may take after the process was told to end.
    private static var patience: Duration { .seconds(9) }

    /// - Parameter start: starts an environment.
    public init(_ settings: ServerSettings, start: @escaping Registry<Service>.Start) throws {
        self.settings = settings
        stop = try Event()
        listener = try Listener(settings.place, stop: stop)
        registry = try Registry(file: settings.environmentsFile, start: start)
    }

    /// Serves until SIGTERM or SIGINT; SIGHUP reads the environments file again.
    ///
    /// - Parameter serve: answers requests, on each of the threads, until the listener has none any more.
    public func run(_ serve: @escaping @Sendable (Listener, Registry<Service>) -> Void) -> Never {
        let threads = (0..<settings.threads).map { number in
            Thread(name: "request-\(number)") { [listener, registry] in serve(listener, registry) }
        }
        Log.info("ready", ("environments", registry.names.joined(separator: " ")))
        while Signal.next() == .reload {
            do {
                try registry.reload()
                Log.info("environments file read again", ("environments", registry.names.joined(separator: " ")))
            } catch {
                Log.error("environments file refused, the old one stays in force", ("reason", "\(error)"))
            }
        }
        stop.set()
        let deadline = ContinuousClock.now + Self.patience
        for thread in threads { thread.wait(upTo: max(.zero, deadline - .now)) }
        registry.close()
        Log.info("stopped")
        Process.end(status: 0)
    }
}
