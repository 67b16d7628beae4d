internal import AlmanacEnvironments
public import AlmanacFastCGI
internal import AlmanacPOSIX

/// A server process, which loads the environments, answers requests on its threads, and ends on a signal.
public struct Server<Service: EnvironmentService>: Sendable {
    private let settings: ServerSettings
    private let registry: Registry<Service>
    private let listener: Listener
    private let stop: Event
    private let runnable = RunnableThreads()

    /// The maximum time for requests in flight after the signal to end.
    private static var stopTimeout: Duration { .seconds(9) }

    public init(_ settings: ServerSettings, start: @escaping Registry<Service>.Start) throws {
        self.settings = settings
        stop = try Event()
        listener = try Listener(settings.listenSource, stop: stop)
        registry = try Registry(file: settings.environmentsFile, start: start)
    }

    /// Serves until SIGTERM or SIGINT, and reloads the environments file on SIGHUP.
    ///
    /// - Parameter serve: Answers requests on each of the threads, until the listener ends.
    public func run(_ serve: @escaping @Sendable (Listener, Registry<Service>) -> Void) -> Never {
        let threads = (0..<settings.threads).map { number in
            Thread(name: "request-\(number)") { [listener, registry, runnable] in
                runnable.run { serve(listener, registry) }
            }
        }
        Log.info("ready", ("environments", registry.names.joined(separator: " ")))
        while Signal.next() == .reload {
            do {
                try registry.reload()
                Log.info("environments file read again", ("environments", registry.names.joined(separator: " ")))
            } catch {
                Log.error("environments file refused; the previous one remains in use", ("reason", "\(error)"))
            }
        }
        stop.set()
        runnable.liftLimit()
        let deadline = ContinuousClock.now + Self.stopTimeout
        for thread in threads { thread.wait(upTo: max(.zero, deadline - .now)) }
        registry.close()
        Log.info("stopped")
        Process.end(status: 0)
    }
}

public enum Program {
    /// Runs the program. If the start fails, reports the reason in one line and ends with status 1.
    ///
    /// With the argument `--check`, only validates the environments file and the password files that it names.
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
            // A supervisor may restart the program at once, so the program runs for at least a second.
            let remaining = Duration.seconds(1) - (ContinuousClock.now - started)
            if remaining > .zero { _ = try? Event().wait(upTo: remaining) }
            Process.end(status: 1)
        }
    }

    private static func check(_ name: String) -> Never {
        let path = ServerSettings.environmentsFilePath
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
