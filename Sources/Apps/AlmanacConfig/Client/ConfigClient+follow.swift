internal import AlmanacRevisions
internal import Foundation

extension ConfigClient {
    /// Follows the server until the task is cancelled: what changes there is fetched here, soon after.
    ///
    /// Where no stream can be had, or it breaks, the config is fetched again and again instead, at most a minute apart,
    /// and the stream is tried anew. Fetches are spread over the time that the server asks for.
    ///
    /// ```swift
    /// let following = Task { await client.follow() }
    /// ```
    ///
    /// - Parameter activating: whether fetched values become visible at once; otherwise they wait for ``activate()``.
    public func follow(activating: Bool = true) async {
        let follower = options.follower(
            newest: { await self.newest?.cursor },
            catchUp: { await self.catchUp(to: $0, activating: activating) })
        await follower.run()
    }

    /// A failure shows in the status; the next event, or the next round, tries again.
    private func catchUp(to cursor: Cursor?, activating: Bool) async {
        do throws(ConfigFailure) {
            _ = try await fetch(force: true, upTo: cursor)
            // The fetch may have been one that was under way before the change.
            if let cursor, newest?.cursor.reaches(cursor) != true { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
        if activating { activate() }
    }
}

extension ConfigOptions {
    /// Follows the environment's stream.
    func follower(
        newest: @escaping @Sendable () async -> Cursor?, catchUp: @escaping @Sendable (Cursor?) async -> Void
    ) -> EnvironmentFollower {
        EnvironmentFollower(
            clock: clock, random: random, newest: newest,
            open: { () throws(EnvironmentFollower.NoStream) in
                try await self.openStream(resumingAfter: await newest().lastEventID)
            },
            catchUp: catchUp)
    }

    private func openStream(
        resumingAfter lastEventID: String
    ) async throws(EnvironmentFollower.NoStream) -> EventStreamReader {
        do throws(ConfigFailure) {
            return try await withToken { authorization throws(ConfigFailure) in
                do throws(EventStreamFailure) {
                    return try await EventStreamReader.open(
                        request(environment.appending(path: "events"), authorization), over: transport,
                        resumingAfter: lastEventID, silence: streamSilence, clock: clock)
                } catch {
                    throw ConfigFailure(stream: error)
                }
            }
        } catch {
            let retryAfter: Duration? = if case .refused(_, _, let time) = error { time } else { nil }
            throw EnvironmentFollower.NoStream(retryAfter: retryAfter)
        }
    }
}

extension ConfigFailure {
    fileprivate init(stream failure: EventStreamFailure) {
        self =
            switch failure {
            case .refused(let status, let retryAfter):
                .refused(status: status, problem: nil, retryAfter: retryAfter)
            case .unexpectedType: .unexpectedResponse("expected a stream of events")
            case .silent: .timedOut
            case .tooLong(let limit): .tooLarge(limit: limit)
            case .broken(let failure): ConfigFailure(failure)
            }
    }
}
