internal import FastCGI
internal import POSIX

/// A worker process: loads the environments, answers requests on its threads, and ends when it is told to.
struct Worker {
    private let settings: WorkerSettings
    private let registry: Registry
    private let listener: Listener
    private let stop: Event

    /// The longest that requests in flight may take after the worker was told to end.
    private static let patience = Duration.seconds(9)

    init(_ settings: WorkerSettings) throws {
        self.settings = settings
        stop = try Event()
        listener = try Listener(settings.place, stop: stop)
        registry = try Registry(file: settings.environmentsFile, connections: settings.connections)
    }

    /// Serves until SIGTERM or SIGINT; SIGHUP reads the environments file again.
    func run() {
        let router = Gateway.routes
        let threads = (0..<settings.threads).map { number in
            Thread(name: "request-\(number)") { [listener, registry] in
                let gateway = Gateway(registry: registry, router: router)
                var connection = listener.accept()
                while let held = connection {
                    if let parameters = held.nextRequest() { gateway.serve(parameters, on: held) }
                    connection = listener.accept(after: held)
                }
            }
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
