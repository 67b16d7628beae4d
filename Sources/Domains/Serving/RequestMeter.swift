internal import AlmanacHTTP
internal import AlmanacMetrics
internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// About requests. A request that no environment or no route is known for has `-` there.
extension Metric {
    static let httpRequests = Metric(
        .counter, "almanac_http_requests_total", by: ["environment", "route", "method", "status"], "Requests answered.")
    static let httpRequestDuration = Metric(
        .histogram(bounds: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
        "almanac_http_request_duration_seconds", by: ["environment", "route", "method"],
        "Time from a request's arrival at this process to the end of its answer.")
    static let httpRequestsUnmet = Metric(
        .counter, "almanac_http_requests_unmet_total", by: ["environment", "route"],
        "Requests for a revision that is not here; they count nowhere else, for anybody can send them.")
    static let httpRequestsInProgress = Metric(
        .gauge, "almanac_http_requests_in_progress", "Requests that are being answered, the one for this page included."
    )
}

/// Counts and times the requests that one thread answers.
///
/// The instruments belong to the thread, so that threads don't contend for them; they are looked up by a key of which
/// there are only as many as environments, routes, methods and statuses can be combined.
final class RequestMeter {
    private let observation: Observation
    private let inProgress: Gauge
    private var instruments: [Key: Instruments] = [:]
    private var unmet: [Unmet: Counter] = [:]
    /// Those of the request before, which the next one is often like.
    private var last: (key: Key, instruments: Instruments)?

    private struct Key: Hashable {
        let environment: String?
        let route: String?
        let method: String
        let status: Int
    }

    private struct Unmet: Hashable {
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

    /// The request that has begun waits, and may begin again on another thread.
    func wait() { inProgress.add(-1) }

    func end(_ record: RequestRecord) {
        inProgress.add(-1)
        if record.problem.flatMap(ProblemKind.init(rawValue:))?.isCallersOwn == true {
            countApart(record)
            return
        }
        let key = Key(
            environment: record.environment, route: record.route, method: record.method, status: record.status)
        let instruments = instruments(key)
        instruments.count.add()
        instruments.duration.observe(nanoseconds: record.nanoseconds)
    }

    private func countApart(_ record: RequestRecord) {
        let key = Unmet(environment: record.environment, route: record.route)
        if unmet[key] == nil { unmet[key] = observation.unmet.member(key.environment ?? "-", key.route ?? "-") }
        unmet[key]?.add()
    }

    private func instruments(_ key: Key) -> Instruments {
        if let last, last.key == key { return last.instruments }
        let found = instruments[key] ?? add(key)
        last = (key, found)
        return found
    }

    private func add(_ key: Key) -> Instruments {
        // No environment and no route can have this name.
        let environment = key.environment ?? "-"
        let route = key.route ?? "-"
        let added = Instruments(
            count: observation.requests.member(environment, route, key.method, "\(key.status)"),
            duration: observation.durations.member(environment, route, key.method))
        instruments[key] = added
        return added
    }
}

/// One request as metrics and log have it: nothing that its sender chose, except for its method if it is known.
struct RequestRecord {
    /// The id that nginx gave it.
    let id: String
    let method: String
    /// The environment that it was for; nil when there is no such environment, or the path names none.
    var environment: String?
    /// The pattern of the route that answered it: `/{environment}/config/{key}`; nil when no route did.
    var route: String?
    var status = 0
    /// The kind of the problem that it was answered with.
    var problem: String?
    /// Why it failed, for the operator.
    var reason: String?
    /// When it came, by `MonotonicClock`, in nanoseconds.
    let arrival: Int
    private(set) var nanoseconds = 0
    private(set) var databaseNanoseconds = 0

    /// A request that has just come.
    init(method: String, id: String) {
        self.id = id
        self.method = Self.methods.contains(method) ? method : "other"
        arrival = MonotonicClock.nanoseconds
    }

    /// Begins to measure the database's part of the time, on the thread that works on the request.
    mutating func begin() { databaseNanoseconds = DatabaseTime.nanoseconds }

    /// Ends the measuring, on the same thread.
    mutating func end() {
        nanoseconds = MonotonicClock.nanoseconds - arrival
        databaseNanoseconds = DatabaseTime.nanoseconds - databaseNanoseconds
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}
