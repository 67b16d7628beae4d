// Re-exported so that an app needs a single import.
@_exported public import AlmanacClientRuntime
internal import AlmanacSQLite

@_exported public import struct TextMerge.Delta

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A user's notes on this device, stored in a file and synced with the server.
///
/// All operations work without a network. A change is on disk before the call returns, and is sent by ``sync()`` or a
/// running ``follow()``. Two processes may open the same file.
public actor NotesStore {
    let database: SQLiteDatabase
    let server: NotesServer?
    let clock: any ClientClock
    let random: any RandomSource
    /// The files of attachments; nil for a store in memory.
    let files: AttachmentFiles?
    let attachmentsByteLimit: Int64
    /// The running sync of notes, shared by its callers.
    let syncing = SharedOperation<Result<UnsyncedNotes, NotesSyncFailure>>()
    /// The running transfer of files to the server.
    let sendingFiles = SharedOperation<Result<Bool, NotesSyncFailure>>()
    /// The running transfers of files from the server, by id and part.
    var fetchingFiles: [String: SharedOperation<Result<URL, NotesSyncFailure>>] = [:]
    /// The state of the file at the last announcement to ``updates``.
    var announced: FileState
    private let changes = ChangeBroadcaster<NotesUpdate> { $0.add($1) }

    private(set) var outcome = NotesSyncStatus.notStarted
    /// The status at the last announcement to ``updates``.
    private var announcedStatus = NotesSyncStatus.notStarted

    /// The sync status of this store.
    public var status: NotesSyncStatus {
        guard outcome == .upToDate else { return outcome }
        do {
            let unsynced = try unsynced()
            return unsynced.isEmpty ? .upToDate : .unsynced(unsynced)
        } catch {
            return .failed(.file(NotesFileFailure(error)))
        }
    }

    /// True if the file or its disk is read-only. Notes can still be read.
    public nonisolated let isReadOnly: Bool

    /// The folder with the files of attachments, beside the file of notes; nil for a store in memory. An app that
    /// deletes the file of notes deletes the folder too.
    public nonisolated var attachmentsFolder: URL? { files?.folder }

    var table: NoteTable { NoteTable(database: database) }
    var attachmentTable: AttachmentTable { AttachmentTable(database: database) }
    var syncTable: SyncTable { SyncTable(database: database) }

    /// Opens a file of notes, or creates it.
    ///
    /// - Parameters:
    ///   - file: the file's URL. A missing folder is created. SQLite stores two more files beside the file.
    ///   - environment: the URL of an environment: `https://notes.example.com/production`.
    ///   - account: the owner of the notes. A file of another account or environment is rejected, so that notes never
    ///     reach another user's account. A token that names another user is never sent: if the provider's access tokens
    ///     name users differently than its ID tokens, use ``UserAccount/init(accessToken:)``.
    ///   - tokens: the source of access tokens, such as `SignInSession`; nil for a store without a server. The store
    ///     reports that the user has to sign in if the source throws ``SignInRequired`` or returns a token that the
    ///     server has just rejected. Any other error counts as a network failure and is retried.
    public init(
        file: URL, environment: URL, account: UserAccount, tokens: (any TokenProvider)? = nil,
        options: NotesOptions = NotesOptions()
    ) throws(NotesFailure) {
        (clock, random) = (options.clock, options.random)
        server = tokens.map {
            NotesServer(
                environment: environment, account: account, tokens: $0, transport: options.transport,
                clock: options.clock)
        }
        files = AttachmentFiles(
            folder: URL(fileURLWithPath: file.path + "-attachments", isDirectory: true), isDurable: options.isDurable,
            isExcludedFromBackups: options.isExcludedFromBackups)
        attachmentsByteLimit = options.attachmentsByteLimit
        let expected = Self.owner(environment, account)
        do {
            NotesFile.makePrivate(file, isExcludedFromBackups: options.isExcludedFromBackups)
            database = try SQLiteDatabase(path: file.path, isDurable: options.isDurable)
            try Schema.prepare(database, path: file.path)
            // SQLite has created its companion files by now.
            NotesFile.makePrivate(file, isExcludedFromBackups: options.isExcludedFromBackups)
            let owner = try Self.owner(in: database, expected, formerly: options.formerAccount)
            guard owner.isIdentical(to: expected) else { throw NotesFailure.otherAccount(file: file) }
            announced = try FileState(of: database)
        } catch {
            throw NotesFailure(error)
        }
        isReadOnly = database.isReadOnly
    }

    /// Creates a store in memory without a server, for previews and tests. The notes are lost with the last reference.
    ///
    /// ```swift
    /// let store = try NotesStore(preview: [StoredNote.Text(title: "Groceries", body: "milk")])
    /// ```
    ///
    /// - Parameter texts: the texts of the notes, in the order of the list.
    public init(preview texts: [StoredNote.Text]) throws(NotesFailure) {
        (clock, random) = (SystemClientClock(), SystemRandomSource())
        server = nil
        (files, attachmentsByteLimit) = (nil, 0)
        do {
            database = try SQLiteDatabase(path: SQLiteDatabase.inMemory, isDurable: false)
            try Schema.prepare(database, path: SQLiteDatabase.inMemory)
            let table = NoteTable(database: database)
            let time = Int64(clock.date.timeIntervalSince1970 * 1000)
            for text in texts {
                try table.save(NoteRecord(id: random.identifier(), text: text, createdAt: time, updatedAt: time))
            }
            announced = try FileState(of: database)
        } catch {
            throw NotesFailure(error)
        }
        isReadOnly = false
    }

    /// Returns the owner of a file. A new file, or a file of the former account, gets the expected owner.
    private static func owner(
        in database: SQLiteDatabase, _ expected: String, formerly former: String?
    ) throws -> String {
        let table = SyncTable(database: database)
        func known() throws -> String? {
            let owner = try table.owner()
            return if let owner, let former, former.isIdentical(to: owner) { nil } else { owner }
        }
        if let owner = try known() { return owner }
        return try database.transaction {
            if let owner = try known() { return owner }
            try table.setOwner(expected)
            return expected
        }
    }

    /// Returns the text that identifies an owner. The separator is safe because neither URL contains a space.
    private static func owner(_ environment: URL, _ account: UserAccount) -> String {
        let address = environment.absoluteString.reversed().drop { $0 == "/" }.reversed()
        return "\(String(address)) \(account.issuer) \(account.subject)"
    }

    /// A sequence of changes from now on, made here or elsewhere.
    ///
    /// Unread changes are merged, so a slow reader misses none and does not block the store. Changes of the file by
    /// other processes are reported within a second while ``follow()`` runs.
    public nonisolated var updates: NotesUpdates { NotesUpdates(changes: changes.changes()) }

    func announce(_ ids: Set<String>, attachments: Set<String> = []) {
        let status = status
        let update = NotesUpdate(notes: ids, attachments: attachments, hasNewStatus: status != announcedStatus)
        announcedStatus = status
        if !ids.isEmpty || !attachments.isEmpty || update.hasNewStatus { changes.send(update) }
    }

    /// Records the outcome of a sync.
    func recordOutcome(_ outcome: NotesSyncStatus) {
        self.outcome = outcome
        announce([])
    }
}

