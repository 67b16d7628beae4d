public import AlmanacPostgreSQL

extension Connection {
    /// Runs `body` with one consistent view of an environment's database, which changes nothing there.
    ///
    /// A table that a restore replaces is empty to whoever began to look before: so the look begins once none goes on.
    public func view<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try view(opening: []) { connection, _ in try body(connection) }
    }

    /// The same with the first statements already run, in one round trip with the view's beginning.
    public func view<Result>(
        opening calls: [Call], _ body: (Connection, [Rows]) throws -> Result
    ) throws -> Result {
        try transaction(.snapshot, opening: [Call(Self.hold)] + calls) { connection, rows in
            try body(connection, Array(rows.dropFirst()))
        }
    }

    /// Waits for a restore to end, and keeps the next one waiting. Alone among statements it can come before what
    /// decides how much a transaction sees.
    ///
    /// Of all tables `accounts` is the first that actions on notes lock, and that a restore does: with one order for all,
    /// nobody waits in a circle.
    private static let hold = Statement(
        """
        -- name: environment_hold
        lock table accounts in access share mode
        """)
}
