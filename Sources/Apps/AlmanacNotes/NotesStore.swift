internal import AlmanacSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The notes of one user on this device, kept in a file, and brought level with the server whenever it can be reached.
///
/// Everything can be done without a network. What was done is on disk before the call returns, and is sent by ``sync()``
/// or, as long as it runs, ``follow()``. Two processes may open the same file.
public actor NotesStore {
    let database: SQLiteDatabase
    let server: NotesServer?
    let surroundings: Surroundings
    let changes = ChangeBoard()
    var running: Task<SyncFailure?, Never>?
    /// How far this device is known to be level with the server.
    public internal(set) var state = SyncState.waiting
    /// What this store has told of.
    var told: FileState

    var table: NoteTable { NoteTable(database: database) }
    var syncTable: SyncTable { SyncTable(database: database) }

    /// Opens a file of notes, or makes it.
    ///
    /// - Parameters:
    ///   - file: its path. SQLite keeps two more files beside it.
    ///   - account: whose notes they are: any text that names the environment and the user, such as address and subject.
    ///     A file that was made for another is refused, so that notes never get into somebody else's account.
    ///   - server: nil for a store that stays on this device.
    public init(
        file: String, account: String, server: NotesServer? = nil, surroundings: Surroundings = Surroundings()
    ) throws(NotesFailure) {
        self.server = server
        self.surroundings = surroundings
        do {
            database = try SQLiteDatabase(path: file, isDurable: surroundings.isDurable)
            try Schema.prepare(database, path: file)
            let table = SyncTable(database: database)
            let owner = try database.transaction {
                let owner = try table.account
                if owner == nil { try table.claim(for: account) }
                return owner ?? account
            }
            guard owner.isIdentical(to: account) else { throw NotesFailure.otherAccount(file) }
            told = try FileState(of: database)
        } catch {
            throw NotesFailure(error)
        }
    }

    /// What changes from now on, here or elsewhere, until the reader stops reading.
    ///
    /// Changes that nobody has read yet are put together, so a slow reader misses nothing and holds up nobody. What other
    /// processes write to the file is told as long as ``follow()`` runs, within a second.
    public nonisolated var updates: NotesUpdates { changes.updates() }
}
