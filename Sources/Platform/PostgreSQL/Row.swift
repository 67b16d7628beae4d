public import AlmanacTimestamps

/// One row of a result; its values are read by the names of their columns.
///
/// Reading throws `PostgresFailure.misread` when there is no such column, when it has another type, and, without
/// `optional` in the name, when it is null.
public struct Row: Sendable {
    let result: QueryResult
    let position: Int

    /// A `text`, `varchar`, `char`, `name`, `json` or `jsonb` column.
    public func text(_ column: String) throws(PostgresFailure) -> String {
        try present(optionalText(column), column)
    }

    public func optionalText(_ column: String) throws(PostgresFailure) -> String? {
        try read(column, "a text", BinaryFormat.text)
    }

    /// A `bytea` column, or the UTF-8 of any that `text` reads.
    public func bytes(_ column: String) throws(PostgresFailure) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    public func optionalBytes(_ column: String) throws(PostgresFailure) -> [UInt8]? {
        try read(column, "bytes", BinaryFormat.bytes)
    }

    /// A `bigint`, `integer` or `smallint` column.
    public func bigint(_ column: String) throws(PostgresFailure) -> Int64 {
        try present(optionalBigint(column), column)
    }

    public func optionalBigint(_ column: String) throws(PostgresFailure) -> Int64? {
        try read(column, "an integer", BinaryFormat.bigint)
    }

    /// A `bigint`, `integer` or `smallint` column.
    public func integer(_ column: String) throws(PostgresFailure) -> Int {
        Int(try bigint(column))
    }

    public func boolean(_ column: String) throws(PostgresFailure) -> Bool {
        try present(optionalBoolean(column), column)
    }

    public func optionalBoolean(_ column: String) throws(PostgresFailure) -> Bool? {
        try read(column, "a boolean", BinaryFormat.boolean)
    }

    /// A `timestamptz` column, cut to milliseconds.
    public func timestamp(_ column: String) throws(PostgresFailure) -> Timestamp {
        try present(optionalTimestamp(column), column)
    }

    public func optionalTimestamp(_ column: String) throws(PostgresFailure) -> Timestamp? {
        try read(column, "a time of the years 1 to 9999", BinaryFormat.timestamp)
    }

    /// A `text[]` column without nulls in it.
    public func textArray(_ column: String) throws(PostgresFailure) -> [String] {
        try present(optionalTextArray(column), column)
    }

    public func optionalTextArray(_ column: String) throws(PostgresFailure) -> [String]? {
        try read(column, "an array of texts without nulls") { type, bytes in
            Self.withoutNulls(BinaryFormat.array(type, bytes, of: [.textArray: .text], BinaryFormat.text))
        }
    }

    /// A `bigint[]` or `integer[]` column without nulls in it.
    public func bigintArray(_ column: String) throws(PostgresFailure) -> [Int64] {
        try present(optionalBigintArray(column), column)
    }

    public func optionalBigintArray(_ column: String) throws(PostgresFailure) -> [Int64]? {
        try read(column, "an array of integers without nulls") { type, bytes in
            Self.withoutNulls(
                BinaryFormat.array(type, bytes, of: [.int8Array: .int8, .int4Array: .int4], BinaryFormat.bigint))
        }
    }

    /// An `int4range` column: `lower` belongs to the range, `upper` doesn't and is nil when there is no end.
    ///
    /// An empty range, and one without a beginning, is misread.
    public func integerRange(_ column: String) throws(PostgresFailure) -> (lower: Int, upper: Int?) {
        try present(
            read(column, "a range of integers with a beginning", BinaryFormat.integerRange), column)
    }

    private func read<Value>(
        _ name: String, _ expected: String, _ decode: (TypeOID, Span<UInt8>) -> Value?
    ) throws(PostgresFailure) -> Value? {
        guard let column = result.column(named: name) else {
            throw .misread("there is no column \"\(name)\" among \(result.columnNames.joined(separator: ", "))")
        }
        let type = result.type(ofColumn: column)
        let value = result.withValue(row: position, column: column) { decode(type, $0) }
        // The outer nil is null, the inner one a value that doesn't fit.
        guard case .some(.none) = value else { return value ?? nil }
        throw .misread("column \"\(name)\" is \(type) and can't be read as \(expected)")
    }

    private func present<Value>(_ value: Value?, _ column: String) throws(PostgresFailure) -> Value {
        guard let value else { throw .misread("column \"\(column)\" is null") }
        return value
    }

    private static func withoutNulls<Element>(_ elements: [Element?]?) -> [Element]? {
        guard let elements else { return nil }
        let present = elements.compactMap(\.self)
        return present.count == elements.count ? present : nil
    }
}

/// The rows that a statement returned, in the server's order.
public struct Rows: RandomAccessCollection, Sendable {
    let result: QueryResult

    public var startIndex: Int { 0 }
    public var endIndex: Int { result.rowCount }

    public subscript(position: Int) -> Row {
        precondition(indices.contains(position), "row \(position) of \(count)")
        return Row(result: result, position: position)
    }

    /// How many rows the statement inserted, updated, deleted or returned.
    public var affected: Int { result.affected }

    /// The one row that there must be.
    ///
    /// - Parameter what: names the row in the error, when there is none.
    public func single(_ what: String) throws(PostgresFailure) -> Row {
        guard let row = first else { throw .misread("\(what) has no row") }
        return row
    }
}
