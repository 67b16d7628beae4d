/// One row of a result, copied out of SQLite.
struct SQLRow {
    let columns: [String: Int]
    let values: [SQLValue]

    /// A text; nil for null.
    ///
    /// - Throws: `.corrupt` where something else stands.
    func text(_ name: String) throws(DatabaseFailure) -> String? {
        switch try value(name) {
        case .null: nil
        case .text(let text): text
        case .integer: throw .corrupt("column \(name) holds a number")
        }
    }

    /// A number; nil for null.
    func number(_ name: String) throws(DatabaseFailure) -> Int64? {
        switch try value(name) {
        case .null: nil
        case .integer(let number): number
        case .text: throw .corrupt("column \(name) holds a text")
        }
    }

    func needsText(_ name: String) throws(DatabaseFailure) -> String {
        guard let text = try text(name) else { throw .corrupt("column \(name) is empty") }
        return text
    }

    func needsNumber(_ name: String) throws(DatabaseFailure) -> Int64 {
        guard let number = try number(name) else { throw .corrupt("column \(name) is empty") }
        return number
    }

    func truth(_ name: String) throws(DatabaseFailure) -> Bool {
        try needsNumber(name) != 0
    }

    private func value(_ name: String) throws(DatabaseFailure) -> SQLValue {
        guard let index = columns[name] else { throw .failed("there is no column \(name)") }
        return values[index]
    }
}