/// The options of a store, with defaults for an app.
public struct NotesOptions: Sendable {
    /// The transport for requests.
    public var transport: any ClientTransport = AlmanacHTTPTransport()
    /// The clock for the times of notes and for retries.
    public var clock: any ClientClock = SystemClientClock()
    /// The source of ids of notes and actions, and of the jitter of retries.
    public var random: any RandomSource = SystemRandomSource()
    /// True if a write survives a power loss. Otherwise a write survives only a crash of the process.
    public var isDurable = true
    /// The former account text, for files of an earlier version of this library that accepted free text as `account:`.
    ///
    /// A file with exactly this text is migrated permanently: the environment and the account replace the text, and the
    /// earlier version of the app then rejects the file.
    public var formerAccount: String?
    /// The limit on the bytes of attachments on this device. Above the limit, the least recently used files that the
    /// server has too are removed from this device. Unsent files are never removed.
    public var attachmentsByteLimit: Int64 = 1 << 30
    /// True if backups exclude the file, on Apple platforms only. Unsent changes then exist on this device only.
    public var isExcludedFromBackups = false

    /// Creates options for an app.
    public init() {}
}

/// A change of a store's notes or status.
public struct NotesUpdate: Sendable, Hashable {
    /// The ids of the notes whose text, place or status has changed.
    public internal(set) var notes: Set<String> = []
    /// The ids of the attachments whose state or presence on this device has changed.
    public internal(set) var attachments: Set<String> = []
    /// True if ``NotesStore/status`` has changed.
    public internal(set) var hasNewStatus = false

    mutating func add(_ later: NotesUpdate) {
        notes.formUnion(later.notes)
        attachments.formUnion(later.attachments)
        hasNewStatus = hasNewStatus || later.hasNewStatus
    }
}

/// A sequence of a store's changes; see ``NotesStore/updates``.
public struct NotesUpdates: AsyncSequence, Sendable {
    /// A change, merged from all unread changes.
    public typealias Element = NotesUpdate
    /// The sequence never throws.
    public typealias Failure = Never

    let changes: ChangeBroadcaster<NotesUpdate>.Changes

    /// Returns an iterator. Iterators of one sequence share its unread changes.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

    /// An iterator over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        var changes: ChangeBroadcaster<NotesUpdate>.Changes.Iterator

        /// Waits for the next change. Returns nil if the task is cancelled or the store is released.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NotesUpdate? {
            await changes.next(isolation: actor)
        }
    }
}
