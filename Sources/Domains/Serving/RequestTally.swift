internal import AlmanacMetrics

/// Counts the requests that one thread answers.
///
/// The instruments belong to the thread, so that threads don't contend for them; they are looked up by a key of which
/// there are only as many as environments, routes, methods and statuses can be combined.
final class RequestTally {
    private let observation: Observation
    private let inProgress: Gauge
    private var instruments: [Key: Instruments] = [:]
    /// Those of the request before, which the next one is often like.
    private var last: (key: Key, instruments: Instruments)?

    private struct Key: Hashable {
        let environment: String?
        let route: String?
        let method: String
        let status: Int
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

    func end(_ record: RequestRecord) {
        inProgress.add(-1)
        let key = Key(
            environment: record.environment, route: record.route, method: record.method, status: record.status)
        let instruments = instruments(key)
        instruments.count.add()
        instruments.duration.observe(nanoseconds: record.nanoseconds)
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
