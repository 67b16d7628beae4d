internal import AlmanacEnvironments
public import AlmanacFastCGI
internal import AlmanacPOSIX

/// A server process: loads the environments, answers requests on its threads, and ends when a signal asks it to.
public struct Server<Service: EnvironmentService>: Sendable {
    private let settings: ServerSettings
    private let registry: Registry<Service>
    private let listener: Listener
    private let stop: Event

    /// The longest that requests in flight may take after the signal to end.
    private static var stopTimeout: Duration { .seconds(9) }

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
        let deadline = ContinuousClock.now + Self.stopTimeout
        for thread in threads { thread.wait(upTo: max(.zero, deadline - .now)) }
        registry.close()
        Log.info("stopped")
        Process.end(status: 0)
    }
}

/// The main function of a server program.
public enum Program {
    /// Runs it; when it cannot start it reports why in one line, and ends with status 1.
    ///
    /// With the argument `--check` it reads the environments file as it would, and the password files that are named
    /// there, and says what came of it.
    public static func run(_ name: String, _ body: () throws -> Never) -> Never {
        if CommandLine.arguments.dropFirst().elementsEqual(["--check"]) { check(name) }
        let started = ContinuousClock.now
        Signal.takeOver()
        Process.limitHeaps()
        do {
            try body()
        } catch {
            let reason = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            Process.report("\(name): \(reason)")
            // A supervisor may start the program again at once; it ends no sooner than a second after its start.
            let remaining = Duration.seconds(1) - (ContinuousClock.now - started)
            if remaining > .zero { _ = try? Event().wait(upTo: remaining) }
            Process.end(status: 1)
        }
    }

    private static func check(_ name: String) -> Never {
        let path = ServerSettings.usedEnvironmentsFile
        do {
            let environments = try EnvironmentsFile.load(path, for: .worker)
            let names = environments.map(\.name.text).joined(separator: ", ")
            try Process.output("\(path): is valid and has \(names)\n")
            Process.end(status: 0)
        } catch {
            Process.report("\(name): \(error)")
            Process.end(status: 1)
        }
    }
}
