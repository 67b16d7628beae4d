internal import AlmanacCLibPQ

extension Connection {
    /// Runs `body` in a transaction, which is committed when `body` returns and rolled back when it throws.
    ///
    /// - Throws: The error of `body`; `.lost` if the connection ends, and during the commit the outcome is then
    ///   unknown; `.refused` if the server can't commit, or if `body` swallowed an error that had ended the transaction
    ///   (`inFailedSQLTransaction`).
    /// - Precondition: No transaction is open, because transactions don't nest.
    public func transaction<Result>(
        _ mode: TransactionMode = .readWrite, _ body: (Connection) throws -> Result
    ) throws -> Result {
        try transaction(mode, opening: []) { connection, _ in try body(connection) }
    }

    /// Runs `body` in a transaction, like ``transaction(_:_:)``, after its first statements. These run in one round
    /// trip with the begin.
    ///
    /// - Parameter body: A closure that also receives the rows of each first statement.
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

    /// Runs the last statements of the open transaction and commits, in one round trip. A later error in `body` does
    /// not roll back.
    ///
    /// - Parameter earlier: the statements before the last, whose rows are not returned.
    /// - Throws: The error of the statement or of the commit.
    /// - Precondition: A `transaction` is open, and runs no further statement.
    public func runAndCommit(_ call: Call, after earlier: [Call] = []) throws(PostgresFailure) -> Rows {
        precondition(isInTransaction || isBroken || !isConnected, "the last statement of no transaction")
        let rows = try run(together: earlier + [call, Call(Self.commit)])
        try Self.checkCommit(rows[earlier.count + 1].result)
        hasCommitted = true
        return rows[earlier.count]
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

    private func begin(_ mode: TransactionMode, _ calls: [Call]) throws(PostgresFailure) -> [Rows] {
        let calls = [Call(mode.begin)] + calls
        do {
            return Array(try run(together: calls).dropFirst())
        } catch {
            rollBack()
            // Nothing was executed yet, so everything can be retried after preparing the statements again.
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

    /// Rolls back an open transaction. If that fails, the session is marked as broken.
    private func rollBack() {
        guard !isIdle, isConnected, !isBroken else { return }
        _ = try? command("rollback")
        if !isIdle { isBroken = true }
    }
}

/// The isolation level and access mode of a transaction.
public enum TransactionMode: Sendable {
    /// Each statement sees the rows committed before it began, and may change rows (`READ COMMITTED`).
    case readWrite
    /// All statements see the snapshot of the first one, and none may change rows (`REPEATABLE READ`).
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
