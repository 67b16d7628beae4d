internal import AlmanacHTTP
internal import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// The metrics of requests. The label of an unknown environment or route is `-`.
extension Metric {
    static let httpRequests = Metric(
        .counter, "almanac_http_requests_total", by: ["environment", "route", "method", "status"], "Requests answered.")
    static let httpRequestDuration = Metric(
        .histogram(bounds: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
        "almanac_http_request_duration_seconds", by: ["environment", "route", "method"],
        "Time from a request's arrival at this process to the end of its response.")
    static let httpRequestsUnreached = Metric(
        .counter, "almanac_http_requests_unmet_total", by: ["environment", "route"],
        "Requests for a revision that has not arrived; excluded elsewhere, because anybody can send these requests.")
    static let httpRequestsInProgress = Metric(
        .gauge, "almanac_http_requests_in_progress", "Requests in progress, including the request for this page.")
}

/// The counts and durations of the requests that one thread answers.
///
/// Each thread has its own instruments, so threads do not contend. The number of keys is limited by the combinations of
/// environments, routes, methods and statuses.
final class RequestMeter {
    private let observation: Observation
    private let inProgress: Gauge
    private var instruments: [Key: Instruments] = [:]
    private var unreached: [UnreachedKey: Counter] = [:]
    /// The instruments of the previous request, which often fit the next one.
    private var last: (key: Key, instruments: Instruments)?

    private struct Key: Hashable {
        let environment: String?
        let route: String?
        let method: String
        let status: Int
    }

    private struct UnreachedKey: Hashable {
        let environment: String?
        let route: String?
    }

    private struct Instruments {
        let count: Counter
        let duration: Histogram
    }

    init(_ observation: Observation) {
        self.observation = observation
        inProgress = observation.inProgress.member()
    }

    func begin() { inProgress.add(1) }

    /// Stops counting a queued request, which may begin again on another thread.
    func wait() { inProgress.add(-1) }

    func end(_ record: RequestRecord) {
        inProgress.add(-1)
        if record.problem.flatMap(ProblemKind.init(rawValue:))?.isCallerFault == true {
            countUnreached(record)
            return
        }
        let key = Key(
            environment: record.environment, route: record.route, method: record.method, status: record.status)
        let instruments = instruments(key)
        instruments.count.add()
        instruments.duration.observe(nanoseconds: record.nanoseconds)
    }

    private func countUnreached(_ record: RequestRecord) {
        let key = UnreachedKey(environment: record.environment, route: record.route)
        if unreached[key] == nil {
            unreached[key] = observation.unreached.member(key.environment ?? "-", key.route ?? "-")
        }
        unreached[key]?.add()
    }

    private func instruments(_ key: Key) -> Instruments {
        if let last, last.key == key { return last.instruments }
        let found = instruments[key] ?? add(key)
        last = (key, found)
        return found
    }

    private func add(_ key: Key) -> Instruments {
        // No environment and no route can have the name `-`.
        let environment = key.environment ?? "-"
        let route = key.route ?? "-"
        let added = Instruments(
            count: observation.requests.member(environment, route, key.method, "\(key.status)"),
            duration: observation.durations.member(environment, route, key.method))
        instruments[key] = added
        return added
    }
}

/// The record of a request for metrics and the log. The sender chose nothing in it, except a known method.
final class RequestRecord: @unchecked Sendable {
    // Safe because only one thread at a time uses a request: the thread that received it, until it puts the request
    // into the queue, and then the thread that takes it out.

    /// The request's id from nginx.
    let id: String
    let method: String
    /// The environment of the request; nil if it is unknown, or the path names none.
    var environment: String?
    /// The pattern of the route: `/{environment}/config/{key}`; nil without a route.
    var route: String?
    var status = 0
    /// The kind of the problem in the response.
    var problem: String?
    /// The reason for the failure, for the operator.
    var reason: String?
    /// The arrival of the request, by `MonotonicClock`, in nanoseconds.
    let arrival: Int
    private(set) var nanoseconds = 0
    private(set) var databaseNanoseconds = 0

    init(method: String, id: String) {
        self.id = id
        self.method = Self.methods.contains(method) ? method : "other"
        arrival = MonotonicClock.nanoseconds
    }

    /// Begins to measure database time, on the thread that works on the request.
    func begin() { databaseNanoseconds = DatabaseTime.nanoseconds }

    /// Ends the measurement, on the same thread.
    func end() {
        nanoseconds = MonotonicClock.nanoseconds - arrival
        databaseNanoseconds = DatabaseTime.nanoseconds - databaseNanoseconds
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}
