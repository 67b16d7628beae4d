public import PostgreSQL

/// Brings a database's schema up to date: forward only, each migration in one transaction.
public struct Migrator {
    private let connection: Connection

    /// - Parameter connection: of the schema's owner.
    public init(_ connection: Connection) {
        self.connection = connection
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
        var applied: [Migration] = []
        for migration in migrations {
            let isNew = try connection.transaction { connection in
                try connection.run(MigrationStatements.lock)
                let rows = try connection.run(MigrationStatements.all)
                if let unknown = try rows.first(where: { try $0.integer("number") > migrations.count }) {
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
                    try connection.execute(script: migration.sql)
                } catch {
                    throw MigrationFailure("\(migration.name): \(error)")
                }
                try connection.run(
                    MigrationStatements.insert, .integer(Int32(migration.number)), .text(migration.name),
                    .text(migration.digest))
                return true
            }
            if isNew { applied.append(migration) }
        }
        return applied
    }
}

/// The schema that this release works with.
public enum Schema {
    /// The number of the newest migration that the code relies on.
    public static let required = 4

    /// Refuses a database whose schema is older than this release needs.
    public static func check(_ connection: Connection) throws {
        let number = try newest(connection)
        guard number >= required else {
            throw MigrationFailure("the schema is at migration \(number) and must be at \(required): run almanac migrate")
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
