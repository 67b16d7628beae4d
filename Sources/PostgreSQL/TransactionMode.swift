/// What a transaction sees and may do.
public enum TransactionMode: Sendable {
    /// Each statement sees what was committed when it began, and may change rows (`READ COMMITTED`).
    case readWrite
    /// Every statement sees the database as it was at the first, and none may change it (`REPEATABLE READ`).
    case snapshot

    var begin: String {
        switch self {
        case .readWrite: "begin isolation level read committed read write"
        case .snapshot: "begin isolation level repeatable read read only"
        }
    }
}
