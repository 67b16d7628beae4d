internal import AlmanacCryptography

/// An issuer's cached keys and the schedule of fetches, as a value without clock, lock or network.
struct KeyCache {
    typealias Instant = ContinuousClock.Instant

    /// The keys of the last successful fetch.
    private(set) var keys: KeySet?
    /// The number of fetches that removed a key. A change makes cached verifications stale.
    private(set) var generation = 0
    /// The number of fetches that have ended.
    private(set) var endedFetches = 0
    private(set) var isFetching = false
    private(set) var lastFetchFailed = false
    /// The time from which the keys are fetched again even if none is missing.
    private var staleAt: Instant?
    /// The time before which no fetch may start.
    private var nextFetchAt: Instant?
    /// The minimum time from the start of one fetch to the start of the next.
    private let interval: Duration

    /// The minimum time between two fetches from a provider, however many tokens name unknown keys. A key that the
    /// provider has just published is known after this time at the latest.
    static let defaultInterval = Duration.seconds(12)
    static let defaultAge = Duration.seconds(3600)
    static let allowedAges = Duration.seconds(300)...Duration.seconds(86_400)

    init(interval: Duration = Self.defaultInterval) { self.interval = interval }

    func isStale(at now: Instant) -> Bool { staleAt.map { now >= $0 } ?? false }

    /// Starts a fetch, unless one is in progress or the last one is too recent.
    ///
    /// - Parameter ignoresInterval: ignores that the last fetch is recent, unless it failed.
    /// - Returns: `true` if the caller must fetch now, and then call `end`.
    mutating func start(at now: Instant, ignoresInterval: Bool = false) -> Bool {
        let isQuiet = nextFetchAt.map { now < $0 } ?? false
        guard !isFetching, !isQuiet || (ignoresInterval && !lastFetchFailed) else { return false }
        nextFetchAt = now + interval
        isFetching = true
        return true
    }

    /// Stores the result of a fetch. A failed fetch leaves the old keys in use.
    mutating func end(_ result: Result<KeySource.Loaded, ProviderFailure>, at now: Instant) {
        isFetching = false
        endedFetches += 1
        switch result {
        case .success(let loaded):
            if let keys, !loaded.keys.contains(keys) { generation += 1 }
            keys = loaded.keys
            let age = loaded.maxAge ?? Self.defaultAge
            staleAt = now + min(max(age, Self.allowedAges.lowerBound), Self.allowedAges.upperBound)
            lastFetchFailed = false
        case .failure:
            nextFetchAt = now + Self.defaultInterval
            lastFetchFailed = true
        }
    }
}
