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
    public static let notNullViolation = SQLState(rawValue: "23502")
    public static let foreignKeyViolation = SQLState(rawValue: "23503")
    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
    public static let exclusionViolation = SQLState(rawValue: "23P01")
}

// What a value may be.
extension SQLState {
    public static let stringDataRightTruncation = SQLState(rawValue: "22001")
    public static let numericValueOutOfRange = SQLState(rawValue: "22003")
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    public static let characterNotInRepertoire = SQLState(rawValue: "22021")
    public static let invalidParameterValue = SQLState(rawValue: "22023")
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    public static let invalidBinaryRepresentation = SQLState(rawValue: "22P03")
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
    public static let invalidCatalogName = SQLState(rawValue: "3D000")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    public static let syntaxError = SQLState(rawValue: "42601")
    public static let undefinedColumn = SQLState(rawValue: "42703")
    public static let duplicateObject = SQLState(rawValue: "42710")
    public static let undefinedFunction = SQLState(rawValue: "42883")
    public static let undefinedTable = SQLState(rawValue: "42P01")
    public static let duplicateTable = SQLState(rawValue: "42P07")
    public static let duplicateDatabase = SQLState(rawValue: "42P04")
    public static let raiseException = SQLState(rawValue: "P0001")
}

// The server's own condition.
extension SQLState {
    public static let diskFull = SQLState(rawValue: "53100")
    public static let outOfMemory = SQLState(rawValue: "53200")
    public static let tooManyConnections = SQLState(rawValue: "53300")
    public static let adminShutdown = SQLState(rawValue: "57P01")
    public static let crashShutdown = SQLState(rawValue: "57P02")
    public static let cannotConnectNow = SQLState(rawValue: "57P03")
}
