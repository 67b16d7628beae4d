internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

extension NotesStore {
    /// Sends local changes and fetches remote changes until both sides are up to date: first all notes, then the files
    /// of this device. Files of other devices are fetched by ``file(of:_:)``.
    ///
    /// One sync runs at a time, and a concurrent call shares it. Notes can be read and edited during a sync. A
    /// cancelled call returns at once, and the sync continues for the other callers.
    ///
    /// - Returns: the numbers of notes and attachments with rejected changes and with changes made during the sync.
    /// - Throws: the reason if the sides are not up to date. The next sync resumes where this one ended.
    @discardableResult public func sync() async throws(NotesSyncFailure) -> UnsyncedNotes {
        let unsynced = try await syncNotes()
        guard try await syncAttachments() else { return unsynced }
        do { return try table.unsynced() } catch { throw .file(NotesFileFailure(error)) }
    }

    /// Sends and fetches changes of notes, like ``sync()`` without the files.
    @discardableResult func syncNotes() async throws(NotesSyncFailure) -> UnsyncedNotes {
        guard let result = await syncing.value({ await self.syncOnce() }) else { throw .cancelled }
        return try result.get()
    }

    /// A decision about notes that the server no longer has.
    public enum Decision: Sendable {
        /// Moves the notes to the trash on this device too.
        case moveToTrash
        /// Keeps the notes and sends them to the server again.
        case keep
    }

    /// Decides on the notes of ``NotesSyncFailure/decisionNeeded(missing:of:)``. The next sync continues.
    public func decide(_ decision: Decision) throws(NotesFailure) {
        do {
            let ids = try database.transaction {
                var progress = try syncTable.progress()
                guard progress.phase == .deciding else { return Set<String>() }
                return try resolveMissing(&progress, decision)
            }
            announce(ids)
        } catch {
            throw NotesFailure(error)
        }
    }

    private func syncOnce() async -> Result<UnsyncedNotes, NotesSyncFailure> {
        let before = outcome
        recordOutcome(.syncing)
        let result = await syncWithServer()
        switch result {
        case .success: recordOutcome(.upToDate)
        // A cancelled sync says nothing about the server, so the status does not change.
        case .failure where Task.isCancelled: recordOutcome(before)
        case .failure(let failure): recordOutcome(.failed(failure))
        }
        return result
    }

    private func syncWithServer() async -> Result<UnsyncedNotes, NotesSyncFailure> {
        guard let server else { return .failure(.noServer) }
        do {
            try await pull(from: server)
            // A note has one pending action at a time, so an edit of a new note takes two rounds.
            for _ in 0..<Self.maxSyncRounds {
                guard try await push(to: server) else { break }
                try await pull(from: server)
            }
            return .success(try table.unsynced())
        } catch let failure as NotesSyncFailure {
            return .failure(failure)
        } catch {
            return .failure(.file(NotesFileFailure(error)))
        }
    }

    /// The maximum number of rounds, so that a sync ends even if the user keeps typing.
    private static let maxSyncRounds = 20
}

// Fetching of changes.
extension NotesStore {
    private func pull(from server: NotesServer) async throws {
        var losses = 0
        while true {
            let progress = try syncTable.progress()
            guard let query = progress.query else { throw try pendingDecision() }
            let response = try await server.send(try server.request("GET", "notes", query: query))
            if response.status == 410 {
                losses += 1
                guard losses < 4 else { throw server.failure(of: response) }
                try database.transaction {
                    // Another process may have made progress meanwhile.
                    var current = try syncTable.progress()
                    guard current == progress else { return }
                    current.loseHistory()
                    try syncTable.clearManifest()
                    try syncTable.save(current)
                }
                continue
            }
            guard response.status == 200 else { throw server.failure(of: response) }
            if try receive(try ServerPage(response.body), asked: progress) { return }
        }
    }

