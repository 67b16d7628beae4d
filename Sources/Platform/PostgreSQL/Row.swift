public import AlmanacTimestamps

/// A row of a result, whose values are read by column name.
///
/// Reading throws `PostgresFailure.unexpectedResult` if the column is missing, has another type, or, for methods
/// without `optional` in the name, is null.
public struct Row: Sendable {
    let result: QueryResult
    let position: Int

    /// Reads a `text`, `varchar`, `char`, `name`, `json` or `jsonb` column.
    public func text(_ column: String) throws(PostgresFailure) -> String { try present(optionalText(column), column) }

    public func optionalText(_ column: String) throws(PostgresFailure) -> String? {
        try read(column, "a text", BinaryFormat.text)
    }

    /// Reads a `bytea` column, or the UTF-8 of any column that `text` reads.
    public func bytes(_ column: String) throws(PostgresFailure) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    public func optionalBytes(_ column: String) throws(PostgresFailure) -> [UInt8]? {
        try read(column, "bytes", BinaryFormat.bytes)
    }

    /// Reads a `bigint`, `integer` or `smallint` column.
    public func bigint(_ column: String) throws(PostgresFailure) -> Int64 {
        try present(optionalBigint(column), column)
    }

    public func optionalBigint(_ column: String) throws(PostgresFailure) -> Int64? {
        try read(column, "an integer", BinaryFormat.bigint)
    }

    /// Reads a `bigint`, `integer` or `smallint` column.
    public func integer(_ column: String) throws(PostgresFailure) -> Int { Int(try bigint(column)) }

    public func boolean(_ column: String) throws(PostgresFailure) -> Bool {
        try present(optionalBoolean(column), column)
    }

    public func optionalBoolean(_ column: String) throws(PostgresFailure) -> Bool? {
        try read(column, "a boolean", BinaryFormat.boolean)
    }

    /// Reads a `timestamptz` column, truncated to milliseconds.
    public func timestamp(_ column: String) throws(PostgresFailure) -> Timestamp {
        try present(optionalTimestamp(column), column)
    }

    public func optionalTimestamp(_ column: String) throws(PostgresFailure) -> Timestamp? {
        try read(column, "a time of the years 1 to 9999", BinaryFormat.timestamp)
    }

    /// Reads a `text[]` column without nulls.
    public func textArray(_ column: String) throws(PostgresFailure) -> [String] {
        try present(optionalTextArray(column), column)
    }

    public func optionalTextArray(_ column: String) throws(PostgresFailure) -> [String]? {
        try read(column, "an array of texts without nulls") { type, bytes in
            Self.withoutNulls(BinaryFormat.array(type, bytes, of: [.textArray: .text], BinaryFormat.text))
        }
    }

    /// Reads a `bigint[]` or `integer[]` column without nulls.
    public func bigintArray(_ column: String) throws(PostgresFailure) -> [Int64] {
        try present(optionalBigintArray(column), column)
    }

    public func optionalBigintArray(_ column: String) throws(PostgresFailure) -> [Int64]? {
        try read(column, "an array of integers without nulls") { type, bytes in
            Self.withoutNulls(
                BinaryFormat.array(type, bytes, of: [.int8Array: .int8, .int4Array: .int4], BinaryFormat.bigint))
        }
    }

    /// Reads an `int4range` column with an inclusive lower and an exclusive upper bound, which is nil if unbounded.
    ///
    /// An empty range, or one without a lower bound, throws `.unexpectedResult`.
    public func integerRange(_ column: String) throws(PostgresFailure) -> (lower: Int, upper: Int?) {
        try present(read(column, "a range of integers with a lower bound", BinaryFormat.integerRange), column)
    }

    private func read<Value>(
        _ name: String, _ expected: String, _ decode: (TypeOID, Span<UInt8>) -> Value?
    ) throws(PostgresFailure) -> Value? {
        guard let column = result.column(named: name) else {
            throw .unexpectedResult(
                "there is no column \"\(name)\" among \(result.columnNames.joined(separator: ", "))")
        }
        let type = result.type(ofColumn: column)
        let value = result.withValue(row: position, column: column) { decode(type, $0) }
        // The outer nil is null, the inner one a value that could not be decoded.
        guard case .some(.none) = value else { return value ?? nil }
        throw .unexpectedResult("column \"\(name)\" is \(type) and can't be read as \(expected)")
    }

    private func present<Value>(_ value: Value?, _ column: String) throws(PostgresFailure) -> Value {
        guard let value else { throw .unexpectedResult("column \"\(column)\" is null") }
        return value
    }

    private static func withoutNulls<Element>(_ elements: [Element?]?) -> [Element]? {
        guard let elements else { return nil }
        let present = elements.compactMap(\.self)
        return present.count == elements.count ? present : nil
    }
}

/// The rows returned by a statement, in the server's order.
public struct Rows: RandomAccessCollection, Sendable {
    let result: QueryResult

    public var startIndex: Int { 0 }
    public var endIndex: Int { result.rowCount }

    public subscript(position: Int) -> Row {
        precondition(indices.contains(position), "row \(position) of \(count)")
        return Row(result: result, position: position)
    }

    /// The number of rows that the statement inserted, updated, deleted or returned.
    public var affected: Int { result.affected }

    /// Returns the first row, or throws an error that contains the name of the row if there is none.
    public func single(_ what: String) throws(PostgresFailure) -> Row {
        guard let row = first else { throw .unexpectedResult("\(what) has no row") }
        return row
    }
}
