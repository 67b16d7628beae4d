internal import AlmanacCSQLite

/// A statement compiled by SQLite for one connection.
@safe final class CompiledStatement {
    // Safe because one database makes and uses the statement, and finalizes it before closing.
    private let pointer: OpaquePointer
    private let columns: [String]

    /// - Parameter pointer: A statement that is finalized with this object.
    init(takingOwnership pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        columns = (0..<(unsafe sqlite3_column_count(pointer))).map { index in
            unsafe sqlite3_column_name(pointer, index).map { unsafe String(cString: $0) } ?? ""
        }
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    /// Runs the statement to its end. Returns the result code of SQLite, `SQLITE_DONE` on success, and the rows.
    func run(_ values: [SQLiteValue]) -> (code: Int32, rows: [SQLiteRow]) {
        defer {
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { return (code, []) }
        }
        var rows: [SQLiteRow] = []
        while true {
            let code = unsafe sqlite3_step(pointer)
            guard code == SQLITE_ROW else { return (code, rows) }
            rows.append(SQLiteRow(columns: columns, values: (0..<Int32(columns.count)).map(value)))
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: unsafe sqlite3_bind_null(pointer, index)
        case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
        case .text(let text): unsafe csqlite_bind_text(pointer, index, text, sqlite3_uint64(text.utf8.count))
        }
    }

    private func value(at index: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(pointer, index) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(pointer, index))
        case SQLITE_NULL: return .null
        default:
            guard let text = unsafe sqlite3_column_text(pointer, index) else { return .null }
            let count = Int(unsafe sqlite3_column_bytes(pointer, index))
            // Safe because SQLite keeps that many bytes until the next step.
            return .text(unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        }
    }
}
