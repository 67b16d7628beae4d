/// Why something asked of PostgreSQL was not done.
///
/// Its texts are for an operator's log: they may name hosts, tables and constraints, never a password.
public enum PostgresFailure: Error, Sendable {
    /// No connection could be made.
    case unreachable(String)
    /// The connection ended in the middle of work; after a `COMMIT` nobody knows whether it was done.
    case lost(String)
    /// The server answered with an error, and did nothing.
    case refused(ServerError)
    /// Every connection of the pool stayed in use for as long as the pool lets anyone wait.
    case busy
    /// A column of the result isn't there, is null, or has another type than it was read as.
    case misread(String)

    /// Whether the database is away, so that asking again later, and not asking differently, is what helps.
    public var isAway: Bool {
        switch self {
        case .unreachable, .lost: true
        case .refused(let error): error.state.isAway
        case .busy, .misread: false
        }
    }

    /// The server's code, when it answered with one.
    public var state: SQLState? {
        if case .refused(let error) = self { error.state } else { nil }
    }
}

extension PostgresFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let reason): "the database is unreachable: \(reason)"
        case .lost(let reason): "the connection to the database was lost: \(reason)"
        case .refused(let error): "the database refused: \(error)"
        case .busy: "every connection to the database is in use"
        case .misread(let reason): "the database's answer was misread: \(reason)"
        }
    }
}

/// An error that the server answered a statement with.
///
/// `detail` quotes values of rows, so it is left out of every description: it belongs in no log and no answer.
public struct ServerError: Error, Hashable, Sendable {
    public let state: SQLState
    /// One sentence in the server's language; without values of rows, as far as PostgreSQL's own messages go.
    public let message: String
    public let detail: String?
    public let hint: String?
    public let schema: String?
    public let table: String?
    public let column: String?
    public let constraint: String?

    init(
        state: SQLState, message: String, detail: String? = nil, hint: String? = nil, schema: String? = nil,
        table: String? = nil, column: String? = nil, constraint: String? = nil
    ) {
        self.state = state
        self.message = message
        self.detail = detail
        self.hint = hint
        self.schema = schema
        self.table = table
        self.column = column
        self.constraint = constraint
    }
}

extension ServerError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let places = [("table", table), ("column", column), ("constraint", constraint)]
            .compactMap { name, value in value.map { "\(name) \($0)" } }
        return "\(state): \(message)" + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A code of PostgreSQL's for the outcome of a statement, five characters (Appendix A of its manual).
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// Whether the same work may succeed when it is tried again later, unchanged.
    public var isTransient: Bool {
        ["08", "53"].contains { rawValue.hasPrefix($0) } || rawValue.hasPrefix("57P0")
            || self == .serializationFailure || self == .deadlockDetected || self == .lockNotAvailable
    }

    /// Whether the server itself is out of reach: going down, coming up, or without room for another connection.
    public var isAway: Bool {
        [.adminShutdown, .crashShutdown, .cannotConnectNow, .tooManyConnections].contains(self)
    }
}

// The integrity of rows.
extension SQLState {
    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
}

// Faults of values.
extension SQLState {
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    public static let characterNotInRepertoire = SQLState(rawValue: "22021")
    public static let invalidParameterValue = SQLState(rawValue: "22023")
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    public static let untranslatableCharacter = SQLState(rawValue: "22P05")
    public static let programLimitExceeded = SQLState(rawValue: "54000")
}

// Transactions and locks.
extension SQLState {
    public static let readOnlySQLTransaction = SQLState(rawValue: "25006")
    public static let inFailedSQLTransaction = SQLState(rawValue: "25P02")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let queryCanceled = SQLState(rawValue: "57014")
}

// Names and rights.
extension SQLState {
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let invalidSQLStatementName = SQLState(rawValue: "26000")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    public static let syntaxError = SQLState(rawValue: "42601")
    public static let undefinedTable = SQLState(rawValue: "42P01")
}

// The server's own condition.
extension SQLState {
    public static let tooManyConnections = SQLState(rawValue: "53300")
    public static let adminShutdown = SQLState(rawValue: "57P01")
    public static let crashShutdown = SQLState(rawValue: "57P02")
    public static let cannotConnectNow = SQLState(rawValue: "57P03")
}
