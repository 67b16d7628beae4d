internal import AlmanacCryptography
public import AlmanacPOSIX

/// One issuer's keys as a worker knows them: fetched when first needed, again when they are old or a token names one
/// that is not among them, and kept while the provider is away.
///
/// Keys are fetched on a thread of their own, one fetch at a time. Only a caller that needs a key which is not there
/// waits for it.
public final class KeyStore: Sendable {
    /// Invariant: while `isFetching` exactly one thread fetches and calls `end`, without holding the lock in between.
    private let cache: Monitor<KeyCache>
    private let source: KeySource
    private let clock: ServerClock
    private let report: @Sendable (ProviderFailure) -> Void

    private let waits: WaitLimit

    /// Longer than two documents take to time out.
    private static let longestWait = Duration.seconds(12)

    /// - Parameters:
    ///   - clock: tells how old the keys are.
    ///   - waits: bounds how many threads wait for keys, so that unknown ones never hold all threads of a server.
    ///   - report: gets the failure of every fetch that failed.
    public init(
        _ source: KeySource, clock: ServerClock = .system, waits: WaitLimit = WaitLimit(8),
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        self.source = source
        self.clock = clock
        self.waits = waits
        self.report = report
        cache = Monitor(source.isQuick ? KeyCache(interval: .zero) : KeyCache())
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
        let (generation, isStale) = cache.read { ($0.generation, $0.isStale(at: now)) }
        if isStale { startFetch(at: now) }
        return generation
    }

    /// The key that a token must be signed with.
    ///
    /// - Parameter isFromIssuer: the issuer itself handed the token over, so its key is one of theirs; also one that
    ///   they began to use a moment ago, after the keys were fetched. Strangers' tokens have them fetched now and then
    ///   only.
    func key(for header: TokenHeader, isFromIssuer: Bool = false) throws(TokenFailure) -> PublicKey {
        let now = clock.now()
        let (known, ended, isStale) = cache.read {
            ($0.keys?.key(for: header), $0.endedFetches, $0.isStale(at: now))
        }
        if known == nil || isStale { startFetch(at: now, evenSoon: isFromIssuer && known == nil) }
        if let known { return known }
        try awaitFetch(after: ended)
        let (key, failed) = cache.read { ($0.keys?.key(for: header), $0.lastFetchFailed) }
        if let key { return key }
        throw failed ? .keysUnavailable : .unknownKey
    }

    /// Waits for the fetch that is under way, if there is one.
    ///
    /// - Parameter ended: how many had ended when the key was missing.
    private func awaitFetch(after ended: Int) throws(TokenFailure) {
        guard cache.read({ $0.isFetching && $0.endedFetches == ended }) else { return }
        guard source.isQuick || waits.enter() else { throw .keysUnavailable }
        defer { if !source.isQuick { waits.leave() } }
        let isOver: Void? = cache.wait(upTo: Self.longestWait) { $0.endedFetches > ended ? () : nil }
        if isOver == nil { throw .keysUnavailable }
    }

    private func startFetch(at now: ContinuousClock.Instant, evenSoon: Bool = false) {
        guard cache.update({ $0.start(at: now, evenSoon: evenSoon) }) else { return }
        _ = Thread(name: "issuer-keys") {
            let result = Result { () throws(ProviderFailure) in try self.source.load() }
            self.cache.update { $0.end(result, at: self.clock.now()) }
            if case .failure(let failure) = result { self.report(failure) }
        }
    }
}
