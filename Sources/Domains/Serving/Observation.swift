internal import AlmanacEnvironments
internal import AlmanacHTTP
public import AlmanacMetrics
internal import AlmanacPOSIX

extension Metric {
    static let buildInfo = Metric(
        .gauge, "almanac_build_info", by: ["program", "process", "schema", "version"],
        "Always 1; the labels name the program, the process, its release and its schema.")
    static let threads = Metric(.gauge, "almanac_threads", "Maximum number of concurrent requests.")

    static let environmentUp = Metric(
        .gauge, "almanac_environment_up", by: ["environment"],
        "1 if the environment is served; 0 until its database is first reached.")

    /// The metrics of every server program.
    public static let ofServing: [Metric] =
        ofProcess + [
            buildInfo, threads, environmentUp, httpRequests, httpRequestDuration, httpRequestsUnreached,
            httpRequestsInProgress, httpRequestsWaiting, databaseConnections, databaseConnectionsLimit,
            databaseTimeouts, notifications, notificationFailures, listenerDisconnects, backupAge,
        ]
}

/// The view of a server program for operators: the metrics page, and the log of requests.
public final class Observation: Sendable {
    let requests = Family<Counter>(.httpRequests)
    let durations = Family<Histogram>(.httpRequestDuration)
    let unreached = Family<Counter>(.httpRequestsUnreached)
    let inProgress = Family<Gauge>(.httpRequestsInProgress)
    let log: RequestLog
    /// The memory budget of large requests, which keeps a process below 512 MB.
    let memory = MemoryBudget(bytes: 160 << 20)
    /// The log of connections that sent no valid request.
    let refusals = LimitedLog()
    private let program: String
    private let schema: Int
    private let version: String
    private let threads: Int
    private let sources: [any MetricSource]

    /// - Parameters:
    ///   - program: The program's name: `almanac-worker`.
    ///   - schema: The number of the newest migration that the program needs.
    ///   - sources: All metrics besides those of requests, environments and the process.
    public init(program: String, schema: Int, version: String, settings: ServerSettings, sources: [any MetricSource]) {
        self.version = version
        self.program = program
        self.schema = schema
        self.sources = sources
        threads = settings.threads
        log = RequestLog(settings.loggedRequests)
    }

    /// Returns the metrics page. `pending` has the names of the environments that could not be started yet.
    func page(of environments: [some EnvironmentService], pending: [String]) -> Response {
        var exposition = Exposition()
        exposition.add(.buildInfo, [program, "\(Process.id)", "\(schema)", version], 1)
        exposition.add(.threads, [], Double(threads))
        if let usage = ProcessUsage.now { exposition.add(usage) }
        requests.write(to: &exposition)
        durations.write(to: &exposition)
        unreached.write(to: &exposition)
        inProgress.write(to: &exposition)
        for source in sources { source.write(to: &exposition) }
        for environment in environments {
            exposition.add(.environmentUp, [environment.settings.name.text], 1)
            environment.write(to: &exposition)
        }
        for name in pending { exposition.add(.environmentUp, [name], 0) }
        var response = Response(contentType: Exposition.contentType, body: Array(exposition.text.utf8))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
