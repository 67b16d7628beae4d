internal import AlmanacSQLite

/// How far a file of notes has come, as one connection sees it.
struct FileState: Sendable, Hashable {
    /// Another number after every write by others than this connection.
    let others: Int64
    /// The version of the last change of a note, by whomever.
    let version: Int64

    init(of database: SQLiteDatabase) throws {
        self = try database.snapshot {
            FileState(try database.othersVersion(), try NoteTable(database: database).version())
        }
    }

    private init(_ others: Int64, _ version: Int64) {
        (self.others, self.version) = (others, version)
    }
}
