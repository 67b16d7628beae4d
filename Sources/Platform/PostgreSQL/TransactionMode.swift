/// What a transaction sees and may do.
public enum TransactionMode: Sendable {
    /// Each statement sees what was committed when it began, and may change rows (`READ COMMITTED`).
    case readWrite
    /// Every statement sees the database as it was at the first, and none may change it (`REPEATABLE READ`).
    case snapshot

    var begin: Statement {
        switch self {
        case .readWrite: Self.beginReadWrite
        case .snapshot: Self.beginSnapshot
        }
    }

    private static let beginReadWrite = Statement(
        """
        -- name: begin_read_write
        begin isolation level read committed read write
        """)

    private static let beginSnapshot = Statement(
        """
        -- name: begin_snapshot
        begin isolation level repeatable read read only
        """)
}
