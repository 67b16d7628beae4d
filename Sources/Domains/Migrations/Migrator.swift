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

    /// Applies the migrations that the database lacks.
    ///
    /// Concurrent calls are safe because each migration is looked up again under a lock before it is applied.
    ///
    /// - Returns: the migrations that were applied.
    public func migrate(_ migrations: [Migration]) throws -> [Migration] {
        try connection.transaction { connection in
            try connection.run(MigrationStatements.lock)
            try connection.execute(script: MigrationStatements.createTable)
        }
        return try migrations.filter { try applyWithRetries($0, of: migrations.count) }
    }

    /// Retries a migration while its tables are locked.
    ///
    /// Each attempt is short, because other sessions queue behind the migration's lock request and run in between.
    private func applyWithRetries(_ migration: Migration, of count: Int) throws -> Bool {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try apply(migration, of: count)
            } catch let failure as TablesInUse {
                guard ContinuousClock.now < deadline else { throw MigrationFailure("\(migration.name): \(failure)") }
                _ = try Event().wait(upTo: .milliseconds(200))
            }
        }
    }

    /// - Returns: `true` if the database lacked the migration.
    private func apply(_ migration: Migration, of count: Int) throws -> Bool {
        try connection.transaction { connection in
            try connection.run(MigrationStatements.lock)
            let rows = try connection.run(MigrationStatements.all)
            if let unknown = try rows.first(where: { try $0.integer("number") > count }) {
                throw MigrationFailure(
                    "the database has migration \(try unknown.text("name")), which this release does not know")
            }
            if let row = try rows.first(where: { try $0.integer("number") == migration.number }) {
                guard try row.text("digest") == migration.digest else {
                    throw MigrationFailure("\(migration.name) was changed after it had been applied")
                }
                return false
            }
            do throws(PostgresFailure) {
                try connection.execute(script: MigrationStatements.lockTimeout)
                try connection.execute(script: migration.sql)
            } catch {
                if [.lockNotAvailable, .deadlockDetected].contains(error.state) { throw TablesInUse() }
                throw MigrationFailure("\(migration.name): \(error)")
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

/// The schema that this release works with.
public enum Schema {
    /// The number of the newest migration that the code relies on.
    public static let required = 17

    /// Waits for a running restore, and keeps the next one waiting until the transaction ends.
    ///
    /// No deadlock can occur: a restore locks this table first, and changes of config or notes never lock it.
    public static let blockRestore = MigrationStatements.blockRestore

    /// Throws if the database's schema is older than this release needs.
    public static func check(_ connection: Connection) throws {
        let number = try newest(connection)
        guard number >= required else {
            throw MigrationFailure(
                "the schema is at migration \(number) and must be at \(required); run almanac migrate")
        }
    }

    private static func newest(_ connection: Connection) throws(PostgresFailure) -> Int {
        do {
            return try connection.run(MigrationStatements.newest).first?.integer("number") ?? 0
        } catch {
            guard error.state == .undefinedTable else { throw error }
            return 0
        }
    }
}
