internal import Config
internal import FastCGI
internal import HTTP
internal import Notes
internal import POSIX
internal import Serving

/// A worker process: loads the environments, answers requests on its threads, and ends when it is told to.
struct Worker {
    private let settings: ServerSettings
    private let registry: Registry<WorkerEnvironment>
    private let listener: Listener
    private let stop: Event

    /// The longest that requests in flight may take after the worker was told to end.
    private static let patience = Duration.seconds(9)

    init(_ settings: ServerSettings) throws {
        self.settings = settings
        stop = try Event()
        listener = try Listener(settings.place, stop: stop)
        registry = try Registry(file: settings.environmentsFile) { environment, find in
            try WorkerEnvironment(environment, connections: settings.connections, find: find)
        }
    }

    /// The routes of every domain.
    private static var routes: Router<WorkerEnvironment> {
        Router(ConfigRoutes.all.map { $0.within { $0.config } } + NotesRoutes.all.map { $0.within { $0.notes } })
    }

    /// Serves until SIGTERM or SIGINT; SIGHUP reads the environments file again.
    func run() {
        let router = Self.routes
        let threads = (0..<settings.threads).map { number in
            Thread(name: "request-\(number)") { [listener, registry] in
                let gateway = Gateway(registry: registry, router: router) { $0 }
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
