internal import AlmanacAttachments
public import AlmanacEnvironments
internal import AlmanacPOSIX
public import AlmanacPostgreSQL
public import AlmanacTimestamps

/// A pass over an environment's attachments, in small steps. It removes attachments that nothing has named for a number
/// of days, uploads that have stopped, blobs that no attachment names, and files without a row.
///
/// An account is locked while its references are judged, as by every change of a text. A blob's row goes before its
/// file, and both go under the lock on its hash. Therefore any number of passes may run at once.
public struct AttachmentCleaning {
    private let connection: Connection
    private let stores: BlobStores
    private let unusedDays: Int
    private let now: Timestamp?
    private let announce: (_ accountID: Int64, _ revision: Int64) throws -> Void

    /// The age in seconds at which a file without a row is removed. The row of a younger file may still be on its way.
    private static let orphanAge: Int64 = 86_400

    /// - Parameters:
    ///   - unusedDays: the days after which an unused attachment is removed.
    ///   - now: the time of the pass; nil for the present.
    ///   - announce: receives the new revision of an account that has lost attachments.
    init(
        _ connection: Connection, stores: BlobStores, unusedDays: Int, now: Timestamp?,
        announce: @escaping (_ accountID: Int64, _ revision: Int64) throws -> Void
    ) {
        self.connection = connection
        self.stores = stores
        self.unusedDays = unusedDays
        self.now = now
        self.announce = announce
    }

    /// The numbers of removed things.
    public struct Report: Sendable, Equatable {
        public internal(set) var uploads = 0
        public internal(set) var attachments = 0
        public internal(set) var blobs = 0
        /// The files without a row that were older than a day.
        public internal(set) var orphans = 0
    }

    /// The state of a pass between two steps. After a pass, it begins the next one.
    public struct Progress: Sendable {
        /// The sum of all passes.
        public internal(set) var report = Report()
        fileprivate var phase = Phase.accounts(after: 0)
        /// The blobs whose rows this pass has deleted.
        fileprivate var removed: Set<BlobHash> = []

        public init() {}
    }

    fileprivate enum Phase: Sendable {
        case accounts(after: Int64)
        case blobs(after: [UInt8])
        case files
    }

    /// Runs the next step. A step that fails is not repeated in this pass.
    ///
    /// - Returns: true if more steps follow in this pass.
    func step(_ progress: inout Progress) throws -> Bool {
        switch progress.phase {
        case .accounts(let last):
            if last == 0 { try connection.run(CleaningStatements.forgetPieces(now)) }
            let ids = try connection.run(CleaningStatements.accounts(after: last, now)).map { try $0.bigint("id") }
            for id in ids {
                progress.phase = .accounts(after: id)
                try clean(id, &progress.report)
            }
            if ids.count < CleaningStatements.accountsPerPage { progress.phase = .blobs(after: []) }
            return true
        case .blobs(let last):
            let rows = try connection.run(CleaningStatements.blobs(after: last))
            for row in rows {
                progress.phase = .blobs(after: try row.bytes("hash"))
                guard try row.boolean("is_unnamed"), let hash = BlobHash(bytes: try row.bytes("hash")) else { continue }
                try deleteRow(of: hash, &progress)
            }
            if rows.count < CleaningStatements.blobsPerPage { progress.phase = .files }
            return true
        case .files:
            let removed = progress.removed
            (progress.phase, progress.removed) = (.accounts(after: 0), [])
            var failure: (any Error)?
            for store in stores.all {
                // A store that is away does not keep another one from being cleaned.
                do { try deleteFiles(in: store, justRemoved: removed, &progress.report) } catch { failure = error }
            }
            if let failure { throw failure }
            return false
        }
    }

