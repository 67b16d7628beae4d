internal import AlmanacRevisions
internal import Foundation

/// The result of a fetch.
public enum ConfigFetch: Sendable, Equatable {
    /// The keys with a new, changed or removed value.
    case changed(Set<String>)
    /// The server has no newer values.
    case unchanged
    /// The last response is more recent than the minimum interval, so no request was sent.
    case recent
}

/// A client for the config of one environment.
///
/// The client always has values: the last fetched config, or the app's bundled defaults. ``fetch(force:)`` fetches
/// changes from the server, and ``activate()`` makes all of them visible at once.
///
/// The client is observable: a view that reads a value or ``status`` is updated when it changes.
public actor ConfigClient {
    nonisolated let options: ConfigOptions
    nonisolated let state: ConfigState
    nonisolated private let reporter: ConfigReporter
    nonisolated private let cache: ConfigCache?

    /// The newest fetched config, visible or not.
    private(set) var newest: ConfigSnapshot?
    private var schedule: FetchSchedule
    private let fetching = SharedOperation<Result<ConfigFetch, ConfigFailure>>()

    /// Loads the cache. A damaged cache is reported and ignored.
    public init(_ options: ConfigOptions) {
        self.options = options
        reporter = ConfigReporter(options.report)
        cache = options.cache.map {
            ConfigCache(folder: $0, environment: options.environment, pin: options.version)
        }
        let cached = Self.cached(in: cache, reporter)
        newest = cached
        state = ConfigState(
            ConfigValues(cached, .cached, defaults: options.defaults, reporter: reporter),
            lastFetched: cached?.fetchedAt)
        schedule = FetchSchedule(lastResponse: cached?.fetchedAt, options.clock)
    }

    deinit { state.finish() }

    /// The visible values: an immutable, consistent set.
    public nonisolated var values: ConfigValues { state.values }

    /// A sequence of the current values and of each later set that becomes visible.
    public nonisolated var updates: ConfigUpdates { ConfigUpdates(state: state) }

    /// The freshness of the values.
    public nonisolated var status: ConfigStatus { state.status(at: options.clock.date, staleAfter: options.staleAfter) }

    /// Fetches changes from the server, to be made visible by ``activate()``.
    ///
    /// Concurrent calls share one request, even if one of the calls is cancelled. On failure nothing changes.
    ///
    /// - Parameter force: true to send a request even if the last response is more recent than the minimum interval.
    ///   The backoff after failures and the server's `Retry-After` still apply.
    @discardableResult public func fetch(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        try await fetch(force: force, upTo: nil)
    }

    /// Makes the most recently fetched values visible. Returns false if there are none.
    @discardableResult public func activate() -> Bool {
        guard state.content.hasPendingValues else { return false }
        state.show(ConfigValues(newest, .fetched, defaults: options.defaults, reporter: reporter))
        return true
    }

    /// Fetches changes and makes them visible.
    @discardableResult public func fetchAndActivate(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        let result = try await fetch(force: force)
        activate()
        return result
    }

    /// - Parameter end: the cursor at which the response ends. A response between two fixed cursors can be cached.
    func fetch(force: Bool, upTo end: Cursor?) async throws(ConfigFailure) -> ConfigFetch {
        let result = try await fetching.value { () throws(ConfigFailure) in
            switch schedule.verdict(at: options.clock.uptime, minimumInterval: options.minimumInterval, force: force) {
            case .fresh: { .success(.recent) }
            case .wait(let time): throw .retryTooEarly(time)
            case .fetch: { await self.load(upTo: end) }
            }
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    private func load(upTo end: Cursor?) async -> Result<ConfigFetch, ConfigFailure> {
        do throws(ConfigFailure) {
            let (snapshot, isStale) = try await requestSnapshot(upTo: end)
            schedule.succeeded(at: options.clock.uptime)
            return .success(apply(snapshot, serverIsStale: isStale))
        } catch {
            // A cancelled request says nothing about the server, so the backoff does not change.
            if Task.isCancelled { return .failure(.cancelled) }
            let retryAfter: Duration? = if case .refused(_, _, let time) = error { time } else { nil }
            schedule.failed(at: options.clock.uptime, retryAfter: retryAfter, random: options.random)
            state.update { $0.lastFailure = error }
            return .failure(error)
        }
    }

    /// Requests the changes, or the complete config if the server can't list the changes.
    private func requestSnapshot(
        upTo end: Cursor?
    ) async throws(ConfigFailure) -> (snapshot: ConfigSnapshot, isStale: Bool) {
        do throws(ConfigFailure) {
            return try await ConfigRequest(options: options, base: newest, end: end).send()
        } catch {
            switch error {
            case .wrongHistory, .refused(400, _, _):
                if newest == nil { throw error }
                return try await ConfigRequest(options: options, base: nil, end: nil).send()
            default: throw error
            }
        }
    }

    private func apply(_ snapshot: ConfigSnapshot, serverIsStale: Bool) -> ConfigFetch {
        let before = newest?.entries ?? [:]
        let changed = Set(before.keys).union(snapshot.entries.keys).filter { before[$0] != snapshot.entries[$0] }
        newest = snapshot
        state.fetchSucceeded(
            ConfigValues(snapshot, .fetched, defaults: options.defaults, reporter: reporter),
            at: snapshot.fetchedAt, serverIsStale: serverIsStale, cacheFailure: store(snapshot))
        return changed.isEmpty ? .unchanged : .changed(changed)
    }

    /// Writes the cache. If that fails, the snapshot remains in memory only, and the reason is returned.
    private func store(_ snapshot: ConfigSnapshot) -> String? {
        do {
            try cache?.write(snapshot)
            return nil
        } catch {
            let reason = "the config could not be written: \(error)"
            reporter.report(.cache(reason))
            return reason
        }
    }

    private static func cached(in cache: ConfigCache?, _ reporter: ConfigReporter) -> ConfigSnapshot? {
        do {
            return try cache?.read()
        } catch {
            reporter.report(.cache("\(error); it is ignored"))
            return nil
        }
    }
}

extension ConfigValues {
    /// - Parameters:
    ///   - snapshot: the fetched or cached config; nil creates the bundled values.
    ///   - origin: the source of the snapshot.
    fileprivate init(
        _ snapshot: ConfigSnapshot?, _ origin: ConfigOrigin, defaults: ConfigDefaults, reporter: ConfigReporter
    ) {
        self.init(
            snapshot?.entries ?? [:], version: snapshot?.version, revision: snapshot?.cursor.revision,
            origin: snapshot == nil ? .bundled : origin, defaults: defaults, reporter: reporter)
    }
}
