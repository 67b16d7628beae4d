internal import AlmanacMigrations
public import AlmanacPostgreSQL

extension Connection {
    /// Runs `body` with one consistent view of an environment's database, which changes nothing there.
    ///
    /// A table that a restore replaces is empty in a view that began before: so the view begins when no restore is at
    /// work.
    public func view<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try view(opening: []) { connection, _ in try body(connection) }
    }

    /// The same with the first statements already run, in one round trip with the view's beginning.
    public func view<Result>(
        opening calls: [Call], _ body: (Connection, [Rows]) throws -> Result
    ) throws -> Result {
        try transaction(.snapshot, opening: [Call(Schema.hold)] + calls) { connection, rows in
            try body(connection, Array(rows.dropFirst()))
        }
    }
}
