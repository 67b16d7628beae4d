internal import AlmanacPOSIX
public import AlmanacPostgreSQL

/// Brings a database's schema up to date: forward only, each migration in one transaction.
public struct Migrator {
    private let connection: Connection

    /// How long a migration may be kept from the tables that it changes.
    private let timeout: Duration

    /// - Parameters:
    ///   - connection: of the schema's owner.
    ///   - timeout: how long a migration may be kept from the tables that it changes, by a backup for instance.
    public init(_ connection: Connection, timeout: Duration = .seconds(60)) {
        self.connection = connection
        self.timeout = timeout
    }

    /// Applies the migrations that the database does not have yet.
    ///
    /// Two that run at once take turns: each migration is looked up again under a lock before it is applied.
    ///
    /// - Returns: the migrations that were applied.
    public func migrate(_ migrations: [Migration]) throws -> [Migration] {
        try connection.transaction { connection in
            try connection.run(MigrationStatements.lock)
            try connection.execute(script: MigrationStatements.createTable)
        }
        return try migrations.filter { try applyWhenFree($0, of: migrations.count) }
    }

    /// Tries again while others use the tables.
    ///
    /// Those who want a table wait behind the migration that waits for it, so each try is short, and they come between.
    private func applyWhenFree(_ migration: Migration, of count: Int) throws -> Bool {
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

    /// - Returns: whether the database lacked it.
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
                try connection.execute(script: MigrationStatements.boundWaiting)
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

/// Others did not let go of the tables that a migration changes.
private struct TablesInUse: Error, CustomStringConvertible {
    let description =
        "tables that it changes stay in use by others (a backup?), and nothing was changed: try again later"
}

/// The schema that this release works with.
public enum Schema {
    /// The number of the newest migration that the code relies on.
    public static let required = 14

    /// Waits for a restore to end, and keeps the next one waiting until the transaction is over.
    ///
    /// A restore takes this table before all others, and no change of config or notes takes it: with one order for all,
    /// no two wait for each other.
    public static let hold = MigrationStatements.hold

    /// Refuses a database whose schema is older than this release needs.
    public static func check(_ connection: Connection) throws {
        let number = try newest(connection)
        guard number >= required else {
            throw MigrationFailure(
                "the schema is at migration \(number) and must be at \(required): run almanac migrate")
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