    /// Judges the attachments of one account.
    private func clean(_ accountID: Int64, _ report: inout Report) throws {
        // All texts are searched without the account's lock. A text that is written meanwhile has rows of its own.
        let due = try connection.run(dueNow(accountID)).map { try $0.text("id") }
        let references =
            due.isEmpty
            ? []
            : try connection.run(CleaningStatements.findReferences(to: due, in: accountID)).map { row in
                (noteID: try row.text("note_id"), id: try row.text("id"), isPresent: try row.boolean("is_present"))
            }
        var (forgotten, removed, revision) = (0, 0, Int64?.none)
        try connection.change(opening: [CleaningStatements.lock(accountID)]) { connection, rows in
            (forgotten, removed, revision) = (0, 0, nil)
            guard let account = rows[0].first else { return }
            if try account.optionalText("lineage") == nil { throw HistoryForked() }
            forgotten = try connection.run(CleaningStatements.forget(in: accountID, now)).single("uploads")
                .integer("count")
            if !references.isEmpty {
                try connection.run(CleaningStatements.addReferences(references, in: accountID))
            }
            try connection.run(CleaningStatements.deletePast(in: accountID))
            try connection.run(CleaningStatements.markUnused(in: accountID, now))
            let unused = try connection.run(dueNow(accountID)).map { try $0.text("id") }
            for id in unused where due.contains(id) {
                let row = try connection.run(AttachmentStatements.remove(id, accountID: accountID)).single(
                    "attachments")
                (removed, revision) = (removed + 1, try row.bigint("revision"))
            }
        }
        report.uploads += forgotten
        report.attachments += removed
        if let revision { try announce(accountID, revision) }
    }

    private func dueNow(_ accountID: Int64) -> Call { CleaningStatements.due(in: accountID, after: unusedDays, now) }

    /// Deletes the row of a blob that no attachment names. The last step of the pass deletes the file.
    private func deleteRow(of hash: BlobHash, _ progress: inout Progress) throws {
        let isDeleted = try connection.transaction(opening: [BlobLock.take(hash)]) { connection, _ in
            try connection.run(CleaningStatements.deleteBlob(hash)).affected == 1
        }
        guard isDeleted else { return }
        progress.removed.insert(hash)
        progress.report.blobs += 1
    }

    /// Deletes the files whose rows this pass has deleted, and old files that never had one.
    private func deleteFiles(
        in store: any BlobStore, justRemoved removed: Set<BlobHash>, _ report: inout Report
    ) throws {
        let end = (now?.milliseconds ?? WallClock.milliseconds) / 1000 - Self.orphanAge
        var candidates: [StoredFile] = []
        func flush() throws {
            defer { candidates = [] }
            let hashes = candidates.compactMap(\.hash)
            let rows = try connection.run(CleaningStatements.withoutRow(hashes, in: store.name))
            let orphans = Set(try rows.map { try $0.bytes("hash") })
            for file in candidates where file.hash.map({ orphans.contains($0.bytes) }) ?? true {
                guard try delete(file, from: store) else { continue }
                if file.hash.map({ !removed.contains($0) }) ?? true { report.orphans += 1 }
            }
        }
        try store.each { file in
            guard file.changedAt < end || file.hash.map(removed.contains) ?? false else { return }
            candidates.append(file)
            if candidates.count == CleaningStatements.blobsPerPage { try flush() }
        }
        try flush()
    }

    /// Deletes a file unless a row has meanwhile named it.
    private func delete(_ file: StoredFile, from store: any BlobStore) throws -> Bool {
        guard let hash = file.hash else {
            // The process that wrote the draft has ended long ago.
            try store.remove(file)
            return true
        }
        return try connection.transaction(opening: [BlobLock.take(hash)]) { connection, _ in
            guard try !connection.run(CleaningStatements.withoutRow([hash], in: store.name)).isEmpty else {
                return false
            }
            try store.remove(file)
            return true
        }
    }
}

extension AttachmentCleaning {
    /// Runs a whole pass over an environment.
    ///
    /// - Parameters:
    ///   - connection: a connection of the schema's owner.
    ///   - now: the time of the pass; nil for the present.
    public static func run(
        _ environment: EnvironmentSettings, on connection: Connection, at now: Timestamp?
    ) throws -> Report {
        let cleaning = AttachmentCleaning(
            connection, stores: BlobStores(environment), unusedDays: environment.limits.attachmentUnusedDays, now: now
        ) { id, revision in
            try connection.run(AccountStatements.announce(id, revision: revision, on: NotesService.channel))
        }
        var progress = Progress()
        while try cleaning.step(&progress) {}
        return progress.report
    }
}
