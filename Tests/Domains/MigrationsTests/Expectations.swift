import AlmanacMigrations
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

/// Runs a closure. Returns the text of its error, or nil.
func message(_ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// Runs a closure. Returns the SQL state of the server's error, or nil.
func state(_ body: () throws -> some Any) -> SQLState? {
    do {
        _ = try body()
    } catch let failure as PostgresFailure {
        return failure.state
    } catch {
        Issue.record(error)
    }
    return nil
}

/// Creates migrations from SQL scripts, as files `000001_step.sql` and following.
func migrations(_ scripts: [String]) throws -> [Migration] {
    let folder = try TemporaryFolder()
    for (index, script) in scripts.enumerated() {
        let number = "\(index + 1)"
        try folder.write(String(repeating: "0", count: 6 - number.count) + number + "_step.sql", script.utf8)
    }
    return try Migration.all(inFolder: folder.path)
}

extension TestDatabase {
    func connection(of role: String) throws -> Connection { try Connection(settings(user: role)) }
}
