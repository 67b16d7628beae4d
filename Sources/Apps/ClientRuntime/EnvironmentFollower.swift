package import AlmanacRevisions

/// A follower of an environment's event stream that starts a fetch when values may have changed.
package struct EnvironmentFollower: Sendable {
    /// The failure to open or continue a stream.
    package struct NoStream: Error {
        package let retryAfter: Duration?

        package init(retryAfter: Duration?) { self.retryAfter = retryAfter }
    }

    private let clock: any ClientClock
    private let random: any RandomSource
    private let refetchesKnownRevision: Bool
    private let newest: @Sendable () async -> Cursor?
    private let open: @Sendable () async throws(NoStream) -> EventStreamReader
    private let catchUp: @Sendable (Cursor?) async -> Void

    /// - Parameters:
    ///   - refetchesKnownRevision: true if values may change without a new revision, so an announced change is fetched
    ///     even if its cursor has been reached.
    ///   - newest: returns the newest fetched cursor.
    ///   - open: opens a stream that resumes after the newest fetched cursor.
    ///   - catchUp: fetches new values, up to the server's cursor if there is one.
    package init(
        clock: any ClientClock, random: any RandomSource, refetchesKnownRevision: Bool = false,
        newest: @escaping @Sendable () async -> Cursor?,
        open: @escaping @Sendable () async throws(NoStream) -> EventStreamReader,
        catchUp: @escaping @Sendable (Cursor?) async -> Void
    ) {
        self.clock = clock
        self.random = random
        self.refetchesKnownRevision = refetchesKnownRevision
        self.newest = newest
        self.open = open
        self.catchUp = catchUp
    }

    /// Runs until the task is cancelled.
    package func run() async {
        // Without a stream, the longest delay is also the polling interval.
        var backoff = Backoff(minDelay: .seconds(1), maxDelay: .seconds(60))
        while !Task.isCancelled {
            let (wasAlive, retryAfter) = await followStream()
            if Task.isCancelled { return }
            if wasAlive { backoff.reset() }
            // Fetch because a broken stream may have missed events, and because polling replaces a missing stream.
            await catchUp(nil)
            try? await clock.sleep(for: backoff.next(retryAfter: retryAfter, random: random))
        }
    }

    /// Reads one stream to its end. Returns true if it delivered an event, and the delay that the server requests.
    private func followStream() async -> (wasAlive: Bool, retryAfter: Duration?) {
        var wasAlive = false
        do throws(NoStream) {
            var reader = try await open()
            while let event = try await nextEvent(of: &reader) {
                wasAlive = true
                switch event {
                case .at(let cursor): if await newest()?.reaches(cursor) != true { await catchUp(cursor) }
                case .changed(let cursor?, let spread):
                    if !refetchesKnownRevision, await newest()?.reaches(cursor) == true { continue }
                    try? await clock.sleep(for: spread * random.fraction)
                    await catchUp(cursor)
                case .changed(nil, let spread):
                    try? await clock.sleep(for: spread * random.fraction)
                    await catchUp(nil)
                case .resync: await catchUp(nil)
                case .closing(let spread): return (wasAlive, spread * random.fraction)
                case .other: continue
                }
            }
        } catch {
            return (wasAlive, error.retryAfter)
        }
        return (wasAlive, nil)
    }

    private func nextEvent(of reader: inout EventStreamReader) async throws(NoStream) -> EnvironmentEvent? {
        do throws(EventStreamFailure) {
            return try await reader.next().map { EnvironmentEvent($0) }
        } catch {
            throw NoStream(error)
        }
    }
}

extension Cursor? {
    /// The `Last-Event-ID` that resumes an environment's stream after this cursor; empty for a stream that begins now.
    package var lastEventID: String { map { "config=\($0)" } ?? "" }
}

extension EnvironmentFollower.NoStream {
    package init(_ failure: EventStreamFailure) {
        if case .refused(_, let retryAfter) = failure {
            self.init(retryAfter: retryAfter)
        } else {
            self.init(retryAfter: nil)
        }
    }
}
