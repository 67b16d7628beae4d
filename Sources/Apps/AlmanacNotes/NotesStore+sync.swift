internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension NotesStore {
    /// Sends what is only here, and fetches what is new, until both sides are level.
    ///
    /// One sync runs at a time; whoever asks meanwhile waits for that and gets its outcome. The notes can be read and
    /// edited all the while.
    ///
    /// - Throws: why the two are not level. The store goes on as before, and the next sync begins where this one ended.
    public func sync() async throws(SyncFailure) {
        let task =
            running
            ?? Task {
                let failure = await syncOnce()
                running = nil
                enter(failure.map { .failed($0) } ?? .level)
                return failure
            }
        running = task
        if let failure = await task.value { throw failure }
    }

    /// What to do with notes that the server does not have any more.
    public enum Decision: Sendable {
        /// Put them into the trash here too.
        case moveToTrash
        /// Keep them, and send them to the server again.
        case keep
    }

    /// Answers ``SyncFailure/decisionNeeded(leaving:of:)``. The next sync goes on with it.
    public func decide(_ decision: Decision) throws(NotesFailure) {
        do {
            let ids = try database.transaction {
                var progress = try syncTable.progress()
                guard progress.phase == .asking else { return Set<String>() }
                return try leave(&progress, decision)
            }
            announce(ids)
        } catch {
            throw NotesFailure(error)
        }
    }

    private func syncOnce() async -> SyncFailure? {
        guard let server else { return .noServer }
        enter(.syncing)
        do {
            try await pull(from: server)
            // One action a note at a time: an edit of a new note takes two rounds.
            for _ in 0..<Self.mostRounds {
                guard try await push(to: server) else { break }
                try await pull(from: server)
            }
            return nil
        } catch let failure as SyncFailure {
            return failure
        } catch {
            return .file(NotesFileFailure(error))
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
            let answer = try await server.send(NotesRequest("GET", "notes", query: query))
            if answer.status == 410 {
                losses += 1
                guard losses < 4 else { throw answer.failure }
                try database.transaction {
                    // Another process may have gone on meanwhile.
                    var current = try syncTable.progress()
                    guard current == progress else { return }
                    current.lost()
                    try syncTable.clearManifest()
                    try syncTable.save(current)
                }
                continue
            }
            guard answer.status == 200 else { throw answer.failure }
            if try take(try ServerPage(answer.body), asked: progress) { return }
        }
    }

    /// - Returns: whether everything is here now.
    private func take(_ page: ServerPage, asked: SyncProgress) throws -> Bool {
        let cursor = try page.place()
        var changed: Set<String> = []
        let isLevel = try database.transaction {
            var progress = try syncTable.progress()
            guard progress == asked else { return false }
            changed = try hear(page, cursor, &progress)
            if asked.phase == .manifest {
                for entry in page.manifest ?? [] { try syncTable.addToManifest(entry.id, entry.revision) }
            }
            let next = page.more == true || asked.phase == .manifest ? page.next : nil
            let isLast = progress.take(cursor, next: next)
            if isLast, asked.phase == .first { progress.phase = .changes }
            if isLast, asked.phase == .manifest {
                changed.formUnion(try compare(&progress, lineage: cursor.lineage))
            }
            try syncTable.save(progress)
            return isLast && asked.phase == .changes
        }
        announce(changed)
        return isLevel
    }

    private func hear(_ page: ServerPage, _ cursor: Cursor, _ progress: inout SyncProgress) throws -> Set<String> {
        var changed: Set<String> = []
        if let known = progress.cursor, known.lineage != cursor.lineage, progress.phase == .changes {
            // An account that began after this device had asked for the first time.
            for var record in try table.all() {
                record.forgetHistory()
                try table.save(record)
            }
        }
        for id in page.order ?? [] {
            guard let note = page.details?[id] else { continue }
            let text = note.text
            guard note.revision >= 0, !text.title.utf8.contains(0), !text.body.utf8.contains(0) else {
                throw SyncFailure.garbled("a note cannot be kept")
            }
            let place = Cursor(revision: note.revision, lineage: cursor.lineage)
            let created = note.created_at.flatMap(Self.milliseconds) ?? 0
            let updated = note.updated_at.flatMap(Self.milliseconds) ?? created
            guard var record = try table.find(id) else {
                var record = NoteRecord(id: id, text: text, createdAt: created, updatedAt: updated)
                record.hear(NoteRecord.News(cursor: place, text: text, position: note.position))
                try table.save(record)
                changed.insert(id)
                continue
            }
            let before = record
            record.hear(NoteRecord.News(cursor: place, text: text, position: note.position))
            if record.isClean { (record.createdAt, record.updatedAt) = (created, updated) }
            guard record != before else { continue }
            try table.save(record)
            changed.insert(id)
        }
        // What is gone has a revision of at most that of the page; one before its last is all that a page with more
        // to come says.
        let revision = cursor.revision + (page.next == nil ? 0 : 1)
        for id in page.deleted ?? [] {
            guard var record = try table.find(id) else { continue }
            let before = record
            record.hear(
                NoteRecord.News(
                    cursor: Cursor(revision: revision, lineage: cursor.lineage), text: nil, position: nil))
            guard record != before else { continue }
            try table.save(record)
            changed.insert(id)
        }
        return changed
    }

    private static func milliseconds(_ time: String) -> Int64? {
        guard let date = try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) else {
            return nil
        }
        return Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}

// When the histories have parted.
extension NotesStore {
    /// Compares the copy with the manifest that has been read.
    private func compare(_ progress: inout SyncProgress, lineage: String) throws -> Set<String> {
        let manifest = try syncTable.manifest()
        for var record in try table.all() {
            let isSame = record.shadow?.cursor == manifest[record.id].map { Cursor(revision: $0, lineage: lineage) }
            if isSame, record.heard == manifest[record.id] { continue }
            record.forgetHistory()
            try table.save(record)
        }
        let (leaving, total) = try leaving(manifest)
        guard leaving.count * 5 > total else { return try leave(&progress, .moveToTrash) }
        progress.phase = .asking
        return []
    }

    private func leaving(_ manifest: [String: Int64]) throws -> (ids: [String], total: Int) {
        let known = try table.list(inTrash: false).filter { $0.shadow != nil }
        return (known.filter { $0.wouldLeave && manifest[$0.id] == nil }.map(\.id), known.count)
    }

    private func leave(_ progress: inout SyncProgress, _ decision: Decision) throws -> Set<String> {
        let (ids, _) = try leaving(try syncTable.manifest())
        for id in ids {
            guard var record = try table.find(id) else { continue }
            switch decision {
            case .moveToTrash: record.leave()
            case .keep: record.stay()
            }
            try table.save(record)
        }
        try syncTable.clearManifest()
        progress.restart()
        try syncTable.save(progress)
        return Set(ids)
    }

    private func pendingDecision() throws -> SyncFailure {
        let (ids, total) = try leaving(try syncTable.manifest())
        return .decisionNeeded(leaving: ids.count, of: total)
    }
}
