internal import AlmanacRevisions

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
        let follower = ConfigFollower(
            options: options, newest: { await self.newest?.cursor },
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
