/// A named SQL statement, prepared before its first run on each connection.
///
/// The first line of the SQL is the name, so that a slow-query log identifies the source:
///
///     static let find = Statement("""
///         -- name: find_entry
///         select value from entries where key = $1
///         """)
public struct Statement: Sendable {
    /// The name, also of the prepared statement. It must be unique in the program.
    public let name: String
    public let sql: String

    /// - Precondition: The first line is `-- name: ` and a name of at most 63 characters of a-z, 0-9 and _.
    public init(_ sql: String) {
        let first = String(decoding: sql.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        precondition(first.hasPrefix("-- name: "), "a statement's first line is \"-- name: …\", not \"\(first)\"")
        name = String(first.dropFirst("-- name: ".count))
        precondition(
            (1...63).contains(name.utf8.count) && name.utf8.allSatisfy(Self.mayStandInName),
            "a statement's name is made of a-z, 0-9 and _, unlike \"\(name)\"")
        precondition(!sql.utf8.contains(0), "the statement \(name) contains a zero byte")
        self.sql = sql
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

/// A statement with the parameters of one run.
public struct Call: Sendable {
    let statement: Statement
    let parameters: [Parameter]

    public init(_ statement: Statement, _ parameters: Parameter...) { self.init(statement, with: parameters) }

    public init(_ statement: Statement, with parameters: [Parameter]) {
        self.statement = statement
        self.parameters = parameters
    }
}
