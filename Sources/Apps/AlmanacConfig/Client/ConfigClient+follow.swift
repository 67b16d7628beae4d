internal import AlmanacRevisions
internal import Foundation

extension ConfigClient {
    /// Follows the environment's event stream until the task is cancelled, and fetches each change soon after.
    ///
    /// If there is no stream, or it breaks, the client polls at most a minute apart and reconnects. Fetches are spread
    /// over the time that the server requests.
    ///
    /// ```swift
    /// let following = Task { await client.follow() }
    /// ```
    ///
    /// - Parameter activating: true to make fetched values visible at once; false to leave that to ``activate()``.
    public func follow(activating: Bool = true) async {
        let follower = options.follower(
            newest: { await self.newest?.cursor }, catchUp: { await self.catchUp(to: $0, activating: activating) })
        await follower.run()
    }

    /// Fetches the changes. A failure is visible in the status, and the next event or poll retries.
    private func catchUp(to cursor: Cursor?, activating: Bool) async {
        do throws(ConfigFailure) {
            _ = try await fetch(force: true, upTo: cursor)
            // The call may have joined a fetch that started before the change.
            if let cursor, newest?.cursor.reaches(cursor) != true { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
        if activating { activate() }
    }
}

extension ConfigOptions {
    /// Creates a follower of the environment's event stream.
    func follower(
        newest: @escaping @Sendable () async -> Cursor?, catchUp: @escaping @Sendable (Cursor?) async -> Void
    ) -> EnvironmentFollower {
        EnvironmentFollower(
            clock: clock, random: random, newest: newest,
            open: { () throws(EnvironmentFollower.NoStream) in
                try await self.openStream(resumingAfter: await newest().lastEventID)
            }, catchUp: catchUp)
    }

    private func openStream(
        resumingAfter lastEventID: String
    ) async throws(EnvironmentFollower.NoStream) -> EventStreamReader {
        do throws(ConfigFailure) {
            return try await withToken { authorization throws(ConfigFailure) in
                do throws(EventStreamFailure) {
                    return try await EventStreamReader.open(
                        request(environment.appending(path: "events"), authorization), over: transport,
                        resumingAfter: lastEventID, idleTimeout: streamIdleTimeout, clock: clock)
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
            case .refused(let status, let retryAfter): .refused(status: status, problem: nil, retryAfter: retryAfter)
            case .unexpectedType: .unexpectedResponse("expected a stream of events")
            case .silent: .timedOut
            case .tooLong(let limit): .tooLarge(limit: limit)
            case .broken(let failure): ConfigFailure(failure)
            }
    }
}
