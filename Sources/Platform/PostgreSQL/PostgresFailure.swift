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
