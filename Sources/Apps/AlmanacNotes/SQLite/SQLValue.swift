/// A value that is bound to a placeholder of a statement, or read from a column.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    init(_ number: Int64?) {
        self = number.map { .integer($0) } ?? .null
    }

    init(_ truth: Bool) {
        self = .integer(truth ? 1 : 0)
    }
}
