internal import CLibPQ

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
        precondition(!isInTransaction, "a transaction inside a transaction")
        _ = try command(mode.begin)
        let result: Result
        do {
            result = try body(self)
        } catch {
            rollBack()
            throw error
        }
        do {
            guard try command("commit").commandTag == "COMMIT" else {
                throw PostgresFailure.refused(
                    ServerError(
                        state: .inFailedSQLTransaction,
                        message: "the transaction was rolled back because a statement in it had failed"))
            }
        } catch {
            rollBack()
            throw error
        }
        return result
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
