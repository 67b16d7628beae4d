// Parts of this module's interface, so that an app needs one import.
@_exported public import AlmanacClientRuntime
internal import AlmanacSQLite

@_exported public import struct TextMerge.Delta

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The notes of one user on this device, kept in a file, and brought up to date with the server whenever it can be
/// reached.
///
/// Everything can be done without a network. What was done is on disk before the call returns, and is sent by
/// ``sync()`` or, as long as it runs, ``follow()``. Two processes may open the same file.
public actor NotesStore {
    let database: SQLiteDatabase
    let server: NotesServer?
    let clock: any ClientClock
    let random: any RandomSource
    /// The sync that runs.
    let syncing = SharedWork<Result<UnsyncedNotes, NotesSyncFailure>>()
    /// The state of the file that this store's updates have reported so far.
    var announced: FileState
    private let changes = ChangeBroadcaster<NotesUpdate> { $0.add($1) }

    /// What the last sync has come to.
    private(set) var outcome = NotesSyncStatus.notStarted
    /// The status that this store's updates have reported last.
    private var announcedStatus = NotesSyncStatus.notStarted

    /// How far this device is known to be up to date with the server.
    public var status: NotesSyncStatus {
        guard outcome == .upToDate else { return outcome }
        do {
            let unsynced = try unsynced()
            return unsynced.isEmpty ? .upToDate : .unsynced(unsynced)
        } catch {
            return .failed(.file(NotesFileFailure(error)))
        }
    }

    /// Whether the file, or the disk that it is on, takes no writing. The notes can be read all the same.
    public nonisolated let isReadOnly: Bool

    var table: NoteTable { NoteTable(database: database) }
    var syncTable: SyncTable { SyncTable(database: database) }

    /// Opens a file of notes, or makes it.
    ///
    /// - Parameters:
    ///   - file: its URL. SQLite keeps two more files beside it.
    ///   - environment: the address of one environment of the server: `https://notes.example.com/production`.
    ///   - account: whose notes they are. A file of another account or environment is refused, so that notes never get
    ///     into somebody else's account.
    ///   - tokens: gives the user's access tokens, as `SignInSession` does; nil for a store that stays on this device.
    ///     When it throws ``SignInRequired``, or gives the same token again after the server has refused it, the store
    ///     says that the user has to sign in. Whatever else it throws counts as a network that is away, and is tried
    ///     again later.
    public init(
        file: URL, environment: URL, account: UserAccount, tokens: (any TokenProvider)? = nil,
        options: NotesOptions = NotesOptions()
    ) throws(NotesFailure) {
        (clock, random) = (options.clock, options.random)
        server = tokens.map {
            NotesServer(environment: environment, tokens: $0, transport: options.transport, clock: options.clock)
        }
        let expected = Self.owner(environment, account)
        do {
            NotesFile.makePrivate(file, isExcludedFromBackups: options.isExcludedFromBackups)
            database = try SQLiteDatabase(path: file.path, isDurable: options.isDurable)
            try Schema.prepare(database, path: file.path)
            // Those that SQLite has made meanwhile.
            NotesFile.makePrivate(file, isExcludedFromBackups: options.isExcludedFromBackups)
            let owner = try Self.owner(in: database, expected, formerly: options.formerAccount)
            guard owner.isIdentical(to: expected) else { throw NotesFailure.otherAccount(file: file) }
            announced = try FileState(of: database)
        } catch {
            throw NotesFailure(error)
        }
        isReadOnly = database.isReadOnly
    }

    /// Makes a store that is in memory only, asks no server and is gone with the last reference to it: for previews of
    /// an app's views, and for tests.
    ///
    /// ```swift
    /// let store = try NotesStore(preview: [StoredNote.Text(title: "Groceries", body: "milk")])
    /// ```
    ///
    /// - Parameter texts: those of its notes, in the order of the list.
    public init(preview texts: [StoredNote.Text]) throws(NotesFailure) {
        (clock, random) = (SystemClientClock(), SystemRandomSource())
        server = nil
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

    /// - Returns: whose notes a file holds; of a new one, and one of a former version of the app, the expected owner.
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

    /// The name of a file's owner. Neither an address nor an issuer, which is one too, has spaces.
    private static func owner(_ environment: URL, _ account: UserAccount) -> String {
        let address = environment.absoluteString.reversed().drop { $0 == "/" }.reversed()
        return "\(String(address)) \(account.issuer) \(account.subject)"
    }

    /// The changes from now on, here or elsewhere, until the reader stops reading.
    ///
    /// Changes that nobody has read yet are put together, so a slow reader misses nothing and holds up nobody. What
    /// other processes write to the file comes as long as ``follow()`` runs, within a second.
    public nonisolated var updates: NotesUpdates { NotesUpdates(changes: changes.changes()) }

    func announce(_ ids: Set<String>) {
        let status = status
        let update = NotesUpdate(notes: ids, hasNewStatus: status != announcedStatus)
        announcedStatus = status
        if !ids.isEmpty || update.hasNewStatus { changes.send(update) }
    }

    /// Notes what a sync has come to.
    func enter(_ outcome: NotesSyncStatus) {
        self.outcome = outcome
        announce([])
    }
}

/// How a store works; the defaults are those of an app.
public struct NotesOptions: Sendable {
    /// The way to the server.
    public var transport: any ClientTransport = AlmanacHTTPTransport()
    /// Tells the times of notes, and waits between attempts.
    public var clock: any ClientClock = SystemClientClock()
    /// Makes the ids of notes and actions, and spreads what many devices do.
    public var random: any RandomSource = SystemRandomSource()
    /// Whether each write survives a loss of power. Without it only a crash of the process loses nothing.
    public var isDurable = true
    /// The text that was given as `account:` to a version of this library that took free text there.
    ///
    /// A file with exactly this text is taken over for good: it then holds the environment and the account in place of
    /// the text, and the older version of the app refuses it.
    public var formerAccount: String?
    /// Whether backups of the device leave the file out. What was not sent yet is then on the device alone. Only where
    /// the system makes backups.
    public var isExcludedFromBackups = false

    /// The options of an app.
    public init() {}
}

/// A change of a store: the notes that changed, and whether the store's status did.
public struct NotesUpdate: Sendable, Hashable {
    /// The ids of the notes whose text, place or status is another now.
    public internal(set) var notes: Set<String> = []
    /// ``NotesStore/status`` is another now.
    public internal(set) var hasNewStatus = false

    mutating func add(_ later: NotesUpdate) {
        notes.formUnion(later.notes)
        hasNewStatus = hasNewStatus || later.hasNewStatus
    }
}

/// The changes of a store, one after the other; see ``NotesStore/updates``.
public struct NotesUpdates: AsyncSequence, Sendable {
    /// Changes, put together while nobody reads.
    public typealias Element = NotesUpdate
    /// Reading never fails.
    public typealias Failure = Never

    let changes: ChangeBroadcaster<NotesUpdate>.Changes

    /// Begins to read; iterators of one sequence share what is to be read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes.makeAsyncIterator())
    }

    /// Reads one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var changes: ChangeBroadcaster<NotesUpdate>.Changes.Iterator

        /// Waits for the next change; nil when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NotesUpdate? {
            await changes.next(isolation: actor)
        }
    }
}
