internal import AlmanacCryptography

/// An issuer's keys as they were last fetched, and when to fetch them again; a value without clock, lock or network.
struct KeyCache {
    typealias Instant = ContinuousClock.Instant

    /// The keys of the last fetch that worked.
    private(set) var keys: KeySet?
    /// Grows when a key that tokens were checked with is gone.
    private(set) var generation = 0
    /// How many fetches have ended.
    private(set) var endedFetches = 0
    private(set) var isFetching = false
    private(set) var lastFetchFailed = false
    /// When the keys are to be fetched again, though none is missing.
    private var staleAt: Instant?
    /// When no fetch may start before, after one that failed.
    private var quietUntil: Instant?
    /// When the fetches of the last minute started, oldest first: at most five.
    private var starts: [Instant] = []

    static let fetchesPerMinute = 5
    /// Spreads the attempts to reach a provider that is away over the minute.
    static let pauseAfterFailure = Duration.seconds(12)
    static let usualAge = Duration.seconds(3600)
    static let allowedAges = Duration.seconds(300)...Duration.seconds(86_400)

    func isStale(at now: Instant) -> Bool { staleAt.map { now >= $0 } ?? false }

    /// Starts a fetch, unless one is under way or there were enough of them.
    ///
    /// - Returns: whether the caller is to fetch now, and then to call `end`.
    mutating func start(at now: Instant) -> Bool {
        starts.removeAll { now - $0 >= .seconds(60) }
        guard !isFetching, starts.count < Self.fetchesPerMinute, quietUntil.map({ now >= $0 }) ?? true else {
            return false
        }
        starts.append(now)
        isFetching = true
        return true
    }

    /// Takes in what a fetch brought; after one that failed the old keys stay.
    mutating func end(_ result: Result<KeySource.Loaded, ProviderFailure>, at now: Instant) {
        isFetching = false
        endedFetches += 1
        switch result {
        case .success(let loaded):
            if let keys, !loaded.keys.contains(keys) { generation += 1 }
            keys = loaded.keys
            let age = loaded.maxAge ?? Self.usualAge
            staleAt = now + min(max(age, Self.allowedAges.lowerBound), Self.allowedAges.upperBound)
            quietUntil = nil
            lastFetchFailed = false
        case .failure:
            quietUntil = now + Self.pauseAfterFailure
            lastFetchFailed = true
        }
    }
}
