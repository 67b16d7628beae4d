internal import AlmanacCSQLite

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The text of one statement. Values are only passed through placeholders.
package struct SQLiteStatement: Sendable, Hashable {
    let text: String

    package init(_ text: String) { self.text = text }
}

/// A connection to a SQLite file with a write-ahead log and one writer at a time.
///
/// The connection has one owner, which isolates it.
@safe package final class SQLiteDatabase {
    // Safe because the pointer is made in `init`, never leaves the class, and is closed in `deinit` after the
    // statements.
    private let pointer: OpaquePointer
    private let path: String
    private var statements: [SQLiteStatement: CompiledStatement] = [:]

    /// The time to wait for another writing process, in milliseconds.
    private static let busyTimeout: Int32 = 5000

    /// True if the file or its disk is read-only.
    package let isReadOnly: Bool

    /// The path of an in-memory database, which is deleted when closed.
    package static let inMemory = ":memory:"

    /// Opens or creates a file. A read-only file is opened for reading. Durable writes survive a loss of power, and not
    /// only the end of the process.
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

    /// Runs a statement, and compiles it on first use.
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

    /// Enables the write-ahead log permanently.
    package func keepWriteAheadLog() throws(SQLiteFailure) {
        for waited in stride(from: 0, through: Self.busyTimeout, by: 10) {
            do throws(SQLiteFailure) {
                try run(Self.writeAheadLog)
                return
            } catch {
                // SQLite does not wait here by itself, and does not signal when the lock is free.
                guard error.reason == .busy, waited < Self.busyTimeout else { throw error }
                sqlite3_sleep(10)
            }
        }
    }

    /// Runs a block as a write transaction that excludes other writers. An error rolls it back.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result { try transaction(Self.begin, body) }

    /// Runs a read-only block on one snapshot of the file.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(Self.beginReading, body)
    }

    /// Returns a number that changes after every write by another connection.
    package func dataVersion() throws(SQLiteFailure) -> Int64 {
        try run(Self.readDataVersion).first?.requiredNumber("data_version") ?? 0
    }

    private func transaction<Result>(_ begin: SQLiteStatement, _ body: () throws -> Result) throws -> Result {
        try run(begin)
        do {
            let result = try body()
            try run(Self.commit)
            return result
        } catch {
            // SQLite rolls back by itself after some errors.
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

    /// - Parameter isImmutable: True if no process can write the file, so that no locks are needed.
    private static func open(_ path: String, isImmutable: Bool = false) throws(SQLiteFailure) -> OpaquePointer {
        var opened: OpaquePointer?
        let access = isImmutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(
            isImmutable ? immutableURI(of: path) : path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            nil)
        guard let opened = unsafe opened else { throw SQLiteFailure(.cannotOpen, "\(path): out of memory") }
        unsafe sqlite3_busy_timeout(opened, busyTimeout)
        // Reading first leaves a foreign file unchanged.
        guard code == SQLITE_OK, unsafe sqlite3_exec(opened, "pragma schema_version", nil, nil, nil) == SQLITE_OK else {
            defer { unsafe sqlite3_close_v2(opened) }
            let failure = unsafe failure(
                sqlite3_extended_errcode(opened), String(cString: sqlite3_errmsg(opened)), path)
            // Readers can't create their shared memory on a read-only disk. If a log was left there, it can't be read,
            // and the file alone may lack the last writes.
            let isOnSuchDisk =
                unsafe sqlite3_db_readonly(opened, "main") == 1 && [.cannotOpen, .readOnly].contains(failure.reason)
            guard code == SQLITE_OK, isOnSuchDisk, !isImmutable, !hasLog(path) else { throw failure }
            return try unsafe open(path, isImmutable: true)
        }
        return unsafe opened
    }

    private static func immutableURI(of path: String) -> String {
        let special: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:" + path.map { special[$0] ?? String($0) }.joined() + "?immutable=1"
    }

    /// Returns true if the log beside a file is not empty.
    private static func hasLog(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path + "-wal", &information) == 0 && information.st_size > 0
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        Self.failure(code, unsafe String(cString: sqlite3_errmsg(pointer)), path)
    }

    /// Converts a result code of SQLite to an error.
    private static func failure(_ code: Int32, _ message: String, _ path: String) -> SQLiteFailure {
        let detail = "\(path): \(message) (\(code))"
        // The lowest byte of an extended code is the primary code.
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

    private static let readDataVersion = SQLiteStatement("pragma data_version")
    private static let writeAheadLog = SQLiteStatement("pragma journal_mode = wal")
    private static let begin = SQLiteStatement("begin immediate")
    private static let beginReading = SQLiteStatement("begin")
    private static let commit = SQLiteStatement("commit")
    private static let rollback = SQLiteStatement("rollback")
}
