internal import AlmanacRevisions
internal import Foundation

/// The result of a fetch.
public enum FlagFetch: Sendable, Equatable {
    /// The flags with a new, changed or removed evaluation.
    case changed(Set<String>)
    /// The server has no newer evaluations.
    case unchanged
    /// The last response is more recent than the minimum interval, so no request was sent.
    case recent
}

/// A client for the flags of one environment, evaluated by the server for one context.
///
/// A flag always has a value: the last evaluation for this context, in this run or an earlier one, or the default.
/// Evaluations for other contexts are never shown. ``fetch(force:)`` fetches, and ``setContext(_:)`` changes the
/// context.
///
/// The client is observable: a view that reads a flag or ``status`` is updated when it changes.
public actor RemoteFlags {
    nonisolated let options: FlagOptions
    nonisolated let state: FlagState
    nonisolated private let reporter: FlagReporter
    nonisolated private let cache: FlagCache?

    /// The current context. A response for an earlier context is dropped.
    private var context: FlagContext
    private(set) var snapshot: FlagSnapshot?
    private var schedule = FetchSchedule()
    /// The token and the failure of a permanently rejected request, which is not repeated.
    private var refusal: Refusal?
    private let fetching = SharedOperation<Outcome>()
    /// The number of requests so far.
    private(set) var requestCount = 0
    /// The state of the stream that ``snapshot`` names.
    var stream = StreamAddress.unconfirmed

    enum StreamAddress {
        /// The server has not responded for this context in this run.
        case unconfirmed
        case confirmed
        /// The stream's ticket was rejected; only a complete response contains another ticket.
        case refused
    }

    private enum Outcome: Sendable {
        case result(Result<FlagFetch, FlagFailure>)
        /// The context has changed, so the fetch must be repeated.
        case superseded
    }

    private struct Refusal {
        let token: String?
        let failure: FlagFailure
    }

    /// Loads the cache of the context. A damaged cache is reported and ignored.
    public init(_ options: FlagOptions) {
        self.options = options
        reporter = FlagReporter(options.report)
        cache = options.cache.map { FlagCache(folder: $0, limit: options.maxCachedContexts) }
        context = options.context
        let snapshot = Self.cached(in: cache, options.context, options, reporter)
        self.snapshot = snapshot
        state = FlagState(
            FlagValues(snapshot, .cached, for: options.context, reporter: reporter), lastFetched: snapshot?.fetchedAt)
        schedule = FetchSchedule(lastResponse: snapshot?.fetchedAt, options.clock)
    }

    /// Creates a client with fixed values and without a server.
    init(_ options: FlagOptions, preview answers: [String: FlagEvaluation]) {
        self.options = options
        reporter = FlagReporter(options.report)
        (cache, context) = (nil, options.context)
        state = FlagState(
            FlagValues(answers, context: options.context, origin: .fetched, reporter: reporter),
            lastFetched: options.clock.date)
    }

    deinit { state.finish() }

    /// The visible evaluations: an immutable, consistent set.
    public nonisolated var values: FlagValues { state.values }

    /// A sequence of the current evaluations and of each later set that becomes visible.
    public nonisolated var updates: FlagUpdates { FlagUpdates(state: state) }

    /// The freshness of the evaluations.
    public nonisolated var status: FlagStatus { state.status(at: options.clock.date, staleAfter: options.staleAfter) }

    /// Fetches the evaluations from the server and makes them visible at once.
    ///
    /// Concurrent calls share one request, even if one of the calls is cancelled. On failure nothing changes.
    ///
    /// - Parameter force: true to send a request even if the last response is more recent than the minimum interval.
    ///   The backoff after failures and the server's `Retry-After` still apply.
    @discardableResult public func fetch(force: Bool = false) async throws(FlagFailure) -> FlagFetch {
        try await fetch(force: force, upTo: nil)
    }

    /// Changes the context and fetches its evaluations.
    ///
    /// The evaluations for the old context are hidden at once. Cached evaluations for the new context are visible until
    /// the server responds. The server's `Retry-After` still applies.
    @discardableResult public func setContext(_ context: FlagContext) async throws(FlagFailure) -> FlagFetch {
        if context == self.context { return try await fetch() }
        self.context = context
        snapshot = Self.cached(in: cache, context, options, reporter)
        (refusal, stream) = (nil, .unconfirmed)
        schedule.resetKeepingRetryAfter()
        let values = FlagValues(snapshot, .cached, for: context, reporter: reporter)
        // A flag that neither set contains may still have another error, so its readers are notified too.
        state.show(
            FlagState.Content(
                values, lastFetched: snapshot?.fetchedAt, cacheFailure: state.content.cacheFailure),
            changed: values.changes(since: state.values))
        fetching.cancel()
        return try await fetch(force: true)
    }

    /// - Parameter end: the minimum cursor of the response.
    func fetch(force: Bool, upTo end: Cursor?) async throws(FlagFailure) -> FlagFetch {
        while true {
            let outcome = try await fetching.value { () throws(FlagFailure) in
                switch schedule.verdict(
                    at: options.clock.uptime, minimumInterval: options.minimumInterval, force: force)
                {
                case .fresh: { .result(.success(.recent)) }
                case .wait(let time): throw .retryTooEarly(time)
                case .fetch: begin(upTo: end)
                }
            }
            switch outcome {
            case nil: throw .cancelled
            case .superseded: continue
            case .result(let result): return try result.get()
            }
        }
    }

    private func begin(upTo end: Cursor?) -> @Sendable () async -> Outcome {
        requestCount += 1
        return { [context] in await self.load(for: context, upTo: end) }
    }

    private func load(for asked: FlagContext, upTo end: Cursor?) async -> Outcome {
        let result: Result<EvaluationRequest.Response, FlagFailure>
        do throws(FlagFailure) {
            result = .success(try await requestEvaluations(for: asked, upTo: end))
        } catch {
            result = .failure(error)
        }
        if asked != context { return .superseded }
        switch result {
        case .success(let response):
            schedule.succeeded(at: options.clock.uptime)
            refusal = nil
            return .result(.success(apply(response)))
        case .failure(let failure):
            // A cancelled or superseded request says nothing about the server, so the backoff does not change.
            if Task.isCancelled { return .superseded }
            if !failure.isPermanent, failure != .signInRequired { postpone(failure) }
            state.update { $0.lastFailure = failure }
            return .result(.failure(failure))
        }
    }

    /// Sends a request, and retries once with another token if the server responds 401.
    private func requestEvaluations(
        for context: FlagContext, upTo end: Cursor?
    ) async throws(FlagFailure) -> EvaluationRequest.Response {
        let base = stream == .refused ? nil : snapshot
        let request = EvaluationRequest(
            options: options, context: context, base: base, seen: snapshot?.cursor, end: end)
        let token = try await options.token(replacing: nil)
        if let refusal, refusal.token == token { throw refusal.failure }
        do throws(FlagFailure) {
            return try await request.send(token: token)
        } catch {
            guard case .refused(401, _, _) = error, let other = try await options.token(replacing: token),
                other != token
            else { throw recordRejection(error, token) }
            do throws(FlagFailure) {
                return try await request.send(token: other)
            } catch {
                throw recordRejection(error, other)
            }
        }
    }

    private func recordRejection(_ failure: FlagFailure, _ token: String?) -> FlagFailure {
        if failure.isPermanent {
            // Back off, so that a series of rejected tokens does not cause requests without a pause.
            if refusal != nil { postpone(failure) }
            refusal = Refusal(token: token, failure: failure)
        }
        return failure
    }

    private func postpone(_ failure: FlagFailure) {
        schedule.failed(at: options.clock.uptime, retryAfter: failure.retryAfter, random: options.random)
    }

    private func apply(_ response: EvaluationRequest.Response) -> FlagFetch {
        stream = .confirmed
        let before = state.values
        let snapshot: FlagSnapshot
        switch response.content {
        case .whole(let new): snapshot = new
        case .unchanged(let old): snapshot = old
        }
        self.snapshot = snapshot
        let cacheFailure = store(snapshot)
        let values = FlagValues(snapshot, .fetched, for: snapshot.context, reporter: reporter)
        let changed = values.changes(since: before.origin == .none ? nil : before)
        state.show(
            FlagState.Content(
                values, lastFetched: snapshot.fetchedAt, serverIsStale: response.isStale, cacheFailure: cacheFailure),
            changed: changed)
        return changed.isEmpty ? .unchanged : .changed(changed)
    }

    /// Writes the cache. If that fails, the evaluations remain in memory only, and the reason is returned.
    private func store(_ snapshot: FlagSnapshot) -> String? {
        do {
            try cache?.write(snapshot, environment: options.environment.absoluteString, pin: options.version)
            return nil
        } catch {
            let reason = "the evaluations could not be written: \(error)"
            reporter.report(.cache(reason))
            return reason
        }
    }

    private static func cached(
        in cache: FlagCache?, _ context: FlagContext, _ options: FlagOptions, _ reporter: FlagReporter
    ) -> FlagSnapshot? {
        do throws(ChecksummedFileFailure) {
            return try cache?.read(context, environment: options.environment.absoluteString, pin: options.version)
        } catch {
            reporter.report(.cache("\(error); it is ignored"))
            return nil
        }
    }
}

extension FlagValues {
    /// - Parameter snapshot: the evaluations; nil creates an empty set.
    fileprivate init(_ snapshot: FlagSnapshot?, _ origin: FlagOrigin, for context: FlagContext, reporter: FlagReporter)
    {
        self.init(
            snapshot?.answer.flags ?? [:], context: context, origin: snapshot == nil ? .none : origin,
            version: snapshot?.version, revision: snapshot?.cursor?.revision, reporter: reporter)
    }
}
