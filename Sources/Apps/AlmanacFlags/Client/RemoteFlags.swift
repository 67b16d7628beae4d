internal import AlmanacRevisions
internal import Foundation

/// The result of a fetch.
public enum FlagFetch: Sendable, Equatable {
    /// These flags are evaluated to something else than before.
    case changed(Set<String>)
    /// The server has nothing new.
    case unchanged
    /// The last response is younger than the minimum interval; the server was not asked.
    case recent
}

/// The flags of one environment, evaluated by the server for one context and kept on this device.
///
/// There is always a value: what the server last chose for this context, in this run or an earlier one, else the
/// default. What was chosen for another context is never shown. ``fetch(force:)`` asks the server, and
/// ``setContext(_:)`` says that somebody else is asking.
///
/// It is observable: a view that reads a flag, or ``status``, is drawn anew when there is something else.
public actor RemoteFlags {
    nonisolated let options: FlagOptions
    nonisolated let state: FlagState
    nonisolated private let reporter: FlagReporter
    nonisolated private let cache: FlagCache?

    /// Who is asking now. Evaluations that arrive for others are dropped.
    private var context: FlagContext
    private(set) var snapshot: FlagSnapshot?
    private var schedule = FetchSchedule()
    /// What the server will not take, however often it is asked.
    private var refusal: Refusal?
    private let fetching = SharedWork<Outcome>()
    /// How many requests have begun.
    private(set) var begun = 0
    /// What is known of the stream that ``snapshot`` names.
    var stream = StreamAddress.unconfirmed

    enum StreamAddress {
        /// The server has not answered for this context yet in this run.
        case unconfirmed
        case confirmed
        /// Its ticket was refused; only a whole response brings another one.
        case refused
    }

    private enum Outcome: Sendable {
        case result(Result<FlagFetch, FlagFailure>)
        /// Somebody else is asking now, so that it has to be done again.
        case superseded
    }

    private struct Refusal {
        let token: String?
        let failure: FlagFailure
    }

    /// Reads the cache of the context. One that is damaged is reported and not used.
    public init(_ options: FlagOptions) {
        self.options = options
        reporter = FlagReporter(options.report)
        cache = options.cache.map { FlagCache(folder: $0, limit: options.keptContexts) }
        context = options.context
        let snapshot = Self.cached(in: cache, options.context, options, reporter)
        self.snapshot = snapshot
        state = FlagState(
            FlagValues(snapshot, .cached, for: options.context, reporter: reporter), lastFetched: snapshot?.fetchedAt)
        schedule = FetchSchedule(lastResponse: snapshot?.fetchedAt, options.clock)
    }

    /// A client of given values, which asks no server.
    init(_ options: FlagOptions, preview answers: [String: FlagAnswer]) {
        self.options = options
        reporter = FlagReporter(options.report)
        (cache, context) = (nil, options.context)
        state = FlagState(
            FlagValues(answers, context: options.context, origin: .fetched, reporter: reporter),
            lastFetched: options.clock.date)
    }

    deinit {
        state.finish()
    }

    /// The evaluations that the app sees: one consistent set, to be kept as long as one likes.
    public nonisolated var values: FlagValues { state.values }

    /// All flags, and then each time those that are evaluated to something else.
    public nonisolated var updates: FlagUpdates { FlagUpdates(state: state) }

    /// How fresh the evaluations are.
    public nonisolated var status: FlagStatus {
        state.status(at: options.clock.date, staleAfter: options.staleAfter)
    }

    /// Asks the server for the evaluations, which become visible at once.
    ///
    /// Calls at the same time share one request, and a cancelled one leaves it to the others. On failure everything
    /// stays as it was.
    ///
    /// - Parameter force: asks although the last response is younger than the minimum interval. A wait after failures,
    ///   or one that the server asked for, is kept all the same.
    @discardableResult
    public func fetch(force: Bool = false) async throws(FlagFailure) -> FlagFetch {
        try await fetch(force: force, upTo: nil)
    }

    /// Says who is asking from now on, and fetches what the server chooses for them.
    ///
    /// What was chosen for others is out of sight at once; what an earlier run has left for this context shows until
    /// the server answers. A wait that the server asked for is kept.
    @discardableResult
    public func setContext(_ context: FlagContext) async throws(FlagFailure) -> FlagFetch {
        if context == self.context { return try await fetch() }
        self.context = context
        snapshot = Self.cached(in: cache, context, options, reporter)
        (refusal, stream) = (nil, .unconfirmed)
        schedule.beginAnew()
        let values = FlagValues(snapshot, .cached, for: context, reporter: reporter)
        // Whoever read a flag that neither set has may have got another error with its default.
        state.show(
            FlagState.Content(values, lastFetched: snapshot?.fetchedAt), changed: values.changes(since: state.values))
        fetching.cancel()
        return try await fetch(force: true)
    }

    /// - Parameter end: the place in the environment's history that the response has to have reached.
    func fetch(force: Bool, upTo end: Cursor?) async throws(FlagFailure) -> FlagFetch {
        while true {
            let outcome = try await fetching.value { () throws(FlagFailure) in
                switch schedule.verdict(
                    at: options.clock.uptime, minimumInterval: options.minimumInterval, force: force)
                {
                case .recent: { .result(.success(.recent)) }
                case .wait(let time): throw .waiting(time)
                case .ask: begin(upTo: end)
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
        begun += 1
        return { [context] in await self.load(for: context, upTo: end) }
    }

    private func load(for asked: FlagContext, upTo end: Cursor?) async -> Outcome {
        let result: Result<EvaluationRequest.Response, FlagFailure>
        do throws(FlagFailure) {
            result = .success(try await ask(for: asked, upTo: end))
        } catch {
            result = .failure(error)
        }
        if asked != context { return .superseded }
        switch result {
        case .success(let response):
            schedule.succeeded(at: options.clock.uptime)
            refusal = nil
            return .result(.success(take(response)))
        case .failure(let failure):
            // Nobody waits any more, or for somebody else; that says nothing about the server.
            if Task.isCancelled { return .superseded }
            if !failure.isForGood, failure != .signInRequired { postpone(failure) }
            state.update { $0.lastFailure = failure }
            return .result(.failure(failure))
        }
    }

    /// Asks with a token, and once more with another one when the server refuses the first with 401.
    private func ask(
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
            else { throw remember(error, token) }
            do throws(FlagFailure) {
                return try await request.send(token: other)
            } catch {
                throw remember(error, other)
            }
        }
    }

    private func remember(_ failure: FlagFailure, _ token: String?) -> FlagFailure {
        if failure.isForGood {
            // One bad token after another is no reason to ask without a pause.
            if refusal != nil { postpone(failure) }
            refusal = Refusal(token: token, failure: failure)
        }
        return failure
    }

    private func postpone(_ failure: FlagFailure) {
        schedule.failed(at: options.clock.uptime, retryAfter: failure.retryAfter, random: options.random)
    }

    private func take(_ response: EvaluationRequest.Response) -> FlagFetch {
        stream = .confirmed
        let before = state.values
        let snapshot: FlagSnapshot
        switch response.content {
        case .whole(let new): snapshot = new
        case .unchanged(let old): snapshot = old
        }
        self.snapshot = snapshot
        do {
            try cache?.write(snapshot, environment: options.environment.absoluteString, pin: options.version)
        } catch {
            // A device without room keeps what it fetched in memory.
            reporter.report(.cache("expected to write the evaluations: \(error)"))
        }
        let values = FlagValues(snapshot, .fetched, for: snapshot.context, reporter: reporter)
        let changed = values.changes(since: before.origin == .none ? nil : before)
        state.show(
            FlagState.Content(values, lastFetched: snapshot.fetchedAt, serverIsStale: response.isStale),
            changed: changed)
        return changed.isEmpty ? .unchanged : .changed(changed)
    }

    private static func cached(
        in cache: FlagCache?, _ context: FlagContext, _ options: FlagOptions, _ reporter: FlagReporter
    ) -> FlagSnapshot? {
        do throws(SealedFileFailure) {
            return try cache?.read(context, environment: options.environment.absoluteString, pin: options.version)
        } catch {
            reporter.report(.cache("\(error), and begins anew"))
            return nil
        }
    }
}

extension FlagValues {
    /// - Parameter snapshot: nil makes a set without evaluations.
    fileprivate init(
        _ snapshot: FlagSnapshot?, _ origin: FlagOrigin, for context: FlagContext, reporter: FlagReporter
    ) {
        self.init(
            snapshot?.answer.flags ?? [:], context: context, origin: snapshot == nil ? .none : origin,
            version: snapshot?.version, revision: snapshot?.cursor?.revision, reporter: reporter)
    }
}
