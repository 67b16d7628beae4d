internal import AlmanacPOSIX
public import AlmanacPostgreSQL

/// Applies migrations to a database: only forward, each in one transaction.
public struct Migrator {
    private let connection: Connection

    private let timeout: Duration

    /// - Parameters:
    ///   - connection: a connection of the schema's owner.
    ///   - timeout: the limit on a migration's retries while its tables are locked, for example by a backup.
    public init(_ connection: Connection, timeout: Duration = .seconds(60)) {
        self.connection = connection
        self.timeout = timeout
    }

    /// Applies the migrations that the database lacks. Newer migrations stay, if they keep this folder's programs.
    ///
    /// Concurrent calls are safe because each migration is looked up again under a lock before it is applied.
    ///
    /// - Returns: the migrations that were applied.
    public func migrate(_ migrations: [Migration]) throws -> [Migration] {
        try retry("almanac_migrations") {
            try connection.transaction { connection in
                try connection.run(MigrationStatements.lock)
                try run(MigrationStatements.createTable)
            }
        }
        return try migrations.filter { migration in
            try retry(migration.name) { try apply(migration, of: migrations.count) }
        }
    }

    /// Retries an attempt while its tables are locked.
    ///
    /// Each attempt is short, because other sessions queue behind the migration's lock request and run in between.
    private func retry<Result>(_ name: String, _ attempt: () throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try attempt()
            } catch let failure as TablesInUse {
                guard ContinuousClock.now < deadline else { throw MigrationFailure("\(name): \(failure)") }
                _ = try Event().wait(upTo: .milliseconds(200))
            }
        }
    }

    /// Runs a script that waits only briefly for tables.
    private func run(_ script: String) throws {
        do throws(PostgresFailure) {
            try connection.execute(script: MigrationStatements.bounds)
            try connection.execute(script: script)
        } catch {
            if [.lockNotAvailable, .deadlockDetected].contains(error.state) { throw TablesInUse() }
            throw error
        }
    }

    /// - Returns: `true` if the database lacked the migration.
    private func apply(_ migration: Migration, of count: Int) throws -> Bool {
        try connection.transaction { connection in
            try connection.run(MigrationStatements.lock)
            try Schema.state(connection, known: count).refuseNewer()
            let rows = try connection.run(MigrationStatements.all)
            if let row = try rows.first(where: { try $0.integer("number") == migration.number }) {
                guard try row.text("digest") == migration.digest else {
                    throw MigrationFailure("\(migration.name) was changed after it had been applied")
                }
                return false
            }
            do { try run(migration.sql) } catch let failure as PostgresFailure {
                throw MigrationFailure("\(migration.name): \(failure)")
            }
            try connection.run(MigrationStatements.insert(migration))
            return true
        }
    }
}

/// The error of a migration whose tables stay locked by other sessions.
private struct TablesInUse: Error, CustomStringConvertible {
    let description = "its tables stay in use by other programs, such as a backup; nothing was changed, try again later"
}
