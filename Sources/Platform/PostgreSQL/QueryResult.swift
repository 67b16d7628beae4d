internal import AlmanacCLibPQ

/// An owner of a `PGresult`, which it frees with the last reference.
@safe final class QueryResult: @unchecked Sendable {
    // Safe to share because a result is only read once it is complete, which libpq allows from several threads, and
    // safe to point into because every pointer is used up while `self` is held.
    private let pointer: OpaquePointer
    let rowCount: Int
    let columnNames: [String]

    init(takingOwnership pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        rowCount = unsafe Int(PQntuples(pointer))
        // Columns of a copy have no names.
        columnNames = unsafe (0..<PQnfields(pointer)).map { column in
            unsafe PQfname(pointer, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    deinit { unsafe PQclear(pointer) }

    var status: ExecStatusType { unsafe PQresultStatus(pointer) }

    /// The server's command tag: `INSERT 0 1`, `COMMIT`, `ROLLBACK`.
    var commandTag: String { unsafe String(cString: PQcmdStatus(pointer)) }

    /// The number of rows that the statement changed or returned, or 0 if the statement counts none.
    var affected: Int { unsafe Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// Returns the index of the first column with a name. With few columns, a search is faster than hashing.
    func column(named name: String) -> Int? { columnNames.firstIndex(of: name) }

    func type(ofColumn column: Int) -> TypeOID { unsafe TypeOID(rawValue: PQftype(pointer, Int32(column))) }

    /// Calls `body` with the bytes of a value. Returns the result of `body`, or nil for null.
    func withValue<Value>(row: Int, column: Int, _ body: (Span<UInt8>) -> Value) -> Value? {
        precondition(
            (0..<rowCount).contains(row) && columnNames.indices.contains(column), "the result has no such row or column"
        )
        let (row, column) = (Int32(row), Int32(column))
        if unsafe PQgetisnull(pointer, row, column) == 1 { return nil }
        return withExtendedLifetime(self) {
            let bytes = unsafe UnsafeRawBufferPointer(
                start: PQgetvalue(pointer, row, column), count: Int(PQgetlength(pointer, row, column)))
            return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
        }
    }

    /// The error in the server's response, or nil for libpq's own errors.
    var serverError: ServerError? {
        guard let state = field("C") else { return nil }
        return ServerError(
            state: SQLState(rawValue: state), message: field("M") ?? "", detail: field("D"), hint: field("H"),
            schema: field("s"), table: field("t"), column: field("c"), constraint: field("n"))
    }

    /// Returns a field of an error by its letter in the protocol ("Error and Notice Message Fields" in the manual).
    private func field(_ letter: Unicode.Scalar) -> String? {
        guard let value = unsafe PQresultErrorField(pointer, Int32(letter.value)) else { return nil }
        return unsafe String(cString: value)
    }
}
