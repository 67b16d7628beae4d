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
    /// The sync that runs, whose outcome is why the two sides are not up to date.
    let syncing = SharedWork<NotesSyncFailure?>()
    /// The state of the file that this store's updates have reported so far.
    var announced: FileState
    private let changes = ChangeBroadcaster<NotesUpdate> { $0.add($1) }

    /// How far this device is known to be up to date with the server.
    public private(set) var status = NotesSyncStatus.notStarted

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
            database = try SQLiteDatabase(path: file.path, isDurable: options.isDurable)
            try Schema.prepare(database, path: file.path)
            let table = SyncTable(database: database)
            let owner = try database.transaction {
                if let owner = try table.owner(), options.formerAccount.map({ !$0.isIdentical(to: owner) }) ?? true {
                    return owner
                }
                try table.setOwner(expected)
                return expected
            }
            guard owner.isIdentical(to: expected) else { throw NotesFailure.otherAccount(file: file) }
            announced = try FileState(of: database)
        } catch {
            throw NotesFailure(error)
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
        if !ids.isEmpty { changes.send(NotesUpdate(notes: ids)) }
    }

    func enter(_ status: NotesSyncStatus) {
        guard status != self.status else { return }
        self.status = status
        changes.send(NotesUpdate(hasNewStatus: true))
    }
}

/// How a store works; the defaults are those of an app.
public struct NotesOptions: Sendable {
    /// The way to the server.
    public var transport: any ClientTransport = AlmanacHTTPTransport()
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
    public typealias Element = NotesUpdate
    public typealias Failure = Never

    let changes: ChangeBroadcaster<NotesUpdate>.Changes

    public func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        var changes: ChangeBroadcaster<NotesUpdate>.Changes.Iterator

        /// Waits for the next change; nil when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NotesUpdate? {
            await changes.next(isolation: actor)
        }
    }
}
