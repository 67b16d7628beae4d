/// A value of a placeholder or a column.
package enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)

    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    package init(_ boolean: Bool) { self = .integer(boolean ? 1 : 0) }
}

/// A row of a result, copied out of SQLite.
package struct SQLiteRow {
    /// The column names, which are few enough that a linear search is faster than hashing.
    let columns: [String]
    package let values: [SQLiteValue]

    /// Returns a text, or nil for null. Throws `.corrupt` for a value of another type.
    package func text(_ name: String) throws(SQLiteFailure) -> String? {
        switch try value(name) {
        case .null: nil
        case .text(let text): text
        case .integer: throw SQLiteFailure(.corrupt, "column \(name) contains a number")
        }
    }

    /// Returns a number, or nil for null.
    package func number(_ name: String) throws(SQLiteFailure) -> Int64? {
        switch try value(name) {
        case .null: nil
        case .integer(let number): number
        case .text: throw SQLiteFailure(.corrupt, "column \(name) contains a text")
        }
    }

    package func requiredText(_ name: String) throws(SQLiteFailure) -> String {
        guard let text = try text(name) else { throw SQLiteFailure(.corrupt, "column \(name) is empty") }
        return text
    }

    package func requiredNumber(_ name: String) throws(SQLiteFailure) -> Int64 {
        guard let number = try number(name) else { throw SQLiteFailure(.corrupt, "column \(name) is empty") }
        return number
    }

    package func boolean(_ name: String) throws(SQLiteFailure) -> Bool { try requiredNumber(name) != 0 }

    private func value(_ name: String) throws(SQLiteFailure) -> SQLiteValue {
        guard let index = columns.firstIndex(of: name) else {
            throw SQLiteFailure(.other, "there is no column \(name)")
        }
        return values[index]
    }
}
