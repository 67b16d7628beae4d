internal import AlmanacCLibPQ

extension Connection {
    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// - Throws: what `body` throws; `.lost` when the connection ends, and if that was at the commit, then nobody knows
    ///   whether it was done; `.refused` when the server can't commit, or when an error that `body` swallowed had
    ///   already ended the transaction (`inFailedSQLTransaction`).
    /// - Precondition: no transaction is open: transactions don't nest.
    public func transaction<Result>(
        _ mode: TransactionMode = .readWrite, _ body: (Connection) throws -> Result
    ) throws -> Result {
        try transaction(mode, opening: []) { connection, _ in try body(connection) }
    }

    /// The same with the first statements already run, in one round trip with the transaction's begin.
    ///
    /// - Parameter body: is also given the rows of each of these statements.
    public func transaction<Result>(
        _ mode: TransactionMode = .readWrite, opening calls: [Call], _ body: (Connection, [Rows]) throws -> Result
    ) throws -> Result {
        precondition(!isInTransaction, "a transaction inside a transaction")
        let rows = try begin(mode, calls)
        defer { hasCommitted = false }
        let result: Result
        do {
            result = try body(self, rows)
        } catch {
            rollBack()
            throw error
        }
        if hasCommitted { return result }
        do {
            try Self.checkCommit(try command("commit"))
        } catch {
            rollBack()
            throw error
        }
        return result
    }

    /// Runs the last statement of the open transaction and commits, in one round trip.
    ///
    /// An error that `body` throws after it undoes nothing any more.
    ///
    /// - Throws: what the statement or the commit throws, as above.
    /// - Precondition: inside of `transaction`, which runs no other statement after this one.
    public func runLast(_ call: Call) throws(PostgresFailure) -> Rows {
        precondition(isInTransaction || isBroken || !isConnected, "the last statement of no transaction")
        let rows = try run(together: [call, Call(Self.commit)])
        try Self.checkCommit(rows[1].result)
        hasCommitted = true
        return rows[0]
    }

    private static let commit = Statement(
        """
        -- name: commit
        commit
        """)

    private static func checkCommit(_ result: QueryResult) throws(PostgresFailure) {
        guard result.commandTag == "COMMIT" else {
            throw .refused(
                ServerError(
                    state: .inFailedSQLTransaction,
                    message: "the transaction was rolled back because a statement in it had failed"))
        }
    }

    /// Begins a transaction and runs its first statements.
    private func begin(_ mode: TransactionMode, _ calls: [Call]) throws(PostgresFailure) -> [Rows] {
        let calls = [Call(mode.begin)] + calls
        do {
            return Array(try run(together: calls).dropFirst())
        } catch {
            rollBack()
            // Nothing was done yet, so all of it can be run again once the statements are prepared anew.
            guard error.meansStaleStatement, isIdle, !isBroken else { throw error }
        }
        do {
            return Array(try run(together: calls).dropFirst())
        } catch {
            rollBack()
            throw error
        }
    }

    private var isInTransaction: Bool {
        let status = unsafe PQtransactionStatus(pointer)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Ends a transaction if one is open; a session where even that fails is not used again.
    private func rollBack() {
        guard !isIdle, isConnected, !isBroken else { return }
        _ = try? command("rollback")
        if !isIdle { isBroken = true }
    }
}

/// The isolation and access mode of a transaction.
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
