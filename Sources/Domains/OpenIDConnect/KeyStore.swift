internal import AlmanacCryptography
public import AlmanacPOSIX

/// One issuer's keys as a worker knows them: fetched when first needed, again when they are old or a token names one
/// that is not among them, and kept while the provider is away.
///
/// Keys are fetched on a thread of their own, one fetch at a time. Only a caller that needs a key which is not there
/// waits for it.
public final class KeyStore: Sendable {
    /// Invariants: `waiting` counts the threads inside `awaitFetch`; while `cache.isFetching` exactly one thread
    /// fetches and calls `cache.end`, without holding the lock in between.
    private struct State {
        var cache = KeyCache()
        var waiting = 0
    }
    private let state = Monitor(State())
    private let source: KeySource
    private let clock: ServerClock
    private let report: @Sendable (ProviderFailure) -> Void

    /// So that callers with unknown keys never hold all of a worker's threads.
    private static let mostWaiting = 8
    /// Longer than two documents take to time out.
    private static let longestWait = Duration.seconds(12)

    /// - Parameters:
    ///   - clock: tells how old the keys are.
    ///   - report: gets the failure of every fetch that failed.
    public init(
        _ source: KeySource, clock: ServerClock = .system,
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        self.source = source
        self.clock = clock
        self.report = report
    }

    /// Begins to fetch the keys, so that they are there when the first token comes; waits for nothing.
    func prefetch() {
        startFetch(at: clock.now())
    }

    /// Grows when a key that tokens were checked with is gone; what was checked before may be valid no more.
    ///
    /// Asking for it has old keys fetched anew, without waiting for them.
    var generation: Int {
        let now = clock.now()
        let (generation, isStale) = state.read { ($0.cache.generation, $0.cache.isStale(at: now)) }
        if isStale { startFetch(at: now) }
        return generation
    }

    /// The key that a token must be signed with.
    func key(for header: TokenHeader) throws(TokenFailure) -> PublicKey {
        let now = clock.now()
        let (known, ended, isStale) = state.read {
            ($0.cache.keys?.key(for: header), $0.cache.endedFetches, $0.cache.isStale(at: now))
        }
        if known == nil || isStale { startFetch(at: now) }
        if let known { return known }
        try awaitFetch(after: ended)
        let (key, failed) = state.read { ($0.cache.keys?.key(for: header), $0.cache.lastFetchFailed) }
        if let key { return key }
        throw failed ? .keysUnavailable : .unknownKey
    }

    /// Waits for the fetch that is under way, if there is one.
    ///
    /// - Parameter ended: how many had ended when the key was missing.
    private func awaitFetch(after ended: Int) throws(TokenFailure) {
        let mayWait = state.update { state in
            guard state.cache.isFetching, state.cache.endedFetches == ended else { return nil as Bool? }
            guard source.isQuick || state.waiting < Self.mostWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard let mayWait else { return }
        guard mayWait else { throw .keysUnavailable }
        let isOver: Void? = state.wait(upTo: Self.longestWait) { $0.cache.endedFetches > ended ? () : nil }
        state.update { $0.waiting -= 1 }
        if isOver == nil { throw .keysUnavailable }
    }

    private func startFetch(at now: ContinuousClock.Instant) {
        guard state.update({ $0.cache.start(at: now) }) else { return }
        _ = Thread(name: "issuer-keys") {
            let result = Result { () throws(ProviderFailure) in try self.source.load() }
            self.state.update { $0.cache.end(result, at: self.clock.now()) }
            if case .failure(let failure) = result { self.report(failure) }
        }
    }
}
