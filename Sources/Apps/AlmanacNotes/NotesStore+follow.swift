internal import AlmanacClientRuntime

extension NotesStore {
    /// Syncs continuously until the task is cancelled: sends local changes, fetches remote changes as the server
    /// announces them, and detects changes of the file by other processes.
    ///
    /// After a failure the store retries with exponential backoff. Run this function in its own task while the app is
    /// in the foreground:
    /// ```swift
    /// let following = Task { await store.follow() }
    /// ```
    public func follow() async {
        guard let server else { return recordOutcome(.failed(.noServer)) }
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (fileWakes, wakeFiles) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
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
                for await update in updates {
                    if !update.notes.isEmpty, await self.hasUnsentNotes { wake.yield() }
                    if !update.attachments.isEmpty { wakeFiles.yield() }
                }
            }
            // Files have a loop of their own, so that no text waits for bytes.
            group.addTask {
                await self.retry(at: fileWakes) { () throws(NotesSyncFailure) in try await self.syncAttachments() }
            }
            await retry(at: wakes) { () throws(NotesSyncFailure) in
                try await self.syncNotes()
                wakeFiles.yield()
            }
            group.cancelAll()
        }
    }

    /// Runs an operation at each wake, and after a failure again with exponential backoff.
    private func retry(
        at wakes: AsyncStream<Void>, _ operation: () async throws(NotesSyncFailure) -> Void
    ) async {
        var backoff = NotesServer.backoff
        for await _ in wakes {
            while !Task.isCancelled {
                do throws(NotesSyncFailure) {
                    try await operation()
                    backoff.reset()
                    break
                } catch {
                    var retryAfter: Duration?
                    if case .retryLater(let duration) = error { retryAfter = duration }
                    try? await clock.sleep(for: backoff.next(retryAfter: retryAfter, random: random))
                }
            }
        }
    }

    /// True if this device has received all of the server's notes at some time. Before that, a note that is missing
    /// here may exist on the server.
    public var hasEverSynced: Bool { (try? syncTable.progress().cursor != nil) == true }

    /// True if there are unsent changes of notes or attachments.
    public var hasUnsentChanges: Bool { hasUnsentNotes || (try? attachmentTable.nextPending()) != nil }

    private var hasUnsentNotes: Bool { (try? table.dirty(limit: 1).isEmpty) == false }
}

// Changes of the same file by other processes.
extension NotesStore {
    /// The polling interval. SQLite does not announce writes by other processes, and a check only reads shared memory.
    private static let interval = Duration.seconds(1)

    private func watchFile() async {
        while !Task.isCancelled {
            // An unreadable file may be readable at the next check.
            try? announceOthersChanges()
            try? await clock.sleep(for: Self.interval)
        }
    }

    /// Announces the notes and attachments that any process has changed since the last check, if another process has
    /// written.
    private func announceOthersChanges() throws {
        let state = try FileState(of: database)
        guard state != announced else { return }
        if state.others != announced.others {
            announce(
                try table.changed(after: announced.version),
                attachments: try attachmentTable.changed(after: announced.attachmentVersion))
        }
        announced = state
    }
}
