internal import AlmanacClientRuntime
internal import AlmanacRevisions
internal import AlmanacSQLite

extension NotesStore {
    /// Sends what is only here, and fetches what is new, until both sides are up to date.
    ///
    /// One sync runs at a time; another call meanwhile waits for that one and gets its outcome. The notes can be read
    /// and edited all the while. A call whose task is cancelled returns at once; the sync goes on if others wait for it
    /// too.
    ///
    /// - Returns: what is only here all the same: notes that the server has refused, and what was done meanwhile.
    /// - Throws: why the two sides are not up to date. The store goes on as before, and the next sync begins where this
    ///   one ended.
    @discardableResult
    public func sync() async throws(NotesSyncFailure) -> UnsyncedNotes {
        guard let result = await syncing.value({ await self.syncOnce() }) else { throw .cancelled }
        return try result.get()
    }

    /// The treatment of notes that the server does not have any more.
    public enum Decision: Sendable {
        /// Put them into the trash here too.
        case moveToTrash
        /// Keep them, and send them to the server again.
        case keep
    }

    /// Answers ``NotesSyncFailure/decisionNeeded(missing:of:)``. The next sync goes on with it.
    public func decide(_ decision: Decision) throws(NotesFailure) {
        do {
            let ids = try database.transaction {
                var progress = try syncTable.progress()
                guard progress.phase == .deciding else { return Set<String>() }
                return try settleMissing(&progress, decision)
            }
            announce(ids)
        } catch {
            throw NotesFailure(error)
        }
    }

    private func syncOnce() async -> Result<UnsyncedNotes, NotesSyncFailure> {
        let before = outcome
        enter(.syncing)
        let result = await syncWithServer()
        switch result {
        case .success: enter(.upToDate)
        // When nobody waits any more, that says nothing about the server.
        case .failure where Task.isCancelled: enter(before)
        case .failure(let failure): enter(.failed(failure))
        }
        return result
    }

    private func syncWithServer() async -> Result<UnsyncedNotes, NotesSyncFailure> {
        guard let server else { return .failure(.noServer) }
        do {
            try await pull(from: server)
            // One action a note at a time: an edit of a new note takes two rounds.
            for _ in 0..<Self.mostRounds {
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

    /// So many rounds end a sync even while its user goes on typing.
    private static let mostRounds = 20
}

// From the server.
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
                    // Another process may have gone on meanwhile.
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

    /// - Returns: whether everything is here now.
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
            // An account that began after this device had asked for the first time.
            for var record in try table.all() {
                record.forgetHistory(before: cursor.lineage)
                try table.save(record)
            }
        }
        for id in page.order ?? [] {
            guard let note = page.details?[id] else { continue }
            guard note.revision >= 0, note.text.canBeKept else {
                throw NotesSyncFailure.unexpectedResponse("a note cannot be kept")
            }
            let text = note.text
            let place = Cursor(revision: note.revision, lineage: cursor.lineage)
            let (created, updated) = note.times
            guard var record = try table.find(id) else {
                var record = NoteRecord(id: id, text: text, createdAt: created, updatedAt: updated)
                record.receive(NoteRecord.RemoteChange(cursor: place, text: text, position: note.position))
                try table.save(record)
                changed.insert(id)
                continue
            }
            let before = record
            record.receive(NoteRecord.RemoteChange(cursor: place, text: text, position: note.position))
            if record.isClean { (record.createdAt, record.updatedAt) = (created, updated) }
            guard record != before else { continue }
            try table.save(record)
            changed.insert(id)
        }
        // A note that is gone has a revision of at most that of the page; one before its last is all that a page with
        // more to come says.
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

// When the histories have parted.
extension NotesStore {
    /// Compares the copy with the manifest that has been read.
    private func compare(_ progress: inout SyncProgress, lineage: String?) throws -> Set<String> {
        let manifest = try syncTable.manifest()
        for var record in try table.all() {
            let isSame = record.shadow?.cursor == manifest[record.id].map { Cursor(revision: $0, lineage: lineage) }
            if isSame, record.lastReceived == manifest[record.id] { continue }
            record.forgetHistory()
            try table.save(record)
        }
        let (missing, total) = try missingNotes(manifest)
        guard missing.count * 5 > total else { return try settleMissing(&progress, .moveToTrash) }
        progress.phase = .deciding
        return []
    }

    private func missingNotes(_ manifest: [String: Int64]) throws -> (ids: [String], total: Int) {
        let known = try table.list(inTrash: false).filter { $0.shadow != nil }
        return (known.filter { $0.mayLeaveList && manifest[$0.id] == nil }.map(\.id), known.count)
    }

    private func settleMissing(_ progress: inout SyncProgress, _ decision: Decision) throws -> Set<String> {
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
