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
    /// No fetch may start before this time.
    private var quietUntil: Instant?
    /// The least time from the start of a fetch to the next one's.
    private let interval: Duration

    /// The least time between two questions to a provider, however many tokens name keys that it never had. Spread
    /// like this, a key that it has just begun to use is known no later than that.
    static let usualInterval = Duration.seconds(12)
    static let usualAge = Duration.seconds(3600)
    static let allowedAges = Duration.seconds(300)...Duration.seconds(86_400)

    init(interval: Duration = Self.usualInterval) {
        self.interval = interval
    }

    func isStale(at now: Instant) -> Bool { staleAt.map { now >= $0 } ?? false }

    /// Starts a fetch, unless one is under way or the last one was not long enough ago.
    ///
    /// - Parameter evenSoon: how long ago the last one was does not count, unless it failed.
    /// - Returns: whether the caller is to fetch now, and then to call `end`.
    mutating func start(at now: Instant, evenSoon: Bool = false) -> Bool {
        let isQuiet = quietUntil.map { now < $0 } ?? false
        guard !isFetching, !isQuiet || (evenSoon && !lastFetchFailed) else { return false }
        quietUntil = now + interval
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
            lastFetchFailed = false
        case .failure:
            quietUntil = now + Self.usualInterval
            lastFetchFailed = true
        }
    }
}
