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
}
