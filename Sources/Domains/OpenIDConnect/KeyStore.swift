internal import AlmanacCryptography
public import AlmanacPOSIX

/// A cache of one issuer's keys in a worker. Keys are fetched at first use, and again when they are stale or a token
/// names an unknown one. They stay in use while the provider is unreachable.
///
/// A separate thread fetches the keys, one fetch at a time. Only a caller that needs an unknown key waits for it.
public final class KeyStore: Sendable {
    /// Invariant: while `isFetching`, exactly one thread fetches and calls `end`, without holding the lock in between.
    private let cache: Monitor<KeyCache>
    private let source: KeySource
    private let clock: ServerClock
    private let report: @Sendable (ProviderFailure) -> Void

    private let waits: WaitLimit

    /// The maximum wait, which exceeds the timeouts of two documents.
    private static let maxWait = Duration.seconds(12)

    /// - Parameters:
    ///   - clock: decides whether the keys are stale.
    ///   - waits: limits the threads that wait for keys, so that unknown keys never block all threads of a server.
    ///   - report: receives the failure of every failed fetch.
    public init(
        _ source: KeySource, clock: ServerClock = .system, waits: WaitLimit = WaitLimit(8),
        report: @escaping @Sendable (ProviderFailure) -> Void = { _ in }
    ) {
        self.source = source
        self.clock = clock
        self.waits = waits
        self.report = report
        cache = Monitor(source.isLocal ? KeyCache(interval: .zero) : KeyCache())
    }

    /// Starts a fetch without waiting, so that the keys are cached before the first token arrives.
    func prefetch() { startFetch(at: clock.now()) }

    /// The number of fetches that removed a key. A change makes cached verifications stale.
    ///
    /// Reading the number also starts a fetch of stale keys, without waiting for it.
    var generation: Int {
        let now = clock.now()
        let (generation, isStale) = cache.read { ($0.generation, $0.isStale(at: now)) }
        if isStale { startFetch(at: now) }
        return generation
    }

    /// Returns the key that a token must be signed with.
    ///
    /// - Parameter isFromIssuer: the issuer itself sent the token, so an unknown key must be a new one and is fetched
    ///   at once. Tokens from other senders cause a fetch only at intervals.
    func key(for header: TokenHeader, isFromIssuer: Bool = false) throws(TokenFailure) -> PublicKey {
        let now = clock.now()
        let (known, ended, isStale) = cache.read {
            ($0.keys?.key(for: header), $0.endedFetches, $0.isStale(at: now))
        }
        if known == nil || isStale { startFetch(at: now, ignoresInterval: isFromIssuer && known == nil) }
        if let known { return known }
        try awaitFetch(after: ended)
        let (key, failed) = cache.read { ($0.keys?.key(for: header), $0.lastFetchFailed) }
        if let key { return key }
        throw failed ? .keysUnavailable : .unknownKey
    }

    /// Waits for the fetch in progress, if there is one.
    ///
    /// - Parameter ended: the number of fetches that had ended when the key was missing.
    private func awaitFetch(after ended: Int) throws(TokenFailure) {
        guard cache.read({ $0.isFetching && $0.endedFetches == ended }) else { return }
        guard source.isLocal || waits.tryEnter() else { throw .keysUnavailable }
        defer { if !source.isLocal { waits.leave() } }
        let isOver: Void? = cache.wait(upTo: Self.maxWait) { $0.endedFetches > ended ? () : nil }
        if isOver == nil { throw .keysUnavailable }
    }

    private func startFetch(at now: ContinuousClock.Instant, ignoresInterval: Bool = false) {
        guard cache.update({ $0.start(at: now, ignoresInterval: ignoresInterval) }) else { return }
        _ = Thread(name: "issuer-keys") {
            let result = Result { () throws(ProviderFailure) in try self.source.load() }
            self.cache.update { $0.end(result, at: self.clock.now()) }
            if case .failure(let failure) = result { self.report(failure) }
        }
    }
}
