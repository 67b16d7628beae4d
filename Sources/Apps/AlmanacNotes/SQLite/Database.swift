internal import AlmanacCSQLite

/// One connection to a SQLite file: write-ahead log, one writer at a time.
///
/// It has one owner, and belongs to whatever isolates that.
@safe final class Database {
    // Safe because it is opened in `init`, never leaves the class, and is closed in `deinit`, after the statements.
    private let pointer: OpaquePointer
    private let path: String
    private var statements: [SQLStatement: CompiledStatement] = [:]

    /// How long to wait for another process that writes, in milliseconds.
    private static let patience: Int32 = 5000

    /// Opens a file, or makes it.
    ///
    /// - Parameter isDurable: whether what is written survives a loss of power, and not only the end of the process.
    init(path: String, isDurable: Bool) throws(DatabaseFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened = unsafe opened else { throw .cannotOpen("\(path): there is no memory") }
        guard code == SQLITE_OK else {
            let failure = Self.failure(code, unsafe String(cString: sqlite3_errmsg(opened)), path)
            unsafe sqlite3_close_v2(opened)
            throw failure
        }
        unsafe pointer = opened
        self.path = path
        unsafe sqlite3_busy_timeout(pointer, Self.patience)
        // Read first: a foreign file is not to be changed.
        try run(SQLStatement("pragma schema_version"))
        guard unsafe sqlite3_db_readonly(pointer, "main") == 0 else {
            throw .readOnly("\(path): the file or its folder may not be written")
        }
        try run(SQLStatement(isDurable ? "pragma synchronous = full" : "pragma synchronous = normal"))
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(pointer)
    }

    /// Runs a statement, compiling it the first time.
    @discardableResult
    func run(_ statement: SQLStatement, _ values: SQLValue...) throws(DatabaseFailure) -> [SQLRow] {
        try run(statement, with: values)
    }

    @discardableResult
    func run(_ statement: SQLStatement, with values: [SQLValue]) throws(DatabaseFailure) -> [SQLRow] {
        let (code, rows) = try compiled(statement).run(values)
        guard code == SQLITE_DONE else { throw failure(code) }
        return rows
    }

    /// Makes the file keep its changes in a log beside it, for good.
    func keepWriteAheadLog() throws(DatabaseFailure) {
        for waited in stride(from: 0, through: Self.patience, by: 10) {
            do throws(DatabaseFailure) {
                try run(Self.writeAheadLog)
                return
            } catch {
                // SQLite itself does not wait here, because it reads before it writes, and nobody tells when it can.
                guard case .busy = error, waited < Self.patience else { throw error }
                sqlite3_sleep(10)
            }
        }
    }

    /// Runs a block as one transaction that nobody else writes beside; an error undoes all of it.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(Self.begin, body)
    }

    /// Runs a block that only reads, and sees one state of the file.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(Self.beginReading, body)
    }

    /// Another number after every write by others than this connection.
    func othersVersion() throws(DatabaseFailure) -> Int64 {
        try run(Self.dataVersion).first?.needsNumber("data_version") ?? 0
    }

    private func transaction<Result>(_ begin: SQLStatement, _ body: () throws -> Result) throws -> Result {
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

    private func compiled(_ statement: SQLStatement) throws(DatabaseFailure) -> CompiledStatement {
        if let compiled = statements[statement] { return compiled }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(pointer, statement.text, -1, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let compiled = unsafe CompiledStatement(takingOwnership: prepared)
        statements[statement] = compiled
        return compiled
    }

    private func failure(_ code: Int32) -> DatabaseFailure {
        Self.failure(code, unsafe String(cString: sqlite3_errmsg(pointer)), path)
    }

    /// The one place where a code of SQLite's becomes an error.
    private static func failure(_ code: Int32, _ message: String, _ path: String) -> DatabaseFailure {
        let detail = "\(path): \(message) (\(code))"
        // An extended code holds the primary one in its lowest byte.
        switch code & 0xFF {
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .cannotOpen(detail)
        case SQLITE_NOTADB: return .foreign(detail)
        case SQLITE_CORRUPT: return .corrupt(detail)
        case SQLITE_READONLY: return .readOnly(detail)
        case SQLITE_FULL: return .full(detail)
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy(detail)
        default: return .failed(detail)
        }
    }

    private static let dataVersion = SQLStatement("pragma data_version")
    private static let writeAheadLog = SQLStatement("pragma journal_mode = wal")
    private static let begin = SQLStatement("begin immediate")
    private static let beginReading = SQLStatement("begin")
    private static let commit = SQLStatement("commit")
    private static let rollback = SQLStatement("rollback")
}
