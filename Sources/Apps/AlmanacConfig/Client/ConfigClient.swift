internal import AlmanacRevisions
internal import Foundation

/// The result of a fetch.
public enum ConfigFetch: Sendable, Equatable {
    /// These keys have another value than before, or none.
    case changed(Set<String>)
    /// The server has nothing new.
    case unchanged
    /// The last response is younger than the minimum interval; the server was not asked.
    case recent
}

/// The config of one environment on this device.
///
/// It always has values: those of the last run, else the defaults that the app ships with. ``fetch(force:)`` asks the
/// server for what has changed, and ``activate()`` makes that visible, all of it at once.
///
/// It is observable: a view that reads a value, or ``status``, is drawn anew when there is another one.
public actor ConfigClient {
    nonisolated let options: ConfigOptions
    nonisolated let state: ConfigState
    nonisolated private let reporter: ConfigReporter
    nonisolated private let file: SealedFile?

    /// The newest that the server has said, visible or not.
    private(set) var newest: ConfigSnapshot?
    private var schedule: FetchSchedule
    private let fetching = SharedWork<Result<ConfigFetch, ConfigFailure>>()

    /// Reads the cache. One that is damaged, or belongs to another environment or version, is reported and not used.
    public init(_ options: ConfigOptions) {
        self.options = options
        reporter = ConfigReporter(options.report)
        file = options.cache.map { SealedFile(url: $0, kind: "config 1") }
        let cached = Self.cached(in: file, options, reporter)
        newest = cached
        state = ConfigState(
            ConfigValues(cached, .cached, defaults: options.defaults, reporter: reporter),
            lastFetched: cached?.fetchedAt)
        schedule = FetchSchedule(lastResponse: cached?.fetchedAt, options.clock)
    }

    deinit {
        state.finish()
    }

    /// The values that the app sees: one consistent set, to be kept as long as one likes.
    public nonisolated var values: ConfigValues { state.values }

    /// The current values, and then each time that others become visible.
    public nonisolated var updates: ConfigUpdates { ConfigUpdates(state: state) }

    /// How fresh the values are.
    public nonisolated var status: ConfigStatus {
        state.status(at: options.clock.date, staleAfter: options.staleAfter)
    }

    /// Asks the server for what has changed, and keeps it for ``activate()``.
    ///
    /// Calls at the same time share one request, and a cancelled one leaves it to the others. On failure everything
    /// stays as it was.
    ///
    /// - Parameter force: asks although the last response is younger than the minimum interval. A wait after failures,
    ///   or one that the server asked for, is kept all the same.
    @discardableResult
    public func fetch(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        try await fetch(force: force, upTo: nil)
    }

    /// Makes the values visible that were fetched last.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    public func activate() -> Bool {
        guard state.content.hasFetchedValues else { return false }
        state.show(ConfigValues(newest, .fetched, defaults: options.defaults, reporter: reporter))
        return true
    }

    /// Fetches, and makes visible what was fetched.
    @discardableResult
    public func fetchAndActivate(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        let result = try await fetch(force: force)
        activate()
        return result
    }

    /// - Parameter end: the cursor at which the response is to end, which makes it one that caches can keep.
    func fetch(force: Bool, upTo end: Cursor?) async throws(ConfigFailure) -> ConfigFetch {
        let result = try await fetching.value { () throws(ConfigFailure) in
            switch schedule.verdict(at: options.clock.uptime, minimumInterval: options.minimumInterval, force: force) {
            case .recent: { .success(.recent) }
            case .wait(let time): throw .waiting(time)
            case .ask: { await self.load(upTo: end) }
            }
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    private func load(upTo end: Cursor?) async -> Result<ConfigFetch, ConfigFailure> {
        do throws(ConfigFailure) {
            let (snapshot, isStale) = try await ask(upTo: end)
            schedule.succeeded(at: options.clock.uptime)
            return .success(take(snapshot, serverIsStale: isStale))
        } catch {
            // Nobody waits any more; that says nothing about the server.
            if Task.isCancelled { return .failure(.cancelled) }
            let retryAfter: Duration? = if case .refused(_, _, let time) = error { time } else { nil }
            schedule.failed(at: options.clock.uptime, retryAfter: retryAfter, random: options.random)
            state.update { $0.lastFailure = error }
            return .failure(error)
        }
    }

    /// Asks for what has changed, and for everything if the server can't tell what has.
    private func ask(upTo end: Cursor?) async throws(ConfigFailure) -> (snapshot: ConfigSnapshot, isStale: Bool) {
        do throws(ConfigFailure) {
            return try await ConfigRequest(options: options, base: newest, end: end).send()
        } catch {
            switch error {
            case .anotherHistory, .refused(400, _, _):
                if newest == nil { throw error }
                return try await ConfigRequest(options: options, base: nil, end: nil).send()
            default: throw error
            }
        }
    }

    private func take(_ snapshot: ConfigSnapshot, serverIsStale: Bool) -> ConfigFetch {
        let before = newest?.entries ?? [:]
        let changed = Set(before.keys).union(snapshot.entries.keys).filter { before[$0] != snapshot.entries[$0] }
        newest = snapshot
        store(snapshot)
        state.fetchSucceeded(
            ConfigValues(snapshot, .fetched, defaults: options.defaults, reporter: reporter),
            at: snapshot.fetchedAt, serverIsStale: serverIsStale)
        return changed.isEmpty ? .unchanged : .changed(changed)
    }

    /// A device without room keeps what it fetched in memory.
    private func store(_ snapshot: ConfigSnapshot) {
        guard let file else { return }
        do {
            try file.write(snapshot.payload())
        } catch {
            reporter.report(.cache("expected to write \(file.url.path): \(error)"))
        }
    }

    private static func cached(
        in file: SealedFile?, _ options: ConfigOptions, _ reporter: ConfigReporter
    ) -> ConfigSnapshot? {
        do throws(SealedFileFailure) {
            guard let payload = try file?.read() else { return nil }
            let snapshot = try ConfigSnapshot(payload: payload)
            if snapshot.environment == options.environment.absoluteString, snapshot.pin == options.version {
                return snapshot
            }
            reporter.report(.cache("the file is of another environment or version, and begins anew"))
        } catch {
            reporter.report(.cache("\(error), and begins anew"))
        }
        return nil
    }
}

extension ConfigValues {
    /// - Parameters:
    ///   - snapshot: nil makes the bundled values.
    ///   - origin: where the snapshot comes from.
    fileprivate init(
        _ snapshot: ConfigSnapshot?, _ origin: ConfigOrigin, defaults: ConfigDefaults, reporter: ConfigReporter
    ) {
        self.init(
            snapshot?.entries ?? [:], version: snapshot?.version, revision: snapshot?.cursor.revision,
            origin: snapshot == nil ? .bundled : origin, defaults: defaults, reporter: reporter)
    }
}
