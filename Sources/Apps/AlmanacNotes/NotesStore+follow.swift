extension NotesStore {
    /// Keeps both sides level until its task is cancelled: sends what is done here, and fetches what is done elsewhere as
    /// soon as the server tells of it, and tells of what other processes write to the file.
    ///
    /// Without a network it waits and tries again, longer after each failure. Run it in a task of its own for as long as
    /// the app is in front:
    ///
    /// ```swift
    /// let following = Task { await store.follow() }
    /// ```
    public func follow() async {
        guard let server else { return enter(.failed(.noServer)) }
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        wake.yield()
        let feed = LiveFeed(server, surroundings) { wake.yield() }
        let updates = updates
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await feed.run() }
            group.addTask { await self.watchOthers() }
            group.addTask {
                for await update in updates where !update.notes.isEmpty {
                    if await self.hasUnsent { wake.yield() }
                }
            }
            var backoff = Backoff()
            for await _ in wakes {
                while !Task.isCancelled {
                    do throws(SyncFailure) {
                        try await sync()
                        backoff.succeed()
                        break
                    } catch {
                        var asked: Int?
                        if case .askedToWait(let seconds) = error { asked = seconds }
                        try? await surroundings.sleep(backoff.wait(surroundings.chance(), asked: asked))
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Whether all of the server's notes have been here at some time. Before that, a note that is not here may be there.
    public var hasBeenLevel: Bool {
        (try? syncTable.progress().cursor != nil) == true
    }

    /// Whether anything waits to be sent.
    public var hasUnsent: Bool {
        (try? table.dirty(limit: 1).isEmpty) == false
    }
}