    /// Stores a page. Returns true if this device has received everything.
    private func receive(_ page: ServerPage, asked: SyncProgress) throws -> Bool {
        let cursor = try page.place()
        var changed: Set<String> = []
        let isUpToDate = try database.transaction {
            var progress = try syncTable.progress()
            guard progress == asked else { return false }
            changed = try saveNotes(of: page, cursor, &progress)
            if asked.phase == .manifest {
                for entry in page.manifest ?? [] { try syncTable.addToManifest(entry.id, entry.revision) }
            }
            let next = page.more == true || asked.phase == .manifest ? page.next : nil
            let isLast = progress.receivePage(cursor, next: next)
            if isLast, asked.phase == .first { progress.phase = .changes }
            if isLast, asked.phase == .manifest {
                changed.formUnion(try compare(&progress, lineage: cursor.lineage))
            }
            try syncTable.save(progress)
            return isLast && asked.phase == .changes
        }
        announce(changed)
        return isUpToDate
    }

    private func saveNotes(of page: ServerPage, _ cursor: Cursor, _ progress: inout SyncProgress) throws -> Set<String>
    {
        var changed: Set<String> = []
        if let known = progress.cursor, known.lineage != cursor.lineage, progress.phase == .changes {
            // The account was created after this device's first request, so its history has a new lineage.
            for var record in try table.all() {
                record.forgetHistory(before: cursor.lineage)
                try table.save(record)
            }
        }
        for id in page.order ?? [] {
            guard let note = page.details?[id] else { continue }
            guard note.revision >= 0, note.text.isStorable else {
                throw NotesSyncFailure.unexpectedResponse("a note cannot be stored")
            }
            let text = note.text
            let place = Cursor(revision: note.revision, lineage: cursor.lineage)
            let (created, edited) = note.times
            guard var record = try table.find(id) else {
                var record = NoteRecord(id: id, text: text, createdAt: created, updatedAt: edited)
                record.receive(NoteRecord.RemoteChange(cursor: place, text: text, position: note.position))
                try table.save(record)
                changed.insert(id)
                continue
            }
            let before = record
            record.receive(NoteRecord.RemoteChange(cursor: place, text: text, position: note.position))
            if !record.hasUnsentText { (record.createdAt, record.updatedAt) = (created, edited) }
            guard record != before else { continue }
            try table.save(record)
            changed.insert(id)
        }
        // A deletion's revision is at most the page's last revision, which is the cursor's plus one unless the page is
        // the last.
        let revision = cursor.revision + (page.next == nil ? 0 : 1)
        for id in page.deleted ?? [] {
            guard var record = try table.find(id) else { continue }
            let before = record
            record.receive(
                NoteRecord.RemoteChange(
                    cursor: Cursor(revision: revision, lineage: cursor.lineage), text: nil, position: nil))
            guard record != before else { continue }
            try table.save(record)
            changed.insert(id)
        }
        return changed
    }
}

// Recovery after the server's history was lost or replaced.
extension NotesStore {
    /// Compares the notes on this device with the manifest. The user decides if more than a fifth is missing.
    private func compare(_ progress: inout SyncProgress, lineage: String?) throws -> Set<String> {
        let manifest = try syncTable.manifest()
        for var record in try table.all() {
            let isSame = record.shadow?.cursor == manifest[record.id].map { Cursor(revision: $0, lineage: lineage) }
            if isSame, record.lastReceived == manifest[record.id] { continue }
            record.forgetHistory()
            try table.save(record)
        }
        let (missing, total) = try missingNotes(manifest)
        guard missing.count * 5 > total else { return try resolveMissing(&progress, .moveToTrash) }
        progress.phase = .deciding
        return []
    }

    private func missingNotes(_ manifest: [String: Int64]) throws -> (ids: [String], total: Int) {
        let known = try table.list(inTrash: false).filter { $0.shadow != nil }
        return (known.filter { $0.mayLeaveList && manifest[$0.id] == nil }.map(\.id), known.count)
    }

    private func resolveMissing(_ progress: inout SyncProgress, _ decision: Decision) throws -> Set<String> {
        let (ids, _) = try missingNotes(try syncTable.manifest())
        for id in ids {
            guard var record = try table.find(id) else { continue }
            switch decision {
            case .moveToTrash: record.leaveList()
            case .keep: record.stayInList()
            }
            try table.save(record)
        }
        try syncTable.clearManifest()
        progress.restart()
        try syncTable.save(progress)
        return Set(ids)
    }

    private func pendingDecision() throws -> NotesSyncFailure {
        let (ids, total) = try missingNotes(try syncTable.manifest())
        return .decisionNeeded(missing: ids.count, of: total)
    }
}
