internal import AlmanacRevisions

extension ConfigClient {
    /// Follows the server until the task is cancelled: what changes there is fetched here, soon after.
    ///
    /// Where no stream can be had, or it breaks, the config is fetched again and again instead, at most a minute apart,
    /// and the stream is tried anew. Fetches are spread over the time that the server asks for.
    ///
    /// ```swift
    /// let following = Task { await client.live() }
    /// ```
    ///
    /// - Parameter activating: whether fetched values become visible at once; otherwise they wait for ``activate()``.
    public func live(activating: Bool = true) async {
        var delay = LiveDelay()
        while !Task.isCancelled {
            let lived = Shared(false)
            var wait: Duration?
            do {
                wait = try await follow(activating: activating) { lived.value = true }
            } catch ConfigFailure.refused(_, _, let retryAfter) {
                wait = retryAfter
            } catch {}
            if Task.isCancelled { return }
            // A stream that broke may have missed something, and without a stream this is how changes are found.
            await catchUp(to: nil, activating: activating)
            let pause = delay.next(lived: lived.value, retryAfter: wait, random: options.random())
            try? await options.clock.sleep(for: pause)
        }
    }

    /// - Returns: how long to wait, as the server said when it ended the stream.
    private func follow(activating: Bool, lives: @escaping @Sendable () -> Void) async throws -> Duration? {
        let goodbye = Shared<Duration?>(nil)
        let stream = LiveStream(options: options, lastEventID: newest.map { "config=\($0.cursor)" })
        try await stream.follow { event in
            lives()
            switch event {
            case .at(let cursor, let spread):
                if await self.isCurrent(cursor) { return true }
                try? await self.options.clock.sleep(for: spread * self.options.random())
                await self.catchUp(to: cursor, activating: activating)
            case .resync: await self.catchUp(to: nil, activating: activating)
            case .bye(let spread):
                goodbye.value = spread * self.options.random()
                return false
            case .other: break
            }
            return true
        }
        return goodbye.value
    }

    /// Whether what is here is at least as new as a place in its history.
    private func isCurrent(_ cursor: Cursor) -> Bool {
        guard let here = newest?.cursor else { return false }
        return here.lineage == cursor.lineage && here.revision >= cursor.revision
    }

    /// A failure shows in the status; the next event, or the next round, tries again.
    private func catchUp(to cursor: Cursor?, activating: Bool) async {
        do throws(ConfigFailure) {
            _ = try await fetch(force: true, upTo: cursor)
            // The fetch may have been one that was under way before the change.
            if let cursor, !isCurrent(cursor) { _ = try await fetch(force: true, upTo: cursor) }
        } catch {}
        if activating { activate() }
    }
}
