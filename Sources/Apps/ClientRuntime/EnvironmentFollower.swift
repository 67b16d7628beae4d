package import AlmanacRevisions

/// Follows an environment's stream of events, and says when something has to be fetched.
package struct EnvironmentFollower: Sendable {
    /// Why there is no stream.
    package struct NoStream: Error {
        /// How long the server asks to wait.
        package let retryAfter: Duration?

        package init(retryAfter: Duration?) {
            self.retryAfter = retryAfter
        }
    }

    private let clock: any ClientClock
    private let random: any RandomSource
    private let timeAloneChanges: Bool
    private let newest: @Sendable () async -> Cursor?
    private let open: @Sendable () async throws(NoStream) -> EventStreamReader
    private let catchUp: @Sendable (Cursor?) async -> Void

    /// - Parameters:
    ///   - timeAloneChanges: whether an announced change counts although its place has been reached here.
    ///   - newest: the place in the environment's history that has been reached here.
    ///   - open: opens a stream that goes on from the place that has been reached.
    ///   - catchUp: fetches what is new, up to a place in the history where the server has named one.
    package init(
        clock: any ClientClock, random: any RandomSource, timeAloneChanges: Bool = false,
        newest: @escaping @Sendable () async -> Cursor?,
        open: @escaping @Sendable () async throws(NoStream) -> EventStreamReader,
        catchUp: @escaping @Sendable (Cursor?) async -> Void
    ) {
        self.clock = clock
        self.random = random
        self.timeAloneChanges = timeAloneChanges
        self.newest = newest
        self.open = open
        self.catchUp = catchUp
    }

    /// Runs until the task is cancelled.
    package func run() async {
        // The longest wait is also how often is asked while no stream can be had.
        var backoff = Backoff(shortest: .seconds(1), longest: .seconds(60))
        while !Task.isCancelled {
            let (wasAlive, retryAfter) = await followStream()
            if Task.isCancelled { return }
            if wasAlive { backoff.reset() }
            // A stream that broke may have missed something, and without a stream this is how changes are found.
            await catchUp(nil)
            try? await clock.sleep(for: backoff.next(retryAfter: retryAfter, random: random))
        }
    }

    /// - Returns: when the stream is over, whether it said anything and how long the server asks to wait.
    private func followStream() async -> (wasAlive: Bool, retryAfter: Duration?) {
        var wasAlive = false
        do throws(NoStream) {
            var reader = try await open()
            while let event = try await nextEvent(of: &reader) {
                wasAlive = true
                switch event {
                case .at(let cursor): if await newest()?.reaches(cursor) != true { await catchUp(cursor) }
                case .changed(let cursor?, let spread):
                    if !timeAloneChanges, await newest()?.reaches(cursor) == true { continue }
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
    /// What to resume an environment's stream behind; empty begins with the present.
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
