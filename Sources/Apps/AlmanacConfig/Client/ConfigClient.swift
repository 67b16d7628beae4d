internal import AlmanacRevisions
internal import Foundation

/// The config of one environment on this device.
///
/// It always has values: those of the last run, else the defaults that the app ships with. ``fetch(force:)`` asks the
/// server for what has changed, and ``activate()`` makes that visible, all of it at once.
public actor ConfigClient {
    nonisolated let options: ConfigOptions
    nonisolated private let board: ConfigBoard
    nonisolated private let reports: ReportOnce
    nonisolated private let file: SealedFile?

    /// The newest that the server has said, visible or not.
    private(set) var newest: ConfigSnapshot?
    private var schedule = FetchSchedule()
    private var running: Task<Result<ConfigFetch, ConfigFailure>, Never>?

    /// Reads the cache. One that is damaged, or belongs to another environment or version, is reported and not used.
    public init(_ options: ConfigOptions) {
        self.options = options
        let reports = ReportOnce(options.report)
        self.reports = reports
        let file = options.cache.map { SealedFile(url: $0, kind: "config 1") }
        self.file = file
        let cached = Self.cached(in: file, options, reports)
        newest = cached
        let values = ConfigValues(
            cached, origin: cached == nil ? .bundled : .cached, defaults: options.defaults, reports: reports)
        board = ConfigBoard(.init(values: values, lastFetched: cached?.fetchedAt))
        if let cached {
            let age = options.clock.date.timeIntervalSince(cached.fetchedAt)
            // An answer from the future means that the clock was moved: then its age is unknown, and it counts as old.
            if age >= 0, age < 1e9 { schedule.answered(at: options.clock.uptime, age: .seconds(age)) }
        }
    }

    deinit {
        board.changed.end()
    }

    /// The values that the app sees: one consistent set, to be kept as long as one likes.
    public nonisolated var values: ConfigValues { board.values }

    /// The current values, and then each time that others become visible.
    public nonisolated var updates: ConfigUpdates { ConfigUpdates(board: board) }

    /// How fresh the values are.
    public nonisolated var status: ConfigStatus {
        let now = options.clock.date
        let limit = options.staleAfter
        return board.read { content in
            let age = content.lastFetched.map { now.timeIntervalSince($0) }
            let isYoung = age.map { $0 >= 0 && Duration.seconds(min($0, 1e9)) <= limit } ?? false
            return ConfigStatus(
                origin: content.values.origin, lastFetched: content.lastFetched, lastFailure: content.lastFailure,
                hasFetchedValues: content.hasFetchedValues, isStale: !isYoung || content.serverIsStale)
        }
    }

    /// Asks the server for what has changed, and keeps it for ``activate()``.
    ///
    /// Calls at the same time share one request. On failure everything stays as it was.
    ///
    /// - Parameter force: asks although the last answer is younger than the minimum interval. A wait after failures, or
    ///   one that the server asked for, is kept all the same.
    @discardableResult
    public func fetch(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        try await fetch(force: force, upTo: nil)
    }

    /// Makes the values visible that were fetched last.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    public func activate() -> Bool {
        guard board.read({ $0.hasFetchedValues }) else { return false }
        board.show(ConfigValues(newest, origin: .fetched, defaults: options.defaults, reports: reports))
        return true
    }

    /// Fetches, and makes visible what was fetched.
    @discardableResult
    public func fetchAndActivate(force: Bool = false) async throws(ConfigFailure) -> ConfigFetch {
        let result = try await fetch(force: force)
        activate()
        return result
    }

    /// - Parameter end: the cursor at which the answer is to end, which makes it one that caches can keep.
    func fetch(force: Bool, upTo end: Cursor?) async throws(ConfigFailure) -> ConfigFetch {
        if let running { return try await running.value.get() }
        switch schedule.verdict(at: options.clock.uptime, minimumInterval: options.minimumInterval, force: force) {
        case .recent: return .recent
        case .wait(let time): throw .waiting(time)
        case .ask: break
        }
        let task = Task { await self.load(upTo: end) }
        running = task
        return try await task.value.get()
    }

    private func load(upTo end: Cursor?) async -> Result<ConfigFetch, ConfigFailure> {
        defer { running = nil }
        do throws(ConfigFailure) {
            let result = try await take(ask(upTo: end))
            schedule.answered(at: options.clock.uptime)
            return .success(result)
        } catch {
            let retryAfter: Duration? = if case .refused(_, _, let time) = error { time } else { nil }
            schedule.failed(at: options.clock.uptime, retryAfter: retryAfter, random: options.random())
            board.update { $0.lastFailure = error }
            return .failure(error)
        }
    }

    /// Asks for what has changed, and for everything if the server can't tell what has.
    private func ask(upTo end: Cursor?) async throws(ConfigFailure) -> (ConfigSnapshot, isStale: Bool) {
        do throws(ConfigFailure) {
            return try await ConfigRequest(options: options, base: newest, end: end).answer()
        } catch {
            switch error {
            case .anotherHistory, .refused(400, _, _):
                if newest == nil { throw error }
                return try await ConfigRequest(options: options, base: nil, end: nil).answer()
            default: throw error
            }
        }
    }

    private func take(_ answer: (snapshot: ConfigSnapshot, isStale: Bool)) -> ConfigFetch {
        let before = newest?.entries ?? [:]
        let after = answer.snapshot.entries
        let isFirst = newest == nil
        newest = answer.snapshot
        store(answer.snapshot)
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        board.update { content in
            content.lastFetched = answer.snapshot.fetchedAt
            content.lastFailure = nil
            content.serverIsStale = answer.isStale
            if !changed.isEmpty || isFirst || content.values.revision != answer.snapshot.cursor.revision
                || content.values.origin != .fetched
            {
                content.hasFetchedValues = true
            }
        }
        return changed.isEmpty ? .unchanged : .changed(changed)
    }

    /// A device without room keeps what it fetched in memory.
    private func store(_ snapshot: ConfigSnapshot) {
        guard let file else { return }
        do {
            try file.write(snapshot.payload())
        } catch {
            reports.report(.cache("expected to write \(file.url.path): \(error)"))
        }
    }

    private static func cached(
        in file: SealedFile?, _ options: ConfigOptions, _ reports: ReportOnce
    ) -> ConfigSnapshot? {
        do throws(SealedFileFailure) {
            guard let payload = try file?.read() else { return nil }
            let snapshot = try ConfigSnapshot(payload: payload)
            if snapshot.environment == options.environment.absoluteString, snapshot.pin == options.version {
                return snapshot
            }
            reports.report(.cache("the file is of another environment or version, and begins anew"))
        } catch {
            reports.report(.cache("\(error), and begins anew"))
        }
        return nil
    }
}
