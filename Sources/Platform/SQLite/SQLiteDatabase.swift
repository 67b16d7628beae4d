internal import AlmanacCSQLite

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The text of one statement. Values come in only through its placeholders.
package struct SQLiteStatement: Sendable, Hashable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// One connection to a SQLite file: write-ahead log, one writer at a time.
///
/// It has one owner, and belongs to whatever isolates that.
@safe package final class SQLiteDatabase {
    // Safe because it is opened in `init`, never leaves the class, and is closed in `deinit`, after the statements.
    private let pointer: OpaquePointer
    private let path: String
    private var statements: [SQLiteStatement: CompiledStatement] = [:]

    /// How long to wait for another process that writes, in milliseconds.
    private static let busyTimeout: Int32 = 5000

    /// Whether the file, or the disk that it is on, takes no writing.
    package let isReadOnly: Bool

    /// The path of a database that is in memory only, and gone when it is closed.
    package static let inMemory = ":memory:"

    /// Opens a file, or makes it; one that may not be written is opened for reading.
    ///
    /// - Parameter isDurable: whether what is written survives a loss of power, and not only the end of the process.
    package init(path: String, isDurable: Bool) throws(SQLiteFailure) {
        unsafe pointer = try Self.open(path)
        isReadOnly = unsafe sqlite3_db_readonly(pointer, "main") == 1
        self.path = path
        try run(SQLiteStatement(isDurable ? "pragma synchronous = full" : "pragma synchronous = normal"))
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(pointer)
    }

    /// Runs a statement, compiling it the first time.
    @discardableResult
    package func run(_ statement: SQLiteStatement, _ values: SQLiteValue...) throws(SQLiteFailure) -> [SQLiteRow] {
        try run(statement, with: values)
    }

    @discardableResult
    package func run(_ statement: SQLiteStatement, with values: [SQLiteValue]) throws(SQLiteFailure) -> [SQLiteRow] {
        let (code, rows) = try compiled(statement).run(values)
        guard code == SQLITE_DONE else { throw failure(code) }
        return rows
    }

    /// Makes the file keep its changes in a log beside it, for good.
    package func keepWriteAheadLog() throws(SQLiteFailure) {
        for waited in stride(from: 0, through: Self.busyTimeout, by: 10) {
            do throws(SQLiteFailure) {
                try run(Self.writeAheadLog)
                return
            } catch {
                // SQLite itself does not wait here, because it reads before it writes, and nobody tells when it can.
                guard error.reason == .busy, waited < Self.busyTimeout else { throw error }
                sqlite3_sleep(10)
            }
        }
    }

    /// Runs a block as one transaction that nobody else writes beside; an error undoes all of it.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(Self.begin, body)
    }

    /// Runs a block that only reads, and sees one state of the file.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(Self.beginReading, body)
    }

    /// Another number after every write by others than this connection.
    package func othersVersion() throws(SQLiteFailure) -> Int64 {
        try run(Self.dataVersion).first?.requiredNumber("data_version") ?? 0
    }

    private func transaction<Result>(_ begin: SQLiteStatement, _ body: () throws -> Result) throws -> Result {
        try run(begin)
        do {
            let result = try body()
            try run(Self.commit)
            return result
        } catch {
            // After some errors SQLite has rolled back by itself.
            if unsafe sqlite3_get_autocommit(pointer) == 0 { _ = try? run(Self.rollback) }
            throw error
        }
    }

    private func compiled(_ statement: SQLiteStatement) throws(SQLiteFailure) -> CompiledStatement {
        if let compiled = statements[statement] { return compiled }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(pointer, statement.text, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let compiled = unsafe CompiledStatement(takingOwnership: prepared)
        statements[statement] = compiled
        return compiled
    }

    /// - Parameter isFrozen: whether nobody can write the file, so that readers need not look out for each other.
    private static func open(_ path: String, isFrozen: Bool = false) throws(SQLiteFailure) -> OpaquePointer {
        var opened: OpaquePointer?
        let access = isFrozen ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(
            isFrozen ? frozenAddress(of: path) : path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            nil)
        guard let opened = unsafe opened else { throw SQLiteFailure(.cannotOpen, "\(path): there is no memory") }
        unsafe sqlite3_busy_timeout(opened, busyTimeout)
        // Read first: a foreign file is not to be changed.
        guard code == SQLITE_OK, unsafe sqlite3_exec(opened, "pragma schema_version", nil, nil, nil) == SQLITE_OK else {
            defer { unsafe sqlite3_close_v2(opened) }
            let failure = unsafe failure(
                sqlite3_extended_errcode(opened), String(cString: sqlite3_errmsg(opened)), path)
            // On a disk that takes no writing there is no room for what readers share. A log that was left there cannot
            // be read then, and without it the file may lack the last writes.
            let isOnSuchDisk =
                unsafe sqlite3_db_readonly(opened, "main") == 1 && [.cannotOpen, .readOnly].contains(failure.reason)
            guard code == SQLITE_OK, isOnSuchDisk, !isFrozen, !hasLog(path) else { throw failure }
            return try unsafe open(path, isFrozen: true)
        }
        return unsafe opened
    }

    private static func frozenAddress(of path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:" + path.map { special[$0] ?? String($0) }.joined() + "?immutable=1"
    }

    /// Whether something is in the log beside a file.
    private static func hasLog(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path + "-wal", &information) == 0 && information.st_size > 0
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        Self.failure(code, unsafe String(cString: sqlite3_errmsg(pointer)), path)
    }

    /// The one place where a code of SQLite's becomes an error.
    private static func failure(_ code: Int32, _ message: String, _ path: String) -> SQLiteFailure {
        let detail = "\(path): \(message) (\(code))"
        // An extended code holds the primary one in its lowest byte.
        let reason: SQLiteFailure.Reason =
            switch code & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_READONLY: .readOnly
            case SQLITE_FULL: .full
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            default: .other
            }
        return SQLiteFailure(reason, detail)
    }

    private static let dataVersion = SQLiteStatement("pragma data_version")
    private static let writeAheadLog = SQLiteStatement("pragma journal_mode = wal")
    private static let begin = SQLiteStatement("begin immediate")
    private static let beginReading = SQLiteStatement("begin")
    private static let commit = SQLiteStatement("commit")
    private static let rollback = SQLiteStatement("rollback")
}
