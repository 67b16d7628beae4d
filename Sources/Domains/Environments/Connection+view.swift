internal import AlmanacMigrations
public import AlmanacPostgreSQL

extension Connection {
    /// Runs `body` in a read-only transaction with one consistent snapshot of an environment's database.
    ///
    /// The transaction first waits for a running restore, whose tables look empty to older transactions.
    public func view<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try view(opening: []) { connection, _ in try body(connection) }
    }

    /// Runs `body` likewise, after statements that share one round trip with the transaction's begin.
    public func view<Result>(opening calls: [Call], _ body: (Connection, [Rows]) throws -> Result) throws -> Result {
        try transaction(.snapshot, opening: [Call(Schema.blockRestore)] + calls) { connection, rows in
            try body(connection, Array(rows.dropFirst()))
        }
    }
}
