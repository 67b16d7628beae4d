public import AlmanacFastCGI
internal import AlmanacPOSIX

/// The settings of a server program, from its environment variables.
public struct ServerSettings: Sendable {
    /// `ALMANAC_ENVIRONMENTS`: the file that lists the environments.
    public let environmentsFile: String
    /// `ALMANAC_LISTEN`: `unix:/path` or `host:port`; by default the service manager's socket (sd_listen_fds(3)), or
    /// descriptor 0.
    public let listenSource: Listener.Source
    /// `ALMANAC_THREADS`: the number of requests that are handled at the same time.
    public let threads: Int
    /// `ALMANAC_CONNECTIONS`: the number of database connections for requests, per environment.
    public let connections: Int
    /// `ALMANAC_LOG`: the requests that are logged.
    public let loggedRequests: LoggedRequests

    /// The maximum duration of a statement. The web server gives up after 30 s, of which 10 s may be spent in a queue.
    public static let statementTimeout = Duration.seconds(10)

    public enum LoggedRequests: String, CaseIterable, Sendable {
        /// `requests`: every request.
        case all = "requests"
        /// `problems`: requests with a status of 500 or above, or a duration of at least one second.
        case problems
    }

    /// Reads the settings. The parameters are the defaults.
    public init(threads: Int, connections: Int) throws(ServerSettingsFailure) {
        environmentsFile = Self.environmentsFilePath
        listenSource = try Self.listenSource()
        self.threads = try Self.number("ALMANAC_THREADS", in: 1...1024) ?? threads
        self.connections = try Self.number("ALMANAC_CONNECTIONS", in: 1...256) ?? connections
        loggedRequests = try Self.loggedRequests()
    }

    static var environmentsFilePath: String {
        Process.variable("ALMANAC_ENVIRONMENTS") ?? "/etc/almanac/environments.json"
    }

    private static func listenSource() throws(ServerSettingsFailure) -> Listener.Source {
        if let address = Process.variable("ALMANAC_LISTEN") {
            return .address(address.hasPrefix("unix:") ? String(address.dropFirst(5)) : address)
        }
        // The sockets are meant for the process with that id alone, not for its children.
        guard Process.variable("LISTEN_PID") == "\(Process.id)" else { return .inherited(descriptor: 0) }
        guard Process.variable("LISTEN_FDS") == "1" else {
            throw ServerSettingsFailure(description: "the service manager must hand over exactly one socket")
        }
        return .inherited(descriptor: 3)
    }

    private static func loggedRequests() throws(ServerSettingsFailure) -> LoggedRequests {
        guard let text = Process.variable("ALMANAC_LOG") else { return .problems }
        guard let choice = LoggedRequests(rawValue: text) else {
            let choices = LoggedRequests.allCases.map(\.rawValue).joined(separator: " or ")
            throw ServerSettingsFailure(description: "ALMANAC_LOG must be \(choices)")
        }
        return choice
    }

    private static func number(_ name: String, in range: ClosedRange<Int>) throws(ServerSettingsFailure) -> Int? {
        guard let text = Process.variable(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ServerSettingsFailure(
                description: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

public struct ServerSettingsFailure: Error, CustomStringConvertible {
    public let description: String
}
