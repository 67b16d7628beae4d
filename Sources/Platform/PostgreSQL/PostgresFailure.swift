/// The reason for which PostgreSQL did not complete an operation.
///
/// The texts are for an operator's log: they may name hosts, tables and constraints, never a password.
public enum PostgresFailure: Error, Sendable {
    /// No connection could be made.
    case unreachable(String)
    /// The connection ended during an operation. During a `COMMIT`, the outcome is unknown.
    case lost(String)
    /// The server responded with an error, and changed nothing.
    case refused(ServerError)
    /// No connection of the pool became available within the time limit.
    case busy
    /// A column of the result is missing, is null, or has an unexpected type.
    case unexpectedResult(String)

    /// True if the database is away, so that retrying later can help.
    public var isUnavailable: Bool {
        switch self {
        case .unreachable, .lost: true
        case .refused(let error): error.state.isUnavailable
        case .busy, .unexpectedResult: false
        }
    }

    /// The server's error code, or nil for any other failure.
    public var state: SQLState? { if case .refused(let error) = self { error.state } else { nil } }
}

extension PostgresFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let reason): "the database is unreachable: \(reason)"
        case .lost(let reason): "the connection to the database was lost: \(reason)"
        case .refused(let error): "the database refused: \(error)"
        case .busy: "every connection to the database is in use"
        case .unexpectedResult(let reason): "unexpected result from the database: \(reason)"
        }
    }
}

/// An error in the server's response to a statement.
///
/// `detail` quotes values of rows, so it is left out of every description: it must not appear in a log or a response.
public struct ServerError: Error, Hashable, Sendable {
    public let state: SQLState
    /// A sentence in the server's language. PostgreSQL's own messages contain no values of rows.
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

/// An error code of PostgreSQL, five characters (Appendix A of its manual).
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// True if the same operation may succeed when retried later.
    public var isTransient: Bool {
        ["08", "53"].contains { rawValue.hasPrefix($0) } || rawValue.hasPrefix("57P0")
            || self == .serializationFailure || self == .deadlockDetected || self == .lockNotAvailable
    }

    /// True if the server is shutting down, starting, or out of connections.
    public var isUnavailable: Bool {
        [.adminShutdown, .crashShutdown, .cannotConnectNow, .tooManyConnections].contains(self)
    }
}

extension SQLState {
    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
}

extension SQLState {
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    public static let characterNotInRepertoire = SQLState(rawValue: "22021")
    public static let invalidParameterValue = SQLState(rawValue: "22023")
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    public static let untranslatableCharacter = SQLState(rawValue: "22P05")
    public static let programLimitExceeded = SQLState(rawValue: "54000")
}

extension SQLState {
    public static let readOnlySQLTransaction = SQLState(rawValue: "25006")
    public static let inFailedSQLTransaction = SQLState(rawValue: "25P02")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let queryCanceled = SQLState(rawValue: "57014")
}

extension SQLState {
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let invalidSQLStatementName = SQLState(rawValue: "26000")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    public static let syntaxError = SQLState(rawValue: "42601")
    public static let undefinedTable = SQLState(rawValue: "42P01")
}

extension SQLState {
    public static let tooManyConnections = SQLState(rawValue: "53300")
    public static let adminShutdown = SQLState(rawValue: "57P01")
    public static let crashShutdown = SQLState(rawValue: "57P02")
    public static let cannotConnectNow = SQLState(rawValue: "57P03")
}
