internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// A temporary database in which a backup is verified.
struct ScratchDatabase {
    private let administrator: Connection
    private let settings: ConnectionSettings
    private let name: String

    /// - Parameters:
    ///   - login: a role that may create databases, on any server.
    ///   - number: makes the database's name unique.
    init(_ login: ConnectionSettings, number: UInt64) throws {
        administrator = try Connection(login)
        name = "almanac_verify_" + String(number, radix: 36)
        settings = login.inDatabase(name)
    }

    /// Restores a backup and reads the result.
    func contents(ofRestored path: String) throws -> DatabaseContents {
        try administrator.execute(script: "create database \(name) template template0 encoding 'UTF8'")
        let result = Result { try restored(path) }
        do {
            try administrator.execute(script: "drop database \(name) with (force)")
        } catch {
            throw MaintenanceFailure(
                "the database \(name) of the test restore could not be dropped: \(error)")
        }
        return try result.get()
    }

    private func restored(_ path: String) throws -> DatabaseContents {
        let connection = try Connection(settings)
        try PostgresProgram("pg_restore", as: connection).lines([
            "--no-owner", "--no-privileges", "--exit-on-error", "--no-password", PostgresProgram.database, path,
        ])
        return try connection.transaction(.snapshot) { try DatabaseContents($0) }
    }
}
