internal import AlmanacClientRuntime

extension NotesStore {
    /// Keeps both sides up to date until its task is cancelled: sends what is done here, fetches what is done elsewhere
    /// as soon as the server says so, and looks for what other processes write to the file.
    ///
    /// Without a network it waits and tries again, longer after each failure. Run it in a task of its own for as long
    /// as the app is in front:
    ///
    /// ```swift
    /// let following = Task { await store.follow() }
    /// ```
    public func follow() async {
        guard let server else { return enter(.failed(.noServer)) }
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        wake.yield()
        let feed = LiveFeed(server, random: random) { wake.yield() }
        let updates = updates
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var feed = feed
                await feed.run()
            }
            group.addTask { await self.watchFile() }
            group.addTask {
                for await update in updates where !update.notes.isEmpty {
                    if await self.hasUnsentChanges { wake.yield() }
                }
            }
            var backoff = NotesServer.backoff
            for await _ in wakes {
                while !Task.isCancelled {
                    do throws(NotesSyncFailure) {
                        try await sync()
                        backoff.reset()
                        break
                    } catch {
                        var retryAfter: Duration?
                        if case .retryLater(let duration) = error { retryAfter = duration }
                        try? await clock.sleep(for: backoff.next(retryAfter: retryAfter, random: random))
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Whether all of the server's notes have been here at some time. Before that, a note that is not here may be
    /// there.
    public var hasEverSynced: Bool {
        (try? syncTable.progress().cursor != nil) == true
    }

    /// Whether anything waits to be sent.
    public var hasUnsentChanges: Bool {
        (try? table.dirty(limit: 1).isEmpty) == false
    }
}

// The changes that other processes make in the same file.
extension NotesStore {
    /// How often to look; SQLite does not say when another process writes, and a look costs no more than one read of
    /// shared memory.
    private static let interval = Duration.seconds(1)

    private func watchFile() async {
        while !Task.isCancelled {
            // A file that cannot be read now may be read the next time.
            try? announceOthersChanges()
            try? await clock.sleep(for: Self.interval)
        }
    }

    /// Announces the notes that others have changed since the last look, with those changed here in the same time.
    private func announceOthersChanges() throws {
        let state = try FileState(of: database)
        guard state != announced else { return }
        if state.others != announced.others { announce(try table.changed(after: announced.version)) }
        announced = state
    }
}
